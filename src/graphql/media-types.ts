import { MIMEType } from 'node:util';
import { preferredType } from '../http/negotiate.ts';
import type { HeaderValue } from '../http/reply.ts';

/** The media type used before GraphQL over HTTP. With it, the status of a refused query is 200. */
export const JSON_TYPE = 'application/json';
const GRAPHQL_TYPE = 'application/graphql-response+json';

const WHOLE = [JSON_TYPE, GRAPHQL_TYPE] as const;
const STREAMED = ['text/event-stream', 'multipart/mixed'] as const;

/** Types that contain only the result. */
export type WholeType = (typeof WHOLE)[number];
/** Types that frame several results. A query has a single one. */
export type StreamedType = (typeof STREAMED)[number];
export type ResponseType = WholeType | StreamedType;

export const RESPONSE_TYPES: readonly ResponseType[] = [...WHOLE, ...STREAMED];

/**
 * Returns the type that the client prefers, or undefined. Without a preference, a client gets plain JSON. As in Yoga,
 * framed types are used only if the client accepts nothing else.
 */
export function chooseResponseType(accept: HeaderValue): ResponseType | undefined {
  return preferredType<ResponseType>(accept, WHOLE) ?? preferredType<ResponseType>(accept, STREAMED);
}

export function isStreamed(type: ResponseType | undefined): type is StreamedType {
  return STREAMED.some(streamed => streamed === type);
}

/** ASCII is valid UTF-8. */
const UTF8 = /^(utf-?8|us-ascii)$/i;

/**
 * Media types of a request body. Yoga also reads `multipart/form-data` for uploads, which this schema does not have.
 */
export const BODY_TYPES = [
  JSON_TYPE,
  'application/graphql+json',
  'application/graphql',
  'application/x-www-form-urlencoded',
] as const;

export type BodyType = (typeof BODY_TYPES)[number];

/**
 * Returns the media type of a UTF-8 body, or undefined for any other encoding. Parameters other than the charset are
 * ignored.
 */
export function readBodyType(contentType: HeaderValue | null): BodyType | undefined {
  if (contentType == null) return undefined;
  try {
    // A proxy can join several headers.
    const { essence, params } = new MIMEType(String(contentType).split(',', 1)[0]!);
    return UTF8.test(params.get('charset') ?? 'utf-8')
      ? BODY_TYPES.find(type => type === essence)
      : undefined;
  } catch {
    return undefined;
  }
}
