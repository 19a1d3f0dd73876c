import { beginTurn, isTurnOver } from '@sightline/csp';
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import { PublicError } from '../../schema/errors.ts';
import { Overdue } from '../http/deadlines.ts';
import { Documents } from './documents.ts';
import { createTimeLimitError, internalError, refusePublicly } from './errors.ts';
import type { Exchange, ServerContext } from './exchange.ts';
import { chooseOperation, type PreparedOperation, type Variables } from './operation.ts';
import { NotWritten, run, runPlainly, type Unwritable, type WrittenAnswer } from './run.ts';

/** The result of an operation as text, which Yoga must not serialize again. */
export interface WrittenResult extends WrittenAnswer {
  /** Why graphql-js executed the operation; undefined if it did not. */
  unwritten?: Unwritable;
  /** Yoga's result processor calls this; nothing is returned, because `body` is sent. */
  stringify(): string;
}

/**
 * Replaces Yoga's engine: documents are parsed, validated and measured once per text, and compiled writers execute
 * operations.
 */
export function useExecutor(): Plugin<object, ServerContext> {
  const documents = new Documents();
  return {
    onParse({ params: { source }, context, setParsedDocument }) {
      const { exchange, params } = context as YogaInitialContext & ServerContext;
      const prepared = documents.get(String(source));
      if ('errors' in prepared) throw new AggregateError(prepared.errors);
      const operation = chooseOperation(prepared.operations, params.operationName);
      if (operation instanceof GraphQLError) throw operation;
      exchange.operation = operation;
      setParsedDocument(operation.document);
    },
    // Documents have been validated while parsing.
    onValidate: ({ setResult }) => setResult([]),
    onExecute: ({ setExecuteFn }) => setExecuteFn(execute),
  };
}

async function execute({ contextValue }: ExecutionArgs): Promise<ExecutionResult | WrittenResult> {
  const { exchange, params } = contextValue as YogaInitialContext & ServerContext;
  try {
    const result = executeOperation(exchange.operation!, params.variables ?? {}, exchange);
    return await exchange.inTime(result);
  } catch (error) {
    if (error instanceof PublicError) return { errors: [refusePublicly(error)] };
    exchange.logError(error);
    return { errors: [error instanceof Overdue ? createTimeLimitError() : internalError()] };
  }
}

/** @throws {PublicError} LIMIT_EXCEEDED if the response is too long */
async function executeOperation(
  operation: PreparedOperation,
  variables: Variables,
  { context, logError }: Exchange,
): Promise<ExecutionResult | WrittenResult> {
  if (isTurnOver()) await beginTurn();
  const read = operation.read(variables);
  if ('errors' in read) return { errors: read.errors };
  try {
    return toResult(await run(operation, read.values, context, logError));
  } catch (error) {
    if (!(error instanceof NotWritten)) throw error;
    return toResult(await runPlainly(operation, variables, context, logError), error.what);
  }
}

const toResult = ({ body, errors }: WrittenAnswer, unwritten?: Unwritable): WrittenResult => ({
  body,
  errors,
  stringify: () => '',
  ...(unwritten && { unwritten }),
});
