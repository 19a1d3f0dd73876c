import { BREAK, type DocumentNode, type ExecutionResult, visit } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Context } from '../../schema/context.ts';
import { graphSchema } from '../../schema/index.ts';

/** An operation as a function of its own. */
export type Compiled = (
  context: Context,
  variables: Record<string, unknown>,
) => Promise<ExecutionResult> | ExecutionResult;

/** Undefined where only graphql-js answers. */
export function compile(document: DocumentNode): Compiled | undefined {
  if (!isCompilable(document)) return undefined;
  const compiled = compileQuery(graphSchema, document, undefined, { disablingCapturingStackErrors: true });
  if (!isCompiledQuery(compiled)) return undefined;
  return (context, variables) => compiled.query(undefined, context, variables);
}

/**
 * Whether a document may become code, and means the same there.
 *
 * Text never may: graphql-jit writes it into the code that it makes, and some texts it takes for code
 * (`__MAGIC_DATE__…`). So all that gets there from a document are names and numbers.
 * `@skip` and `@include` it gets wrong where a fragment is used twice, and a default that a null overrides, too; an
 * alias `__proto__` would set the prototype of the answer. A variable named so loses its
 * value, and one that is named as what objects inherit (`toString`) has that for its value where it is left out.
 */
function isCompilable(document: DocumentNode): boolean {
  let answer = true;
  const refuse = () => {
    answer = false;
    return BREAK;
  };
  visit(document, {
    StringValue: refuse,
    Directive: refuse,
    VariableDefinition: ({ defaultValue, variable }) =>
      defaultValue || variable.name.value in Object.prototype ? refuse() : undefined,
    Field: ({ alias }) => (alias?.value === '__proto__' ? refuse() : undefined),
  });
  return answer;
}
