import { type ExecutionResult, execute, GraphQLError } from 'graphql';
import type { Context } from '../../schema/context.ts';
import { graphSchema } from '../../schema/index.ts';
import { Documents } from './documents.ts';
import { internalError, publicErrors } from './errors.ts';
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
}

/** Answers whatever happens. */
export type Executor = (parameters: GraphQLParameters, context: Context) => Promise<Answer>;

export function createExecutor(logError: (error: unknown) => void): Executor {
  const documents = new Documents();

  async function answer(parameters: GraphQLParameters, context: Context): Promise<Answer> {
    const prepared = documents.get(parameters.query);
    if ('errors' in prepared) return refused(prepared.errors);
    const operation = chooseOperation(prepared.operations, parameters.operationName);
    if (operation instanceof GraphQLError) return refused([operation]);
    const variables = parameters.variables ?? {};
    const refusals = operation.refusals(variables);
    if (refusals.length > 0) return refused(refusals);
    const { data = null, errors = [] } = await run(operation, variables, context);
    if (errors.length === 0) return { status: 200, result: { data } };
    const shown = publicErrors(errors, operation.definition.loc?.source, logError);
    return { status: 200, result: { errors: shown, data } };
  }

  return async (parameters, context) => {
    try {
      return await answer(parameters, context);
    } catch (error) {
      logError(error);
      return { status: 500, result: { errors: [internalError()] } };
    }
  };
}

function refused(errors: readonly GraphQLError[]): Answer {
  return { status: 400, result: { errors } };
}

function run(operation: Operation, variables: Variables, context: Context) {
  const compiled = operation.compiled();
  if (compiled) return compiled(context, variables);
  const { document } = operation;
  return execute({ schema: graphSchema, document, contextValue: context, variableValues: variables });
}
