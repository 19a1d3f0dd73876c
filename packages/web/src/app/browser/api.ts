import type { TypedDocumentString } from './documents/documents.generated.ts';

/** The reason why a request failed, worded for the visitor. */
export class NoAnswer extends Error {
  readonly kind: 'unauthorized' | 'limited' | 'refused' | 'failed' | 'offline';
  /** When the request can be retried, in milliseconds since 1970; undefined if the service did not say. */
  readonly again: number | undefined;

  constructor(kind: NoAnswer['kind'], message: string, again?: number) {
    super(message);
    this.kind = kind;
    this.again = again;
  }
}

interface GraphQLError {
  message: string;
  extensions?: { code?: string };
}

interface Answer<Data> {
  data?: Data | null;
  errors?: GraphQLError[];
}

/** An API key or, if visitors sign in at a proxy, the id of the selected account. */
export type Key = string;

/** True if visitors sign in at a proxy that passes their identity to the service. */
export const isProxied =
  typeof document !== 'undefined' && document.documentElement.dataset.login === 'proxy';

/** The visitor, as identified by the sign-in proxy. */
export interface Visitor {
  user: string;
  accounts: { id: string; name: string }[];
  signOut: string | null;
}

/**
 * Requests the visitor's identity.
 * @throws {NoAnswer}
 */
export async function findVisitor(): Promise<Visitor> {
  return (await (await send('app/session', { method: 'GET' })).json().catch(broken)) as Visitor;
}

/** Matches the characters that a header can contain. A key with other characters is invalid. */
const SENDABLE = /^[\x21-\x7e]*$/;

/**
 * Sends a query to `/graphql`. Fields that the plan does not include are null in the response.
 * @throws {NoAnswer}
 */
export async function ask<Data, Variables>(
  key: Key,
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Data> {
  const body = JSON.stringify({ query: String(document), variables });
  const path = isProxied ? `app/graphql?account=${encodeURIComponent(key)}` : 'graphql';
  const response = await send(path, { method: 'POST', body, ...(signal && { signal }) }, key);
  const { data, errors = [] } = (await response.json().catch(broken)) as Answer<Data>;
  const wrong = errors.find(({ extensions }) => extensions?.code !== 'FORBIDDEN');
  if (wrong) throw new NoAnswer('refused', wrong.message);
  if (!data) throw new NoAnswer('refused', errors[0]?.message ?? 'The answer was empty.');
  return data;
}

/**
 * Exchanges the one-time code of a link for a key. Returns undefined if the code was already used.
 * @throws {NoAnswer}
 */
export async function redeem(code: string): Promise<Key | undefined> {
  const body = JSON.stringify({ code });
  const answer = send('app/sign-in', { method: 'POST', body }).catch(error => {
    if (error instanceof NoAnswer && error.kind === 'refused') return undefined;
    throw error;
  });
  return ((await (await answer)?.json()) as { key: Key } | undefined)?.key;
}

/**
 * Requests a file from `/export` and returns the response unread.
 * @throws {NoAnswer}
 */
export function download(key: Key, path: string): Promise<Response> {
  return send(path, { method: 'GET' }, key);
}

/** When each key can send its next request, from the rate limit in its last response. */
const nextTurns = new Map<Key, number>();

async function send(path: string, { body, ...init }: RequestInit, key: Key = ''): Promise<Response> {
  if (!SENDABLE.test(key)) throw new NoAnswer('unauthorized', 'A key contains only letters, digits and _.');
  const next = nextTurns.get(key) ?? 0;
  if (Date.now() < next) throw createRateLimitError(next);
  const headers = {
    ...(key && !isProxied && { Authorization: `Bearer ${key}` }),
    ...(body && { 'Content-Type': 'application/json' }),
  };
  let response: Response;
  try {
    const sent = { ...init, headers, ...(body && { body }) };
    response = await fetch(path, {
      ...sent,
      credentials: isProxied ? 'same-origin' : 'omit',
      cache: 'no-store',
    });
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw new NoAnswer('offline', 'The service cannot be reached.');
  }
  nextTurns.set(key, nextTurn(response.headers.get('ratelimit')));
  if (response.ok) return response;
  throw await refusal(response);
}

/**
 * Returns the start of the next rate limit window, from a header such as `"default";r=0;t=12`
 * (draft-ietf-httpapi-ratelimit-headers), or 0 if the key has requests left.
 */
function nextTurn(rateLimit: string | null): number {
  const [, left, seconds] = /;r=(\d+);t=(\d+)/.exec(rateLimit ?? '') ?? [];
  return left === '0' ? Date.now() + Number(seconds) * 1000 : 0;
}

function createRateLimitError(again: number): NoAnswer {
  return new NoAnswer('limited', 'Too many requests with this key.', again);
}

async function refusal(response: Response): Promise<NoAnswer> {
  const { status, headers } = response;
  if (status === 401)
    return new NoAnswer(
      'unauthorized',
      isProxied
        ? 'Your sign-in at the proxy has ended. Load the page again to sign in.'
        : 'This key is unknown or no longer valid.',
    );
  if (status === 429) {
    const wait = Number(headers.get('retry-after') ?? 10);
    return createRateLimitError(Date.now() + wait * 1000);
  }
  const { error } = (await response.json().catch(() => ({}))) as { error?: string };
  if (status < 500) return new NoAnswer('refused', error ?? `The service answered ${status}.`);
  const id = headers.get('x-request-id');
  return new NoAnswer(
    'failed',
    `The service failed (${status}).${id ? ` Request id in its log: ${id}.` : ''}`,
  );
}

function broken(): never {
  throw new NoAnswer('failed', 'The answer was cut off, or did not come from this service.');
}
