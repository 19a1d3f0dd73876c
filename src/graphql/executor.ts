import { type ExecutionResult, execute, GraphQLError } from 'graphql';
import type { Context } from '../../schema/context.ts';
import { graphSchema } from '../../schema/index.ts';
import { Documents } from './documents.ts';
import { firstOfEachNull, internalError, publicErrors } from './errors.ts';
import { chooseOperation, type Operation, type Variables } from './operation.ts';

/** A request of GraphQL over HTTP, as far as it matters here. */
export interface GraphQLParameters {
  query: string;
  operationName?: string | null;
  variables?: Variables | null;
}

/** `status` is 400 for what was refused before it ran; what went wrong in a field is in a 200's errors. */
export interface Answer {
  status: 200 | 400 | 500;
  result: ExecutionResult;
  /** The name of the operation, where it was found and has one. */
  operation?: string | undefined;
}

/** Gets what the public may not see. */
export type LogError = (error: unknown) => void;

/** Answers whatever happens. */
export type Executor = (
  parameters: GraphQLParameters,
  context: Context,
  logError: LogError,
) => Promise<Answer>;

/** The executor of one request. */
export type Run = (parameters: GraphQLParameters) => Promise<Answer>;

export function createExecutor(): Executor {
  const documents = new Documents();

  async function answer(
    parameters: GraphQLParameters,
    context: Context,
    logError: LogError,
  ): Promise<Answer> {
    const prepared = documents.get(parameters.query);
    if ('errors' in prepared) return refused(prepared.errors);
    const operation = chooseOperation(prepared.operations, parameters.operationName);
    if (operation instanceof GraphQLError) return refused([operation]);
    const name = operation.definition.name?.value;
    const variables = parameters.variables ?? {};
    const refusals = operation.refusals(variables);
    if (refusals.length > 0) return refused(refusals, name);
    const { data = null, errors = [] } = await run(operation, variables, context);
    if (errors.length === 0) return { status: 200, result: { data }, operation: name };
    const shown = publicErrors(errors, operation.definition.loc?.source, logError);
    return { status: 200, result: { errors: firstOfEachNull(shown, data), data }, operation: name };
  }

  return async (parameters, context, logError) => {
    try {
      return await answer(parameters, context, logError);
    } catch (error) {
      logError(error);
      return { status: 500, result: { errors: [internalError()] } };
    }
  };
}

function refused(errors: readonly GraphQLError[], operation?: string): Answer {
  return { status: 400, result: { errors }, operation };
}

function run(operation: Operation, variables: Variables, context: Context) {
  const compiled = operation.compiled();
  if (compiled) return compiled(context, variables);
  const { document } = operation;
  return execute({ schema: graphSchema, document, contextValue: context, variableValues: variables });
}
