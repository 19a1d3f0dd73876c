import { type ExecutionResult, GraphQLError } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Context } from '../../schema/context.ts';
import { restSchema } from '../../schema/index.ts';
import type { Variables } from './arguments.ts';
import type { Operation } from './operations.ts';
import { when } from './when.ts';

/** Answers with the value of the operation's field, or throws what its resolver threw: at once where it can. */
export type Execute = (context: Context, variables: Variables) => unknown;

/** Prepares an operation once, so that a request neither validates it nor walks it. */
export function compile(operation: Operation): Execute {
  return operation.route.exact ? resolverAlone(operation) : compiled(operation);
}

/** Of an exact answer, a thousand records are not copied only to be written. */
function resolverAlone({ field }: Operation): Execute {
  const { resolve } = restSchema.getQueryType()!.getFields()[field]!;
  return (context, variables) => resolve!(undefined, variables, context, undefined as never);
}

function compiled({ document, name, field }: Operation): Execute {
  const query = compileQuery<Record<string, unknown>>(restSchema, document, name);
  if (!isCompiledQuery(query)) throw new GraphQLError(`${name} does not compile`);
  const dataOf = ({ data, errors }: ExecutionResult) => {
    if (errors?.[0]) throw errors[0];
    return data?.[field];
  };
  return (context, variables) => when(query.query(undefined, context, variables), dataOf);
}
