import {
  createFinalURL,
  createQuerySerializer,
  defaultPathSerializer as pathSerializer,
} from 'openapi-fetch';
import { keeping } from './answer-cache.ts';
import { lost, refusal, SightlineError, sound } from './error.ts';
import { createGraphQL, type SendGraphQL } from './graphql.ts';
import { type ExportPage, type LoadPages, type PageOptions, readPages } from './pages.ts';
import { type ResponsePart, readParts } from './parts.ts';
import { records } from './records.ts';
import { complete, type Fetch, type RetryOptions, retrying } from './retry.ts';
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
  /** The address of the service: scheme, host and port, and the path prefix of a proxy. */
  baseUrl: string;
  /** An API key: `svc_d_…` of a personal account, `svc_t_…` of a team. */
  key: string;
  /** Size of the cache for `If-None-Match`, in characters; 8 Mi by default, 0 disables it. */
  keep?: number;
  /** A replacement for the global `fetch`. */
  fetch?: Fetch;
}

/** Reads the data of one account. Methods throw a `SightlineError`, or the reason of an aborted signal. */
export interface Client {
  /**
   * Returns the body of a documented path.
   * @param parameters of the path and of the query, by their names
   */
  get<P extends Path>(path: P, ...given: Arguments<P>): Promise<Body<P>>;
  /** Returns every event of the audit log, newest first; further pages are requested on demand. */
  auditEvents(options?: AuditOptions): AsyncGenerator<AuditEvent, void>;
  /**
   * Streams all matching records of one snapshot, with the memory of a single record. Throws if the stream is
   * truncated.
   */
  export<P extends ExportPath, const G extends ExportParameters<P>>(
    path: P,
    parameters: Exactly<ExportParameters<P>, G>,
    options?: Options,
  ): AsyncGenerator<ExportRecord<P, G>, void>;
  /**
   * Yields the records after a cursor, page by page, in load order. Ends with a page without records; with `follow` it
   * keeps polling when the service says so.
   */
  arrivals<P extends ExportPath, const G extends ExportParameters<P>>(
    path: P,
    parameters: Exactly<ExportParameters<P>, G>,
    options?: PageOptions,
  ): AsyncGenerator<Arrivals<ExportRecord<P, G>>, void>;
  /**
   * Returns the same pages in the service's own text, for writing to files; see `arrivals`. Filters can come from a
   * user.
   */
  pages(
    path: ExportPath,
    parameters: object | URLSearchParams,
    options?: ExportFileOptions,
  ): AsyncGenerator<ExportPage, void>;
  /**
   * Sends a query to `/graphql`, and returns its `data`. Throws for an error of any field, unless its code is allowed.
   * @param document a typed document of `@sightline/client/graphql` or of your own generator, or a text
   */
  graphql: SendGraphQL;
}

export interface ExportFileOptions extends PageOptions {
  /** Default: NDJSON. */
  format?: 'ndjson' | 'csv' | 'json';
}

export interface AuditOptions extends Options {
  /** The number of events per page, 1 to 1000; 1000 by default. */
  pageSize?: number;
}

/** Maximum number of records per page. */
const LARGEST_PAGE = 10_000;

/** Lists are serialized with commas. */
const querySerializer = createQuerySerializer({ array: { style: 'form', explode: false } });

type Values = Record<string, unknown>;

/** With the first media type, refused queries have a status of their own. */
const GRAPHQL_HEADERS = {
  accept: 'application/graphql-response+json, application/json;q=0.9',
  'content-type': 'application/json',
};

/** @throws {SightlineError} for an invalid address or key */
export function createClient({ baseUrl, key, keep, fetch, ...retries }: ClientOptions): Client {
  const send = fetch ?? (request => globalThis.fetch(request));
  const retried = retrying(retries);
  const [stream, askOnce] = [retried(send), retried(complete(send))];
  const ask = keeping(askOnce, keep);

  const base = sound(() => toBaseUrl(baseUrl), `baseUrl is not the URL of a service: ${String(baseUrl)}`);
  const headers = sound(() => toAuthorization(key), 'key is not an API key');

  /** @param own parameters of the client */
  function requestFor(path: string, parameters: Values = {}, { signal }: Options = {}, own: Values = {}) {
    const isText = parameters instanceof URLSearchParams;
    const values = isText ? own : { ...parameters, ...own };
    const url = createFinalURL(path, {
      baseUrl: base,
      params: { path: values, query: toQuery(path, values) },
      querySerializer: query => querySerializer(query) + (isText ? `&${parameters}` : ''),
      pathSerializer,
    });
    return toRequest(url, {}, signal);
  }

  /** Redirects are not followed, because the key must be sent only to this service. */
  function toRequest(url: string, init: RequestInit, signal: AbortSignal | undefined): Request {
    const all = { ...init, headers: { ...headers, ...init.headers }, redirect: 'manual' } as const;
    return new Request(url, signal ? { ...all, signal } : all);
  }

  async function get<P extends Path>(path: P, ...[parameters, options]: Arguments<P>): Promise<Body<P>> {
    return (await readBody(await ask(requestFor(path, parameters as Values, options)))) as Body<P>;
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
    if (!answer.ok) await readBody(answer);
    yield* records(answer, request);
  }

  function pages(path: string, parameters: object | URLSearchParams, options: ExportFileOptions = {}) {
    const { format = 'ndjson', pageSize, ...own } = options;
    const limit = pageSize ?? LARGEST_PAGE;
    const load: LoadPages = (after, signal) => {
      const request = requestFor(path, parameters as Values, { signal }, { format, after, limit });
      if (pageSize === undefined) request.headers.set('accept', 'multipart/mixed, */*');
      return loadParts(request);
    };
    return readPages(load, own);
  }

  /** Yields the parts of a response. If it ends early, the caller continues after the last part. */
  async function* loadParts(request: Request): AsyncGenerator<ResponsePart, void> {
    let parts: AsyncGenerator<ResponsePart, void> | undefined;
    let first: ResponsePart | undefined;
    const ask = retried(async request => {
      const answer = await send(request);
      // The first part is read here, so that an empty response is requested again.
      if (answer.ok) {
        parts = readParts(answer);
        first = (await parts.next()).value!;
      }
      return answer;
    });
    const answer = await ask(request);
    if (!answer.ok) await readBody(answer);
    try {
      yield first!;
      yield* parts!;
    } catch (error) {
      const failure = lost(error, request.signal, request.url);
      if (request.signal.aborted || retries.retries === 0) throw failure;
      retries.onRetry?.(failure as SightlineError, 1);
    }
  }

  async function* arrivals(path: string, parameters: object, options: PageOptions = {}) {
    for await (const { chunks, cursor, gap } of pages(path, parameters, { ...options, format: 'json' })) {
      yield { records: readRecords(chunks), cursor, gap };
    }
  }

  const graphql = createGraphQL((body, { signal }) => {
    const init = { method: 'POST', headers: GRAPHQL_HEADERS, body: JSON.stringify(body) };
    return askOnce(toRequest(`${base}/graphql`, init, signal));
  });

  return { get, auditEvents, export: exported, arrivals, pages, graphql } as Client;
}

/**
 * Without a trailing slash.
 * @throws {Error} for anything but an HTTP address
 */
function toBaseUrl(text: string): string {
  const { protocol } = new URL(text);
  if (!/^https?:$/.test(protocol)) throw new Error(`${protocol} is not spoken`);
  return text.replace(/\/$/, '');
}

/** @throws {Error} for a key that is not valid in a header */
function toAuthorization(key: string): Record<string, string> {
  if (!/^\S+$/.test(key ?? '')) throw new Error('a key cannot contain spaces');
  const headers = { authorization: `Bearer ${key}` };
  new Headers(headers);
  return headers;
}

/** @throws {SightlineError} for a refusal, or a body that is not JSON */
async function readBody(answer: Response): Promise<unknown> {
  const body = parseJson(await answer.text());
  if (!answer.ok || body === undefined) throw refusal(answer, body);
  return body;
}

/** @throws {SightlineError} */
function readRecords(chunks: readonly Uint8Array[]): unknown[] {
  const decoder = new TextDecoder();
  const texts = chunks.map(chunk => decoder.decode(chunk, { stream: true }));
  const records = parseJson(texts.join('') + decoder.decode());
  if (!Array.isArray(records)) throw new SightlineError('The page of the export is not JSON', 200);
  return records;
}

/** Returns the parameters that are not part of the path. */
function toQuery(path: string, parameters: Values): Values {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !path.includes(`{${name}}`)));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
