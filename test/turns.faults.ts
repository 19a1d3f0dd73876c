import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TOOLS } from '@sightline/tools/mcp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createServer } from '../src/http/server.ts';
import { MCP_PATH, mcpApp } from '../src/mcp/http.ts';
import { createLogger } from '../src/observability/logger.ts';
import { IN_EARNEST } from './faults/scale.ts';
import { documentsOfAccounts, heaviestDocuments, LONGEST_POLICIES } from './support/heaviest-documents.ts';
import { pageDocuments } from './support/page-documents.ts';
import { everyRoute } from './support/routes.ts';
import { startService, type TestService } from './support/service.ts';
import { measureLongestTurn } from './support/turn-meter.ts';
import { loadWorstAccounts, type Worst } from './support/worst-accounts.ts';

/**
 * No request blocks the event loop for long: every route, every form of export, every field of an account, and every
 * document of the page, for an account with very many records and for one with the longest texts.
 */

/**
 * In milliseconds. In `npm test`, the machine can be busy and the code not yet compiled, so only much longer turns
 * count.
 */
const LONGEST_TURN = IN_EARNEST ? 50 : 400;
const now = new Date().toISOString();

// In test:faults, there are thousands of requests, each tried up to three times.
if (IN_EARNEST) vi.setConfig({ testTimeout: 1_800_000 });

let service: TestService;
let keys: Awaited<ReturnType<typeof loadWorstAccounts>>;

/** JSON escapes most of these characters. */
const alphabets = ['controls and directions'] as const;
const WORST: Worst = IN_EARNEST
  ? { many: 20_000, policies: 2000, some: 300, few: 60, longest: 64 * 1024, raw: 1024 * 1024, alphabets }
  : { many: 600, policies: 60, some: 60, few: 6, longest: 16 * 1024, raw: 64 * 1024, alphabets };

beforeAll(async () => {
  service = await startService({ now, answerCacheSize: 0 });
  keys = await loadWorstAccounts(service, now, WORST);
}, 900_000);
afterAll(() => service?.close());

interface TurnRequest {
  /** The address of a server other than the service. */
  url?: string;
  key: string;
  path: string;
  body?: string;
  accept?: string;
}

interface DrainedResponse {
  status: number;
  /** The first characters of the response. */
  start: string;
}

/** Reads a response without storing it, because the client shares the event loop. */
function drain({
  url = service.url,
  key,
  path,
  body,
  accept = '*/*',
}: TurnRequest): Promise<DrainedResponse> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'accept-encoding': 'identity',
      accept,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const method = body === undefined ? 'GET' : 'POST';
    request(url + path, { method, headers }, response => {
      let start = '';
      response.on('data', (piece: Buffer) => {
        if (start.length < 1000) start += piece.toString('latin1', 0, 1000);
      });
      response.on('end', () => resolve({ status: response.statusCode!, start }));
      response.on('error', reject);
    })
      .on('error', reject)
      .end(body);
  });
}

/** Measures the longest turn of a request. */
async function hold(name: string, sent: TurnRequest): Promise<void> {
  const { longest, value } = await measureLongestTurn(LONGEST_TURN, () => drain(sent));
  expect([200, 403, 503], name).toContain(value.status);
  const failed = value.start.startsWith('{"errors"') || value.status === 503;
  if (failed) expect(value.start, name).toMatch(/"code":"(?:TIME_)?LIMIT_EXCEEDED"/);
  if (IN_EARNEST) process.stdout.write(`${longest.toFixed(0).padStart(5)} ms  ${name}\n`);
  expect.soft(longest, name).toBeLessThan(LONGEST_TURN);
}

/** A whole export, a page, and all pages in parts. */
const FORMS = ['ndjson', 'csv', 'json'].flatMap(form => [
  { query: `?format=${form}` },
  { query: `?format=${form}&after=&limit=10000` },
  { query: `?format=${form}&after=&limit=10`, accept: 'multipart/mixed' },
]);
const OWNERS = ['many', 'longest'] as const;
/** In test:faults, both. In `npm test`, they alternate. */
const listOwners = (index: number) => (IN_EARNEST ? OWNERS : [OWNERS[index % OWNERS.length]!]);

/** In test:faults, all. In `npm test`, every third one. */
const sample = <Item>(items: readonly Item[], first = 0) =>
  IN_EARNEST ? items : items.filter((_, index) => index % 3 === first % 3);

it('no route blocks the event loop', async () => {
  for (const [place, { target, isExport, teamOnly = false }] of (await everyRoute()).entries()) {
    const path = target.replace('unit=days&date=2026-05-20', `unit=months&date=${now.slice(0, 7)}`);
    const forms = isExport && !path.endsWith('/metrics') ? sample(FORMS, place) : [{ query: '' }];
    for (const [index, { query, ...form }] of forms.entries())
      for (const owner of teamOnly ? (['team'] as const) : listOwners(index))
        await hold(`${path}${query} of ${owner}`, { key: keys[owner], path: path + query, ...form });
  }
});

const toBody = (query: string, variables: object) => JSON.stringify({ query, variables });

it('no field of an account blocks the event loop, alone or with the maximum number of aliases', async () => {
  for (const [index, { name, query, variables }] of sample([...heaviestDocuments(now)]).entries())
    for (const owner of listOwners(index))
      await hold(`${name}, of ${owner}`, {
        key: keys[owner],
        path: '/graphql',
        body: toBody(query, variables),
      });
});

it('no field of all accounts blocks the event loop', async () => {
  for (const { name, query, variables } of documentsOfAccounts())
    await hold(name, { key: keys.internal, path: '/graphql', body: toBody(query, variables) });
});

it('no document of the page blocks the event loop', async () => {
  for (const owner of OWNERS)
    for (const { name, query, variables } of pageDocuments(owner, now, {
      'PolicyText!': LONGEST_POLICIES.hosts,
    }))
      await hold(`${name} of ${owner}`, {
        key: keys[owner],
        path: '/graphql',
        body: toBody(query, variables),
      });
});

/** The required arguments of the MCP server's tools. */
const TOOL_ARGUMENTS: Readonly<Record<string, object>> = {
  count_reports: { type: 'csp', by: ['BLOCKED_URI', 'PAGE_PATH', 'BROWSER'] },
  newest_reports: { type: 'csp' },
  get_report: { type: 'csp', id: 'csp-0' },
};

it('no tool of the MCP server blocks the event loop', async () => {
  const logger = createLogger('error', { write() {} });
  const server = createServer({ app: mcpApp(service.url, logger), logger, answerLimit: 60_000 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const { name, input } of TOOLS)
    for (const owner of OWNERS) {
      const longest = {
        ...('period' in input.shape && { period: '90d' }),
        ...('limit' in input.shape && { limit: 50 }),
      };
      const params = { name, arguments: { ...longest, ...TOOL_ARGUMENTS[name] } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const accept = 'application/json, text/event-stream';
      await hold(`${name} of ${owner}`, { url, key: keys[owner], path: MCP_PATH, body, accept });
    }
  server.closeAllConnections();
  server.close();
});
