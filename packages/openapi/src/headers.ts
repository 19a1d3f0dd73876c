import type { OpenApiHeader, Reference } from './types.ts';

const fixed = (value: string) => ({ schema: { type: 'string', const: value }, example: value });

/** Headers that are missing in some responses of their kind. */
const OPTIONAL: ReadonlySet<string> = new Set([
  'Link',
  'Sightline-Cursor',
  'Sightline-Gap',
  'Retry-After-Poll',
]);

const DESCRIBED = {
  'X-Request-Id': {
    description: 'Identifies the request in the log of the service. If the client sends one, it is used.',
    schema: { type: 'string', pattern: '^[\\w.:/+=@-]{1,128}$' },
    example: '2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11',
  },
  'X-Content-Type-Options': {
    description: 'Prevents browsers from guessing the content type.',
    ...fixed('nosniff'),
  },
  RateLimit: {
    description: "The rest of the key's window: `r` requests in the next `t` seconds.",
    schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$' },
    example: '"default";r=118;t=42',
  },
  'RateLimit-Policy': {
    description: 'The limit: `q` requests in a window of `w` seconds.',
    schema: { type: 'string', pattern: '^"default";q=\\d+;w=\\d+$' },
    example: '"default";q=120;w=60',
  },
  ETag: {
    description: 'Changes whenever the response may have changed. Send it as `If-None-Match`.',
    schema: { type: 'string', pattern: '^(W/)?"[\\x21\\x23-\\x7e]+"$' },
    example: 'W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"',
  },
  'Cache-Control': {
    description:
      'A client can store the response, but must revalidate it with `If-None-Match` before using it again.',
    ...fixed('private, no-cache'),
  },
  'Cache-Control-Error': {
    description: 'Errors must not be stored.',
    ...fixed('no-store'),
  },
  Vary: {
    description: 'The request headers that affect the response.',
    ...fixed('Authorization, Accept-Encoding'),
  },
  'Retry-After': {
    description: "Seconds until the key's window ends.",
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
  'WWW-Authenticate': {
    description: 'The required scheme, with `error="invalid_token"` if a token was sent.',
    schema: { type: 'string', pattern: '^Bearer realm="v1"(, error="invalid_token")?$' },
    example: 'Bearer realm="v1", error="invalid_token"',
  },
  Allow: { description: 'The only allowed method.', ...fixed('GET') },
  'Vary-Export': {
    description: 'The request headers that affect an export.',
    ...fixed('Authorization, Accept, Accept-Encoding'),
  },
  'Content-Disposition': {
    description: 'A name for the file.',
    schema: { type: 'string', pattern: '^attachment; filename="sightline-[\\w-]+\\.(ndjson|csv|json)"$' },
    example: 'attachment; filename="sightline-csp-2026-11-20.ndjson"',
  },
  Link: {
    description: 'With `after`: the address of the next page, as `rel="next"` (RFC 8288).',
    schema: { type: 'string', pattern: '^<[^>]*/export/[^>]+>; rel="next"$' },
    example: '</export/reports/csp?after=MS5lM3I0LTktX3FhWjEuNDI>; rel="next"',
  },
  'Sightline-Cursor': {
    description: 'With `after`: the cursor for the next request. It never expires.',
    schema: { type: 'string', pattern: '^[\\w-]+$' },
    example: 'MS5lM3I0LTktX3FhWjEuNDI',
  },
  'Sightline-Gap': {
    description:
      'Reports that arrived after the cursor have been removed, or are no longer shown, because of their age.',
    ...fixed('true'),
  },
  'Retry-After-Poll': {
    description: 'With `after`, if there are no new records: seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 1 },
    example: 60,
  },
} satisfies Record<string, Omit<OpenApiHeader, 'required'>>;

type HeaderName = keyof typeof DESCRIBED;

/** The headers of responses, by component name. */
export const HEADERS: Record<string, OpenApiHeader> = Object.fromEntries(
  Object.entries(DESCRIBED).map(([name, { description, ...rest }]) => [
    name,
    { description, required: !OPTIONAL.has(name), ...rest },
  ]),
);

/** Refers to the headers of a response. All responses have the first two. */
function headers(...names: HeaderName[]): Record<string, Reference> {
  return Object.fromEntries(
    (['X-Request-Id', 'X-Content-Type-Options', ...names] as const).map(name => [
      name.replace(/-(Error|Export|Poll)$/, ''),
      { $ref: `#/components/headers/${name}` },
    ]),
  );
}

const RATE: HeaderName[] = ['RateLimit', 'RateLimit-Policy'];

export const SUCCESS_HEADERS = headers(...RATE, 'ETag', 'Cache-Control', 'Vary');

export const EXPORT_HEADERS = headers(
  ...RATE,
  'Cache-Control',
  'Vary-Export',
  'Content-Disposition',
  'Link',
  'Sightline-Cursor',
  'Sightline-Gap',
  'Retry-After-Poll',
);

/**
 * Returns the headers of a refusal, by status. Once the rate limit has been checked, responses include the remaining
 * requests.
 */
export function errorHeaders(status: string): Record<string, Reference> {
  switch (status) {
    case '401':
      return headers('Cache-Control-Error', 'WWW-Authenticate');
    case '405':
      return headers('Cache-Control-Error', 'Allow');
    case '429':
      return headers(...RATE, 'Cache-Control-Error', 'Retry-After');
    // The failure can precede the rate limit.
    case '500':
      return headers('Cache-Control-Error');
    default:
      return headers(...RATE, 'Cache-Control-Error');
  }
}
