import { type ErrorCode, publicErrorIn } from '../../schema/errors.ts';
import { JSON_TYPE, type Reply } from './reply.ts';

/** Every refusal of the doors, with its status and the text that the public gets. */
export const REFUSALS = {
  malformed: [400, 'Bad request'],
  unauthorized: [401, 'Unauthorized'],
  noApiAccess: [403, 'API access requires a Business plan or higher'],
  notFound: [404, 'Not found'],
  methodNotAllowed: [405, 'Method not allowed'],
  timedOut: [408, 'Request timeout'],
  bodyTooLarge: [413, 'Request body too large'],
  targetTooLong: [414, 'Request target too long'],
  tooManyRequests: [429, 'Too many requests'],
  headersTooLarge: [431, 'Request header fields too large'],
  unforeseen: [500, 'Internal server error'],
  unavailable: [503, 'Service unavailable'],
} as const satisfies Record<string, readonly [number, string]>;

export type RefusalName = keyof typeof REFUSALS;

const STATUSES: Record<ErrorCode, number> = {
  INVALID: 400,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  LIMIT_EXCEEDED: 400,
};

/** A door that stays shut. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly refusal: RefusalName;
  readonly headers: Record<string, string>;

  constructor(refusal: RefusalName, headers: Record<string, string> = {}) {
    super(REFUSALS[refusal][1]);
    this.refusal = refusal;
    this.headers = headers;
  }
}

/** The one place that makes an error response: `{"error": "…"}` and nothing else. */
export function errorReply(error: unknown): Reply {
  if (error instanceof Refusal) return failure(REFUSALS[error.refusal], error.headers);
  const refused = publicErrorIn(error);
  return refused ? failure([STATUSES[refused.code], refused.message]) : failure(REFUSALS.unforeseen);
}

/** A page for people, as the answer where nothing is. */
export function notFoundWith({ headers, body }: Reply): Reply {
  const [status] = REFUSALS.notFound;
  return { status, headers: { ...headers, 'Cache-Control': 'no-store', Vary: 'Accept' }, body };
}

/** Tells whether no client was meant to see it: it belongs into the log. */
export function isUnforeseen(error: unknown): boolean {
  return !(error instanceof Refusal) && publicErrorIn(error) === undefined;
}

function failure([status, message]: readonly [number, string], headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store', ...headers },
    body: JSON.stringify({ error: message }),
  };
}
