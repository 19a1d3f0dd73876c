import type { Json, TypeWriter } from '@sightline/json';
import { Run } from '@sightline/json/run';
import { textOf } from '@sightline/json/type-writer';
import { execute, type GraphQLError } from 'graphql';
import type { Context } from '../../schema/context.ts';
import { PublicError } from '../../schema/errors.ts';
import { graphSchema } from '../../schema/index.ts';
import { gatheringLoaders } from '../../schema/loaders.ts';
import { firstOfEachNull, type LogError, publicErrors } from './errors.ts';
import type { Operation, Variables } from './operation.ts';

/** A body, and the errors that it tells. */
export interface Told {
  body: Json;
  errors: readonly GraphQLError[];
}

/** No writer takes it: the operation's form, or a value that is none of its type. */
export type Unwritable = 'operation' | 'value';

/** `runPlainly` answers it. */
export class NotWritten extends Error {
  readonly what: Unwritable;

  constructor(what: Unwritable, cause: unknown) {
    super(`no writer takes the ${what}`, { cause });
    this.what = what;
  }
}

/**
 * Asks the resolvers of an operation, and writes what they answer.
 * @param variables coerced
 * @throws {NotWritten}
 * @throws {PublicError} LIMIT_EXCEEDED, where that is too long
 */
export async function run(
  operation: Operation,
  variables: Variables,
  context: Context,
  logError: LogError,
): Promise<Told> {
  const writer = written('operation', () => operation.writer(variables));
  const run = new Run(context, variables);
  const data = await completed(writer, run);
  const errors = told(run.errors, data, logError);
  const before = errors.length > 0 ? `{"errors":${JSON.stringify(errors)},"data":` : '{"data":';
  return { body: written('value', () => textOf(writer.write, data, context, before, '}')), errors };
}

function written<Result>(what: Unwritable, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof PublicError) throw error;
    throw new NotWritten(what, error);
  }
}

/** The root of a query: its fields have resolvers. */
const ROOT = {};

/** @returns null where a field fails that may not be null */
async function completed({ complete }: TypeWriter, run: Run): Promise<unknown> {
  try {
    return complete ? await complete(ROOT, run, undefined) : ROOT;
  } catch (error) {
    run.errors.push(error as GraphQLError);
    return null;
  }
}

/** The same as graphql-js does it, which takes everything. @param variables as they were sent */
export async function runPlainly(
  { document }: Operation,
  variables: Variables,
  context: Context,
  logError: LogError,
): Promise<Told> {
  // Rows that were written are given away, so they are asked for anew.
  const contextValue = { ...context, load: gatheringLoaders(context.database) };
  const asked = { schema: graphSchema, document, contextValue, variableValues: variables };
  const { data = null, errors: failed = [] } = await execute(asked);
  const errors = told(failed, data, logError);
  const body = JSON.stringify(errors.length > 0 ? { errors, data } : { data });
  context.budget?.check(body.length);
  return { body, errors };
}

function told(errors: readonly GraphQLError[], data: unknown, logError: LogError): readonly GraphQLError[] {
  return errors.length === 0 ? errors : firstOfEachNull(publicErrors(errors, logError), data);
}
