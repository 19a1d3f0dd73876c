import { GraphQLError } from 'graphql';
import { createYoga, type YogaServerInstance } from 'graphql-yoga';
import { graphSchema } from '../../schema/index.ts';
import { createRequestError, internalError, type LogError } from './errors.ts';
import type { ServerContext } from './exchange.ts';
import { useExecutor } from './use-executor.ts';
import { useRequestReader } from './use-request-reader.ts';
import { useResponse } from './use-response.ts';
import { type AcceptedDocuments, useTrustedDocuments } from './use-trusted-documents.ts';

export type Yoga = YogaServerInstance<ServerContext, object>;

export interface YogaSettings {
  /** Called with failures outside of an operation. */
  logError: LogError;
  documents: AcceptedDocuments;
}

export function createGraphQLYoga({ logError, documents }: YogaSettings): Yoga {
  return createYoga<ServerContext>({
    schema: graphSchema,
    plugins: [useRequestReader(), ...useTrustedDocuments(documents), useExecutor(), useResponse()],
    maskedErrors: { maskError: error => maskError(error, logError) },
    // The server limits bodies before Yoga.
    maxRequestBodySize: false,
    batching: false,
    multipart: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    parserAndValidationCache: false,
    // Yoga's health check responds to every path that ends like this, and no path ends in a space.
    healthCheckEndpoint: ' ',
  });
}

function maskError(error: unknown, logError: LogError): GraphQLError {
  // Yoga's parser throws this for a GET.
  if (error instanceof SyntaxError) return createRequestError('variables and extensions must be JSON.');
  if (!(error instanceof GraphQLError)) {
    logError(error);
    return internalError();
  }
  const { code, http } = error.extensions as { code?: unknown; http?: YogaHttp };
  // Yoga responds to some unreadable requests with 200. Here they get 400 for every media type.
  return code === 'BAD_REQUEST' ? createRequestError(error.message, http?.status, http?.headers) : error;
}

interface YogaHttp {
  status?: number;
  headers?: Record<string, string>;
}
