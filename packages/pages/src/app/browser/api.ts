import type { TypedDocumentString } from './documents/documents.generated.ts';

/** Why there is no answer, in words for the visitor. */
export class NoAnswer extends Error {
  readonly kind: 'unauthorized' | 'limited' | 'refused' | 'failed' | 'offline';
  /** When to ask again, in milliseconds since 1970; where that is known. */
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

export type Key = string;

/** The characters that a header can hold. A key with others is none. */
const SENDABLE = /^[\x21-\x7e]*$/;

/**
 * Asks `/graphql`. Fields that the plan does not include are null in the answer.
 * @throws {NoAnswer}
 */
export async function ask<Data, Variables>(
  key: Key,
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Data> {
  const body = JSON.stringify({ query: String(document), variables });
  const response = await send('graphql', { method: 'POST', body, ...(signal && { signal }) }, key);
  const { data, errors = [] } = (await response.json().catch(broken)) as Answer<Data>;
  const wrong = errors.find(({ extensions }) => extensions?.code !== 'FORBIDDEN');
  if (wrong) throw new NoAnswer('refused', wrong.message);
  if (!data) throw new NoAnswer('refused', errors[0]?.message ?? 'The answer was empty.');
  return data;
}

/**
 * Changes the one-time code of a link into a key; undefined where it was used already.
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
 * A file of `/export`, as it comes.
 * @throws {NoAnswer}
 */
export function download(key: Key, path: string): Promise<Response> {
  return send(path, { method: 'GET' }, key);
}

/** When the service takes requests of a key again, as its last answer said. */
const nextTurns = new Map<Key, number>();

async function send(path: string, { body, ...init }: RequestInit, key: Key = ''): Promise<Response> {
  if (!SENDABLE.test(key)) throw new NoAnswer('unauthorized', 'A key has letters, digits and _ alone.');
  const next = nextTurns.get(key) ?? 0;
  if (Date.now() < next) throw limited(next);
  const headers = {
    ...(key && { Authorization: `Bearer ${key}` }),
    ...(body && { 'Content-Type': 'application/json' }),
  };
  let response: Response;
  try {
    const sent = { ...init, headers, ...(body && { body }) };
    response = await fetch(path, { ...sent, credentials: 'omit', cache: 'no-store' });
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw new NoAnswer('offline', 'The service cannot be reached.');
  }
  nextTurns.set(key, nextTurn(response.headers.get('ratelimit')));
  if (response.ok) return response;
  throw await refusal(response);
}

/** The instant of the next window, from `"default";r=0;t=12` (draft-ietf-httpapi-ratelimit-headers); 0 for now. */
function nextTurn(rateLimit: string | null): number {
  const [, left, seconds] = /;r=(\d+);t=(\d+)/.exec(rateLimit ?? '') ?? [];
  return left === '0' ? Date.now() + Number(seconds) * 1000 : 0;
}

function limited(again: number): NoAnswer {
  return new NoAnswer('limited', 'Too many requests with this key.', again);
}

async function refusal(response: Response): Promise<NoAnswer> {
  const { status, headers } = response;
  if (status === 401)
    return new NoAnswer('unauthorized', 'This key is not known here, or not good any more.');
  if (status === 429) {
    const wait = Number(headers.get('retry-after') ?? 10);
    return limited(Date.now() + wait * 1000);
  }
  const { error } = (await response.json().catch(() => ({}))) as { error?: string };
  if (status < 500) return new NoAnswer('refused', error ?? `The service answered ${status}.`);
  const id = headers.get('x-request-id');
  return new NoAnswer('failed', `The service failed (${status}).${id ? ` Its log has it as ${id}.` : ''}`);
}

function broken(): never {
  throw new NoAnswer('failed', 'The answer broke off, or is not of this service.');
}
