import type { Header, Reference } from './types.ts';

const fixed = (value: string) => ({ schema: { type: 'string', const: value }, example: value });

/** Headers that not every response of their kind has. */
const OPTIONAL: ReadonlySet<string> = new Set([
  'Link',
  'Sightline-Cursor',
  'Sightline-Gap',
  'Retry-After-Poll',
]);

const DESCRIBED = {
  'X-Request-Id': {
    description: 'Names the request in the log of the service. One that was sent along is kept.',
    schema: { type: 'string', pattern: '^[\\w.:/+=@-]{1,128}$' },
    example: '2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11',
  },
  'X-Content-Type-Options': {
    description: 'The content type is the one that is declared.',
    ...fixed('nosniff'),
  },
  RateLimit: {
    description: "What is left of the key's window: `r` requests for `t` more seconds.",
    schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$' },
    example: '"default";r=118;t=42',
  },
  'RateLimit-Policy': {
    description: 'The limit: `q` requests in a window of `w` seconds.',
    schema: { type: 'string', pattern: '^"default";q=\\d+;w=\\d+$' },
    example: '"default";q=120;w=60',
  },
  ETag: {
    description: 'Changes whenever the answer may have changed. To be sent back as `If-None-Match`.',
    schema: { type: 'string', pattern: '^(W/)?"[\\x21\\x23-\\x7e]+"$' },
    example: 'W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"',
  },
  'Cache-Control': {
    description: 'A client may keep the answer, and asks with `If-None-Match` before it uses it again.',
    ...fixed('private, no-cache'),
  },
  'Cache-Control-Error': {
    description: 'Errors are not kept.',
    ...fixed('no-store'),
  },
  Vary: {
    description: 'The request headers that the answer depends on.',
    ...fixed('Authorization, Accept-Encoding'),
  },
  'Retry-After': {
    description: "Seconds until the key's window ends.",
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
  'WWW-Authenticate': {
    description: 'The scheme that is asked for; with `error="invalid_token"` when a token was sent.',
    schema: { type: 'string', pattern: '^Bearer realm="v1"(, error="invalid_token")?$' },
    example: 'Bearer realm="v1", error="invalid_token"',
  },
  Allow: { description: 'The one method there is.', ...fixed('GET') },
  'Vary-Export': {
    description: 'The request headers that an export depends on.',
    ...fixed('Authorization, Accept, Accept-Encoding'),
  },
  'Content-Disposition': {
    description: 'A name for the file.',
    schema: { type: 'string', pattern: '^attachment; filename="sightline-[\\w-]+\\.(ndjson|csv|json)"$' },
    example: 'attachment; filename="sightline-csp-2026-11-20.ndjson"',
  },
  Link: {
    description: 'With `after`: the address of what comes next, as `rel="next"` (RFC 8288).',
    schema: { type: 'string', pattern: '^</export/[^>]+>; rel="next"$' },
    example: '</export/reports/csp?after=MS5lM3I0LTktX3FhWjEuNDI>; rel="next"',
  },
  'Sightline-Cursor': {
    description: 'With `after`: the cursor to ask with next. It stays valid for ever.',
    schema: { type: 'string', pattern: '^[\\w-]+$' },
    example: 'MS5lM3I0LTktX3FhWjEuNDI',
  },
  'Sightline-Gap': {
    description: 'Reports behind the cursor were removed, or are not shown any more, because of their age.',
    ...fixed('true'),
  },
  'Retry-After-Poll': {
    description: 'With `after`, where nothing has come: seconds until it is worth asking again.',
    schema: { type: 'integer', minimum: 1 },
    example: 60,
  },
} satisfies Record<string, Omit<Header, 'required'>>;

type HeaderName = keyof typeof DESCRIBED;

/** The headers of responses, by the names of their components. */
export const HEADERS: Record<string, Header> = Object.fromEntries(
  Object.entries(DESCRIBED).map(([name, { description, ...rest }]) => [
    name,
    { description, required: !OPTIONAL.has(name), ...rest },
  ]),
);

/** Headers of a response: every response has the first two. */
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

/** The headers of a refusal, by its status. Behind the third door every response says what is left of the window. */
export function errorHeaders(status: string): Record<string, Reference> {
  switch (status) {
    case '401':
      return headers('Cache-Control-Error', 'WWW-Authenticate');
    case '405':
      return headers('Cache-Control-Error', 'Allow');
    case '429':
      return headers(...RATE, 'Cache-Control-Error', 'Retry-After');
    // It may have failed at the first doors already.
    case '500':
      return headers('Cache-Control-Error');
    default:
      return headers(...RATE, 'Cache-Control-Error');
  }
}
