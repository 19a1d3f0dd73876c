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

/**
 * Asks `/graphql`. What the plan does not include is null in the answer.
 * @throws {NoAnswer}
 */
export async function ask<Data, Variables>(
  key: Key,
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Data> {
  const response = await send('graphql', {
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: String(document), variables }),
    ...(signal && { signal }),
  });
  const { data, errors = [] } = (await response.json().catch(broken)) as Answer<Data>;
  const wrong = errors.find(({ extensions }) => extensions?.code !== 'FORBIDDEN');
  if (wrong) throw new NoAnswer('refused', wrong.message);
  if (!data) throw new NoAnswer('refused', errors[0]?.message ?? 'The answer was empty.');
  return data;
}

/** Changes the one-time code of a link into a key; undefined where it was used already. */
export async function redeem(code: string): Promise<Key | undefined> {
  const body = JSON.stringify({ code });
  const answer = send('app/sign-in', { headers: { 'Content-Type': 'application/json' }, body });
  const response = await answer.catch(() => undefined);
  return ((await response?.json()) as { key: Key } | undefined)?.key;
}

/**
 * A file of `/export`, whole.
 * @throws {NoAnswer}
 */
export async function download(key: Key, path: string): Promise<Blob> {
  const response = await send(path, { method: 'GET', headers: { Authorization: `Bearer ${key}` } });
  return response.blob().catch(broken);
}

async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { method: 'POST', credentials: 'omit', cache: 'no-store', ...init });
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw new NoAnswer('offline', 'The service cannot be reached.');
  }
  if (response.ok) return response;
  throw await refusal(response);
}

async function refusal(response: Response): Promise<NoAnswer> {
  const { status, headers } = response;
  if (status === 401)
    return new NoAnswer('unauthorized', 'This key is not known here, or not good any more.');
  if (status === 429) {
    const wait = Number(headers.get('retry-after') ?? 10);
    return new NoAnswer('limited', 'Too many requests with this key.', Date.now() + wait * 1000);
  }
  const { error } = (await response.json().catch(() => ({}))) as { error?: string };
  if (status < 500) return new NoAnswer('refused', error ?? `The service answered ${status}.`);
  const id = headers.get('x-request-id');
  return new NoAnswer('failed', `The service failed (${status}).${id ? ` Its log has it as ${id}.` : ''}`);
}

function broken(): never {
  throw new NoAnswer('failed', 'The answer broke off.');
}
