import { type ErrorCode, isForLog, publicErrorIn, tooLong } from '../../schema/errors.ts';
import { Overdue } from './deadlines.ts';
import { JSON_TYPE, type Reply } from './reply.ts';

/** All refusals of the pipeline, with their status and public message. */
export const REFUSALS = {
  malformed: [400, 'Bad request'],
  malformedCoding: [400, 'The body is not compressed as Content-Encoding says'],
  unauthorized: [401, 'Unauthorized'],
  noPerson: [401, 'The proxy identified no user: sign in there, and open the page through it'],
  foreignAccount: [403, 'You have no access to this account: PAGE_LOGIN_ACCOUNTS defines the access'],
  foreignDocument: [
    403,
    'Signing in through the proxy allows only the documents of the page: use /graphql with a key',
  ],
  noAccounts: [
    403,
    'You are signed in, but have no access to any account: PAGE_LOGIN_ACCOUNTS defines the access',
  ],
  noApiAccess: [403, 'API access requires a Business plan or higher'],
  notFound: [404, 'Not found'],
  methodNotAllowed: [405, 'Method not allowed'],
  timedOut: [408, 'Request timeout'],
  bodyTooLarge: [413, 'Request body too large'],
  targetTooLong: [414, 'Request target too long'],
  unsupportedCoding: [415, 'Unsupported Content-Encoding: send gzip, deflate, br or none'],
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
  TIME_LIMIT_EXCEEDED: 503,
};

/** A request that the pipeline refuses. */
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

/**
 * The only function that builds an error response: `{"error": "…"}`.
 * @param isOfV1 whether to limit the status to those that `/v1` documents
 */
export function errorReply(error: unknown, isOfV1 = false): Reply {
  if (error instanceof Refusal) return failure(REFUSALS[error.refusal], error.headers);
  const refused = error instanceof Overdue ? tooLong() : publicErrorIn(error);
  if (!refused) return failure(REFUSALS.unforeseen);
  const { [refused.code]: status } = isOfV1 ? { ...STATUSES, TIME_LIMIT_EXCEEDED: 500 } : STATUSES;
  return failure([status, refused.message]);
}

/** Turns a page into the response for a path that does not exist. */
export function notFoundWith({ headers, body }: Reply): Reply {
  const [status] = REFUSALS.notFound;
  return { status, headers: { ...headers, 'Cache-Control': 'no-store', Vary: 'Accept' }, body };
}

/** Checks whether an error should be logged because clients see nothing or only part of it. */
export function isUnforeseen(error: unknown): boolean {
  return !(error instanceof Refusal) && isForLog(publicErrorIn(error));
}

function failure([status, message]: readonly [number, string], headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store', ...headers },
    body: JSON.stringify({ error: message }),
  };
}
