import { GraphQLError } from 'graphql';
import type { Context } from '../../schema/context.ts';
import { PublicError } from '../../schema/errors.ts';
import { Documents } from './documents.ts';
import { internalError, type LogError } from './errors.ts';
import { chooseOperation, type Operation, type Variables } from './operation.ts';
import { NotWritten, run, runPlainly, type Told, type Unwritable } from './run.ts';

/** A request of GraphQL over HTTP, as far as it matters here. */
export interface GraphQLParameters {
  query: string;
  operationName?: string | null;
  variables?: Variables | null;
}

/** `status` is 400 for what was refused before it ran; what went wrong in a field is in a 200's errors. */
export interface Answer extends Told {
  status: 200 | 400 | 500;
  /** The name of the operation, where it was found and has one. */
  operation?: string | undefined;
  /** Why graphql-js answered in place of a writer; undefined where it did not. */
  unwritten?: Unwritable;
}

/** Answers whatever happens. */
export type Executor = (
  parameters: GraphQLParameters,
  context: Context,
  logError: LogError,
) => Promise<Answer>;

export function createExecutor(): Executor {
  const documents = new Documents();

  async function answer(
    parameters: GraphQLParameters,
    context: Context,
    logError: LogError,
  ): Promise<Answer> {
    const prepared = documents.get(parameters.query);
    if ('errors' in prepared) return refused(400, prepared.errors);
    const operation = chooseOperation(prepared.operations, parameters.operationName);
    if (operation instanceof GraphQLError) return refused(400, [operation]);
    const name = operation.definition.name?.value;
    const variables = parameters.variables ?? {};
    const read = operation.read(variables);
    if ('errors' in read) return refused(400, read.errors, name);
    try {
      const told = await ran(operation, variables, read.values, context, logError);
      return { status: 200, ...told, operation: name };
    } catch (error) {
      if (error instanceof PublicError) return refused(400, [error], name);
      throw error;
    }
  }

  return async (parameters, context, logError) => {
    try {
      return await answer(parameters, context, logError);
    } catch (error) {
      logError(error);
      return refused(500, [internalError()]);
    }
  };
}

/**
 * Answers by a writer, where one takes it.
 * @param values of the variables, coerced
 * @throws {PublicError} LIMIT_EXCEEDED, where the answer is too long
 */
async function ran(
  operation: Operation,
  variables: Variables,
  values: Variables,
  context: Context,
  logError: LogError,
): Promise<Told & Pick<Answer, 'unwritten'>> {
  try {
    return await run(operation, values, context, logError);
  } catch (error) {
    if (!(error instanceof NotWritten)) throw error;
    const told = await runPlainly(operation, variables, context, logError);
    return { ...told, unwritten: error.what };
  }
}

/** The errors that are answered in place of data. */
export function refused(
  status: Answer['status'],
  errors: readonly GraphQLError[],
  operation?: string,
): Answer {
  return { status, body: JSON.stringify({ errors }), errors, operation };
}
