import {
  createFinalURL,
  createQuerySerializer,
  defaultPathSerializer as pathSerializer,
} from 'openapi-fetch';
import { refusal, SightlineError } from './error.ts';
import { keeping } from './kept-answers.ts';
import { complete, type Fetch, type RetryOptions, retrying } from './retry.ts';
import type { Arguments, AuditEvent, Body, Options, Path } from './types.ts';

export interface ClientOptions extends RetryOptions {
  /** Where the service is: scheme, host and port, and the path that a proxy puts before it. */
  baseUrl: string;
  /** An API key: `svc_d_…` of a personal account, `svc_t_…` of a team. */
  key: string;
  /** Characters of all answers that are kept for `If-None-Match`; 8 Mi when left out, none with 0. */
  keep?: number;
  /** Instead of the global `fetch`. */
  fetch?: Fetch;
}

/** Reads what one account has. Methods throw a `SightlineError`, or the reason of an aborted signal. */
export interface Client {
  /**
   * Answers with the body of a documented path.
   * @param parameters of the path and of the query, by their names
   */
  get<P extends Path>(path: P, ...given: Arguments<P>): Promise<Body<P>>;
  /** Every event of the audit log, newest first; the next page is asked for when it is reached. */
  auditEvents(options?: AuditOptions): AsyncGenerator<AuditEvent, void>;
}

export interface AuditOptions extends Options {
  /** Events of a page, 1 to 1000; 1000 when left out. */
  pageSize?: number;
}

/** Lists are written with commas. */
const querySerializer = createQuerySerializer({ array: { style: 'form', explode: false } });

type Values = Record<string, unknown>;

export function createClient({ baseUrl, key, keep, fetch, ...retries }: ClientOptions): Client {
  const send = fetch ?? (request => globalThis.fetch(request));
  const ask = keeping(retrying(complete(send), retries), keep);

  function requestFor(path: string, parameters: Values = {}, { signal }: Options = {}): Request {
    const headers = { authorization: `Bearer ${key}` };
    const url = createFinalURL(path, {
      baseUrl: baseUrl.replace(/\/$/, ''),
      params: { path: parameters, query: queryOf(path, parameters) },
      querySerializer,
      pathSerializer,
    });
    return new Request(url, signal ? { headers, signal } : { headers });
  }

  async function get<P extends Path>(path: P, ...[parameters, options]: Arguments<P>): Promise<Body<P>> {
    const answer = await ask(requestFor(path, parameters as Values, options));
    const body = parsed(await answer.text());
    if (!answer.ok) throw refusal(answer, body);
    if (body === undefined) throw new SightlineError('The answer is no JSON', answer.status);
    return body as Body<P>;
  }

  async function* auditEvents({ pageSize = 1000, ...options }: AuditOptions = {}) {
    let cursor: string | null | undefined;
    do {
      const query = { limit: pageSize, ...(cursor && { cursor }) };
      const page: Body<'/v1/audit-log'> = await get('/v1/audit-log', query, options);
      yield* page.events;
      cursor = page.nextCursor;
    } while (cursor);
  }

  return { get, auditEvents };
}

/** Whatever the path has no place for. */
function queryOf(path: string, parameters: Values): Values {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !path.includes(`{${name}}`)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
