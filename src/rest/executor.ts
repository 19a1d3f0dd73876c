import { type ExecutionResult, GraphQLError } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Context } from '../../schema/context.ts';
import { restSchema } from '../../schema/index.ts';
import type { Variables } from './arguments.ts';
import type { Operation } from './operations.ts';

/** Answers with the value of the operation's field, or throws what its resolver threw. */
export type Execute = (context: Context, variables: Variables) => Promise<unknown>;

/** Compiles an operation once, so that a request neither validates it nor walks it. */
export function compile({ document, name, field }: Operation): Execute {
  const compiled = compileQuery<Record<string, unknown>>(restSchema, document, name);
  if (!isCompiledQuery(compiled)) throw new GraphQLError(`${name} does not compile`);
  return async (context, variables) => {
    const { data, errors } = (await compiled.query(undefined, context, variables)) as ExecutionResult;
    if (errors?.[0]) throw errors[0];
    return data?.[field];
  };
}
