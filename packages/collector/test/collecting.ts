import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createReportReader } from '../../../src/collect/reader.ts';
import { parseProxies } from '../../../src/collect/settings.ts';
import { exchange } from '../../../test/support/exchange.ts';
import { type Collector, type CollectorSettings, startCollector } from '../src/collector.ts';
import { createToken, type Token } from '../src/tokens.ts';

/** A line of the spool, read as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into lines of many shapes
export type SpoolLine = Record<string, any>;

export interface TestCollector extends AsyncDisposable {
  url: string;
  folder: string;
  spool: string;
  tokens: string;
  collector: Collector;
  /** All log messages of the collector. */
  said: string[];
  /** Creates a token and returns its address, which is valid once the collector has read the file again. */
  token(wanted?: Partial<Token>): Promise<string>;
  /** Returns an account's lines on disk, in order of arrival. */
  lines(account?: string): Promise<SpoolLine[]>;
  /** Returns the value of a metric, by its name and labels as printed. */
  metric(name: string): Promise<number>;
}

/** Starts a collector on a free port, with one address for the account `acme`. */
export async function startTestCollector(
  more: Partial<CollectorSettings> = {},
  wanted: Partial<Token> = {},
): Promise<TestCollector & { to: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-test-collect-'));
  const settings = {
    spool: join(folder, 'spool'),
    tokens: join(folder, 'tokens.ndjson'),
    reader: createReportReader(),
    proxies: parseProxies('127.0.0.1'),
    clientRate: 1_000_000,
    accountRate: 1_000_000,
    mostSpooled: 1024 ** 3,
    every: 20,
    ...more,
  };
  const said: string[] = [];
  const say = (fields: object, message: string) => {
    const { err } = fields as { err?: Error };
    said.push(JSON.stringify({ ...fields, message, err: err?.message }));
  };
  const token = async (given: Partial<Token> = {}) =>
    `/r/${await createToken(settings.tokens, { account: 'acme', ...given })}`;
  const to = await token(wanted);
  const collector = await startCollector({ ...settings, log: { info: say, warn: say } });
  collector.server.listen(0, '127.0.0.1');
  await once(collector.server, 'listening');
  const url = `http://127.0.0.1:${(collector.server.address() as AddressInfo).port}`;
  return {
    url,
    to: url + to,
    folder,
    spool: settings.spool,
    tokens: settings.tokens,
    collector,
    said,
    token: async given => url + (await token(given)),
    lines: account => linesIn(settings.spool, account),
    async metric(name) {
      const line = (await collector.metrics.print()).split('\n').find(text => text.startsWith(`${name} `));
      return Number(line?.split(' ').at(-1) ?? 0);
    },
    async [Symbol.asyncDispose]() {
      await collector.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the paths of an account's complete files in a spool on disk. */
export async function filesIn(spool: string, account = 'acme'): Promise<string[]> {
  const folder = join(spool, account);
  const names = await readdir(folder).catch((): string[] => []);
  return names
    .filter(name => name.endsWith('.ndjson') && !name.startsWith('.'))
    .map(name => join(folder, name));
}

/** Returns an account's lines in a spool on disk. */
export async function linesIn(spool: string, account?: string): Promise<SpoolLine[]> {
  const numbers = (path: string) => Number(/-(\d+)-\d+\.ndjson$/.exec(path)?.[1]);
  const sorted = (await filesIn(spool, account)).sort((a, b) => numbers(a) - numbers(b));
  const texts = await Promise.all(sorted.map(path => readFile(path, 'utf8')));
  return texts.flatMap(text =>
    text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line)),
  );
}

/** Returns the body of a `report-uri` request. */
export function violation(more: Record<string, unknown> = {}): string {
  return JSON.stringify({
    'csp-report': {
      'document-uri': 'https://acme.example/cart?id=7',
      referrer: 'https://search.example/?q=1',
      'effective-directive': 'script-src-elem',
      'blocked-uri': 'https://cdn.example/x.js',
      disposition: 'enforce',
      ...more,
    },
  });
}

/** Sends a POST request as a browser does. */
export function post(url: string, body: string | Uint8Array, headers: Record<string, string> = {}) {
  return exchange(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/reports+json', 'user-agent': 'Mozilla/5.0 Test', ...headers },
  });
}

/** A fake collector that reports are forwarded to, and the requests that it received. */
export interface Target extends AsyncDisposable {
  url: string;
  got: { headers: IncomingHttpHeaders; body: string }[];
}

/** Accepts a report as a collector does. */
export const accept = (response: ServerResponse): void => void response.writeHead(204).end();

/**
 * Starts a fake collector.
 * @param answer handles a request, given its number; by default, every report is accepted
 */
export async function startTarget(
  answer: (response: ServerResponse, number: number) => void = accept,
): Promise<Target> {
  const got: Target['got'] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    got.push({ headers: request.headers, body: body.toString() });
    answer(response, got.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/r/other`,
    got,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
