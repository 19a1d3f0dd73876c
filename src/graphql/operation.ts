import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { graphSchema } from '../../schema/index.ts';
import { type Compiled, compile } from './compile.ts';
import { coded, refusal } from './errors.ts';
import { exceededByMeasure, exceededByVariables } from './limits.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** Errors of one request that are told; looking for all would cost more than the request. */
export const MOST_ERRORS = 10;

/** How often an operation runs before it is compiled: that costs as much as some ten runs. */
const RUNS_BEFORE_COMPILING = 3;

/** A valid operation, ready to be asked for again and again. */
export class Operation {
  readonly definition: OperationDefinitionNode;
  /** The operation and the fragments, without the document's other operations. */
  readonly document: DocumentNode;
  readonly #excess: GraphQLError | undefined;
  #runs = 0;
  #compiled: Compiled | undefined;

  constructor(definition: OperationDefinitionNode, fragments: readonly FragmentDefinitionNode[]) {
    this.definition = definition;
    this.document = { kind: Kind.DOCUMENT, definitions: [definition, ...fragments] };
    this.#excess = exceededByMeasure(this.document);
  }

  /** Why it cannot run with these variables. */
  refusals(variables: Variables): readonly GraphQLError[] {
    const { variableDefinitions = [] } = this.definition;
    if (variableDefinitions.length > 0) {
      const tooMany = exceededByVariables(variables);
      if (tooMany) return [tooMany];
      const { errors } = getVariableValues(graphSchema, variableDefinitions, variables, {
        maxErrors: MOST_ERRORS,
      });
      if (errors) return errors.map(error => coded(error, 'BAD_USER_INPUT'));
    }
    const tooMuch = this.#excess && exceededByMeasure(this.document, variables);
    return tooMuch ? [tooMuch] : [];
  }

  /** The operation as a function, once it has run often enough, and where that is possible. */
  compiled(): Compiled | undefined {
    if (++this.#runs === RUNS_BEFORE_COMPILING) this.#compiled = compile(this.document);
    return this.#compiled;
  }
}

/** The operation that a request means. */
export function chooseOperation(
  operations: readonly Operation[],
  name: string | null | undefined,
): Operation | GraphQLError {
  if (name == null) {
    const [only, ...others] = operations;
    if (only && others.length === 0) return only;
    return unresolved('The document has several operations: name one in operationName.');
  }
  const named = operations.find(({ definition }) => definition.name?.value === name);
  return named ?? unresolved(`The document has no operation named "${name}".`);
}

function unresolved(message: string): GraphQLError {
  return refusal(message, 'OPERATION_RESOLUTION_FAILURE');
}
