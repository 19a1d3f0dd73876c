import { execute, type GraphQLError } from 'graphql';
import type { Context } from '../../schema/context.ts';
import { PublicError } from '../../schema/errors.ts';
import { graphSchema } from '../../schema/index.ts';
import { gatheringLoaders } from '../../schema/loaders.ts';
import type { Json, TypeWriter } from '../executor/json.ts';
import { Execution } from '../executor/run.ts';
import { toText, toTextInTurns } from '../executor/type-writer.ts';
import { firstOfEachNull, type LogError, publicErrors } from './errors.ts';
import type { PreparedOperation, Variables } from './operation.ts';

/** A response body, and the errors in it. */
export interface WrittenAnswer {
  body: Json;
  errors: readonly GraphQLError[];
}

/** Why the executor cannot write the result: the form of the operation, or a value that does not match its type. */
export type Unwritable = 'operation' | 'value';

/** Thrown to let `runPlainly` execute the operation instead. */
export class NotWritten extends Error {
  readonly what: Unwritable;

  constructor(what: Unwritable, cause: unknown) {
    super(`no writer takes the ${what}`, { cause });
    this.what = what;
  }
}

/**
 * Runs the resolvers of an operation and writes their results.
 * @param variables coerced
 * @throws {NotWritten}
 * @throws {PublicError} LIMIT_EXCEEDED if the response is too long
 */
export async function run(
  operation: PreparedOperation,
  variables: Variables,
  context: Context,
  logError: LogError,
): Promise<WrittenAnswer> {
  const writer = tryWrite('operation', () => operation.writer(variables));
  const run = new Execution(context, variables);
  const data = await completed(writer, run);
  const errors = reportErrors(run.errors, data, logError);
  const before = errors.length > 0 ? `{"errors":${JSON.stringify(errors)},"data":` : '{"data":';
  const read = (context.budget?.read ?? 0) + measurePlan(context);
  if (run.items > ITEMS_IN_A_TURN || read > READ_IN_A_TURN) {
    try {
      return { body: await toTextInTurns(writer, data, context, before, '}'), errors };
    } catch (error) {
      throw toUnwritable('value', error);
    }
  }
  return { body: tryWrite('value', () => toText(writer.write, data, context, before, '}')), errors };
}

/**
 * The number of row bytes and items from which a response is written in several turns; each alias of a list writes them
 * again.
 */
const READ_IN_A_TURN = 128 * 1024;
const ITEMS_IN_A_TURN = 500;

/** Characters of the plan's lists, which was read when the request was authenticated. */
function measurePlan({ account }: Context): number {
  let characters = 0;
  for (const feature of Object.values(account?.plan?.features ?? {}))
    if (typeof feature === 'object') for (const { length } of feature) characters += length;
  return characters;
}

function toUnwritable(what: Unwritable, error: unknown): unknown {
  return error instanceof PublicError ? error : new NotWritten(what, error);
}

function tryWrite<Result>(what: Unwritable, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw toUnwritable(what, error);
  }
}

/** The root of a query: its fields have resolvers. */
const ROOT = {};

/** @returns null if a non-null field fails */
async function completed({ complete }: TypeWriter, run: Execution): Promise<unknown> {
  try {
    return complete ? await complete(ROOT, run, undefined) : ROOT;
  } catch (error) {
    run.errors.push(error as GraphQLError);
    return null;
  }
}

/** Executes the operation with graphql-js, which supports every form. @param variables as sent */
export async function runPlainly(
  { document }: PreparedOperation,
  variables: Variables,
  context: Context,
  logError: LogError,
): Promise<WrittenAnswer> {
  // The rows were consumed by the writer, so they are read again.
  const contextValue = { ...context, load: gatheringLoaders(context.database) };
  const args = { schema: graphSchema, document, contextValue, variableValues: variables };
  const { data = null, errors: failed = [] } = await execute(args);
  const errors = reportErrors(failed, data, logError);
  const body = JSON.stringify(errors.length > 0 ? { errors, data } : { data });
  context.budget?.check(body.length);
  return { body, errors };
}

function reportErrors(
  errors: readonly GraphQLError[],
  data: unknown,
  logError: LogError,
): readonly GraphQLError[] {
  return errors.length === 0 ? errors : firstOfEachNull(publicErrors(errors, logError), data);
}
