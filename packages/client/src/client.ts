import {
  createFinalURL,
  createQuerySerializer,
  defaultPathSerializer as pathSerializer,
} from 'openapi-fetch';
import { refusal, retryAfter, SightlineError, sound } from './error.ts';
import { keeping } from './kept-answers.ts';
import { records } from './records.ts';
import { complete, type Fetch, pause, type RetryOptions, retrying } from './retry.ts';
import type {
  Arguments,
  Arrivals,
  AuditEvent,
  Body,
  Exactly,
  ExportParameters,
  ExportPath,
  ExportRecord,
  Options,
  Path,
} from './types.ts';

export interface ClientOptions extends RetryOptions {
  /** The address of the service: scheme, host and port, and the path that a proxy puts before it. */
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
  /**
   * Every record that fits, of one state of the data, as it is read: it needs no more memory than a record. One that
   * breaks off throws.
   */
  export<P extends ExportPath, const G extends ExportParameters<P>>(
    path: P,
    parameters: Exactly<ExportParameters<P>, G>,
    options?: Options,
  ): AsyncGenerator<ExportRecord<P, G>, void>;
  /**
   * Yields the records behind a cursor, page by page, in the order in which they came. It ends with a page without
   * records, or goes on asking when the service says so, with `follow`.
   */
  arrivals<P extends ExportPath, const G extends ExportParameters<P>>(
    path: P,
    parameters: Exactly<ExportParameters<P>, G>,
    options?: ArrivalOptions,
  ): AsyncGenerator<Arrivals<ExportRecord<P, G>>, void>;
}

export interface ArrivalOptions extends Options {
  /** A cursor; `now` for none but what comes; from the oldest when left out. */
  after?: string;
  /** Records of a page, 1 to 10,000; 1000 when left out. */
  pageSize?: number;
  /** True waits for the next records. */
  follow?: boolean;
}

export interface AuditOptions extends Options {
  /** Events of a page, 1 to 1000; 1000 when left out. */
  pageSize?: number;
}

/** Lists are written with commas. */
const querySerializer = createQuerySerializer({ array: { style: 'form', explode: false } });

/** Milliseconds until what is followed is asked for again, where the service does not say. */
const POLL = 60_000;

type Values = Record<string, unknown>;

/** @throws {SightlineError} for an address or a key that is none */
export function createClient({ baseUrl, key, keep, fetch, ...retries }: ClientOptions): Client {
  const send = fetch ?? (request => globalThis.fetch(request));
  const retried = retrying(retries);
  const [stream, askOnce] = [retried(send), retried(complete(send))];
  const ask = keeping(askOnce, keep);

  const base = sound(() => baseOf(baseUrl), `baseUrl is no address of a service: ${String(baseUrl)}`);
  const headers = sound(() => authorizationOf(key), 'key is no API key');

  function requestFor(path: string, parameters: Values = {}, { signal }: Options = {}): Request {
    const url = createFinalURL(path, {
      baseUrl: base,
      params: { path: parameters, query: queryOf(path, parameters) },
      querySerializer,
      pathSerializer,
    });
    return new Request(url, signal ? { headers, signal } : { headers });
  }

  async function get<P extends Path>(path: P, ...[parameters, options]: Arguments<P>): Promise<Body<P>> {
    return (await bodyOf(await ask(requestFor(path, parameters as Values, options)))) as Body<P>;
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

  async function* exported(path: string, parameters: object, options: Options = {}) {
    const request = requestFor(path, { ...parameters, format: 'ndjson' }, options);
    const answer = await stream(request);
    if (!answer.ok) await bodyOf(answer);
    yield* records(answer, request.signal);
  }

  async function* arrivals(path: string, parameters: object, options: ArrivalOptions = {}) {
    const { after = '', pageSize: limit = 1000, follow = false, ...own } = options;
    for (let cursor = after; ; ) {
      const request = requestFor(path, { ...parameters, format: 'json', after: cursor, limit }, own);
      const answer = await askOnce(request);
      const records = (await bodyOf(answer)) as unknown[];
      cursor = answer.headers.get('sightline-cursor') ?? cursor;
      yield { records, cursor, gap: answer.headers.get('sightline-gap') === 'true' };
      if (records.length > 0) continue;
      if (!follow) return;
      await pause(retryAfter(answer.headers) ?? POLL, request.signal);
    }
  }

  return { get, auditEvents, export: exported, arrivals } as Client;
}

/** Without a slash at its end. @throws {Error} for what is no address by HTTP */
function baseOf(text: string): string {
  const { protocol } = new URL(text);
  if (!/^https?:$/.test(protocol)) throw new Error(`${protocol} is not spoken`);
  return text.replace(/\/$/, '');
}

/** @throws {Error} for what cannot stand in a header */
function authorizationOf(key: string): Record<string, string> {
  if (!/^\S+$/.test(key ?? '')) throw new Error('a key has no spaces');
  const headers = { authorization: `Bearer ${key}` };
  new Headers(headers);
  return headers;
}

/** @throws {SightlineError} where it is a refusal, or no JSON */
async function bodyOf(answer: Response): Promise<unknown> {
  const body = parsed(await answer.text());
  if (!answer.ok) throw refusal(answer, body);
  if (body === undefined) throw new SightlineError('The answer is no JSON', answer.status);
  return body;
}

/** Parameters that have no place in the path. */
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
