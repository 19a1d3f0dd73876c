import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';
import { preference } from '../http/preference.ts';
import type { Answer } from './executor.ts';

/** The answer's form before GraphQL over HTTP had its own: a refused query, too, is a 200. */
export const JSON_TYPE = 'application/json';
const GRAPHQL_TYPE = 'application/graphql-response+json';

export type MediaType = typeof JSON_TYPE | typeof GRAPHQL_TYPE;

/** Returns the type that the client prefers, or undefined. A client without a preference gets plain JSON. */
export function acceptedType(headers: IncomingHttpHeaders): MediaType | undefined {
  const accept = preference(headers.accept);
  if (accept === undefined || accept === '*/*') return JSON_TYPE;
  return new Negotiator({ headers: { accept } }).mediaType([JSON_TYPE, GRAPHQL_TYPE]) as
    | MediaType
    | undefined;
}

const JSON_CONTENT = /^application\/json *(; *charset="?utf-?8"? *)?$/i;

/** Tells whether a POST's body is JSON in UTF-8, the one form that is understood. */
export function isJsonContent({ 'content-type': contentType = '' }: IncomingHttpHeaders): boolean {
  return contentType === JSON_TYPE || JSON_CONTENT.test(contentType);
}

/** With plain JSON a 4xx could come from anything on the way, so there what GraphQL refuses is a 200. */
export function statusOf({ status }: Answer, type: MediaType): number {
  return type === JSON_TYPE && status === 400 ? 200 : status;
}
