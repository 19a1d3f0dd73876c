import {
  type Client,
  createClient,
  type RetryOptions,
  SightlineError,
  type TypedDocument,
} from '@sightline/client';
import { onOneLine } from '../terminal/one-line.ts';

/** A tool's connection to one account of a running service. Its methods throw a `SightlineError`. */
export interface ServiceConnection {
  client: Client;
  /** Sends a query and returns the data of the key's account. */
  ask<Result extends { viewer: unknown }, Variables extends object>(
    document: TypedDocument<Result, Variables>,
    variables: Variables,
  ): Promise<NonNullable<Result['viewer']>>;
  /** Returns the service's time, based on its last response, because the local clock may be wrong. */
  now(): Date;
  /** Returns the URL of a view of the page. */
  link(place: string, params?: Record<string, string>): string;
}

/**
 * Time limit of an attempt in milliseconds, except for streams, which the client limits. The service's own time limit is
 * shorter.
 */
const LIMIT = 30_000;

/**
 * Connects to a service.
 * @param url the URL of the service, without a trailing slash
 * @param key the account's key
 */
export function connect(url: string, key: string, retries: RetryOptions = {}): ServiceConnection {
  let ahead = 0;

  async function send(request: Request): Promise<Response> {
    // Compression is disabled for a service on the same machine, because it takes longer than it saves.
    if (isHere(request.url)) request.headers.set('accept-encoding', 'identity');
    const limit = new AbortController();
    const timer = setTimeout(
      () => limit.abort(new DOMException('The request timed out', 'TimeoutError')),
      LIMIT,
    );
    timer.unref();
    const answer = await fetch(request, { signal: AbortSignal.any([request.signal, limit.signal]) });
    if (answer.headers.get('content-type')?.startsWith('multipart/')) clearTimeout(timer);
    ahead = (Date.parse(answer.headers.get('date') ?? '') || Date.now()) - Date.now();
    return answer;
  }

  const client = createClient({ baseUrl: url, key, keep: 0, fetch: send, ...retries });
  return {
    client,
    async ask(document, variables) {
      const { viewer } = await client.graphql(document, variables);
      if (!viewer)
        throw new SightlineError('This needs the key of an account: an internal token has none', 0);
      return viewer;
    },
    now: () => new Date(Date.now() + ahead),
    link(place, params = {}) {
      const query = new URLSearchParams(params).toString();
      return `${url}/app#/${place}${query && `?${query}`}`;
    },
  };
}

const isHere = (url: string) => /^https?:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?:[:/]|$)/.test(url);

/** Maximum length of an error message in characters. The message can come from a proxy. */
const LONGEST_MESSAGE = 300;

/** Describes a failed request in one line. */
export function describeServiceError({ status, message }: SightlineError): string {
  const text = onOneLine(message.slice(0, LONGEST_MESSAGE));
  if (status < 400) return text;
  // If the service sent no text, the message is the status.
  return text.startsWith('HTTP ')
    ? `The service answers ${text}`
    : `The service responded with ${status}: ${text}`;
}
