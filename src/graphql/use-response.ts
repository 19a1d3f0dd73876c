import type { ExecutionResult } from 'graphql';
import { type Plugin, processRegularResult } from 'graphql-yoga';
import type { ServerContext } from './exchange.ts';
import { isStreamed, JSON_TYPE } from './media-types.ts';
import { toOutcome } from './outcome.ts';
import type { WrittenResult } from './use-executor.ts';

/** Responds in the media type that the client prefers, with the text from the executor. The handler frames it. */
export const useResponse = (): Plugin<object, ServerContext> => ({
  onResultProcess({ result, setResultProcessor, serverContext: { exchange } }) {
    const {
      body,
      errors = [],
      unwritten,
    } = result as ExecutionResult & Partial<Omit<WrittenResult, 'errors'>>;
    if (body !== undefined) exchange.body = body;
    exchange.outcome = toOutcome({ operation: exchange.operation, errors, unwritten });
    const { responseType = JSON_TYPE } = exchange;
    setResultProcessor(processRegularResult, isStreamed(responseType) ? JSON_TYPE : responseType);
  },
});
