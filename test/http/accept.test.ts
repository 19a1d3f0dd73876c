import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MEDIA_TYPES } from '@sightline/tools';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AdminServer, startAdmin } from '../../src/http/admin.ts';
import { createServer } from '../../src/http/server.ts';
import { mcpApp } from '../../src/mcp/http.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { ACCEPT_HEADERS } from '../support/accept-headers.ts';
import { exchange, type HttpRequest } from '../support/exchange.ts';
import { NOW, open, personal, plan } from '../support/fixtures.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { startService, type TestService } from '../support/service.ts';

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

let service: TestService;
let admin: AdminServer;
let mcp: Server;
let key: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('a-1'), plan('a-1'));
  const metrics = { contentType: METRICS_TYPE, print: async () => 'up 1\n' };
  admin = await startAdmin({ host: '127.0.0.1', port: 0 }, metrics);
  const logger = createLogger('error', { write() {} });
  mcp = createServer({ app: mcpApp(service.url, logger), logger, answerLimit: 60_000 }).listen(
    0,
    '127.0.0.1',
  );
  await once(mcp, 'listening');
});
afterAll(async () => {
  admin.close();
  mcp.close();
  await service.close();
});

/** Paths that always return the same content type. */
const FIXED = {
  '/v1/me': 'application/json; charset=utf-8',
  '/openapi.yaml': 'application/yaml; charset=utf-8',
  '/openapi.json': 'application/json; charset=utf-8',
  '/docs': 'text/html; charset=utf-8',
  '/app': 'text/html; charset=utf-8',
  '/healthz': 'application/json; charset=utf-8',
  '/readyz': 'application/json; charset=utf-8',
};

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const FORMS = { ndjson: MEDIA_TYPES.ndjson, csv: MEDIA_TYPES.csv, json: MEDIA_TYPES.json };

async function readType(accept: string | undefined, url: string, { headers, ...init }: HttpRequest = {}) {
  const sent = { authorization: `Bearer ${key}`, accept, ...headers };
  const answer = await exchange(url, { ...init, headers: sent });
  return [answer.status, answer.headers.get('content-type')];
}

async function expectFixedTypes(accept: string | undefined): Promise<void> {
  for (const [path, type] of Object.entries(FIXED))
    expect([path, ...(await readType(accept, service.url + path))]).toEqual([path, 200, type]);
  const own = `http://127.0.0.1:${admin.port}`;
  expect(await readType(accept, `${own}/healthz`)).toEqual([200, 'application/json; charset=utf-8']);
  expect(await readType(accept, `${own}/metrics`)).toEqual([200, METRICS_TYPE]);
}

it('paths that have one content type return it, whatever is accepted', async () => {
  for (const accept of [undefined, '*/*', 'text/html', 'application/xml', 'text/html;q=0', 'json'])
    await expectFixedTypes(accept);
});

it.each(ACCEPT_HEADERS)(
  'paths that have one content type return it to %s',
  {
    tags: 'slow',
  },
  async (_, accept) => {
    await expectFixedTypes(accept);
  },
);

it.each(ACCEPT_HEADERS)('every other path responds to %s: Accept: %s', async (_, accept, ...types) => {
  const read = (url: string, init?: HttpRequest) => readType(accept, url, init);
  const [graphql, exported, metrics, mcpType] = types;
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ query: '{ __typename }' });

  expect(await read(`${service.url}/graphql`, { method: 'POST', headers: json, body })).toEqual(
    graphql ? [200, expect.stringContaining(graphql)] : [406, 'application/json; charset=utf-8'],
  );
  expect(await read(`${service.url}/export/reports/csp`)).toEqual([
    200,
    expect.stringContaining(FORMS[exported as keyof typeof FORMS]),
  ]);
  expect(await read(`${service.url}/export/metrics`)).toEqual([200, expect.stringContaining(`${metrics};`)]);
  const { port } = mcp.address() as AddressInfo;
  const message = { method: 'POST', headers: json, body: JSON.stringify(INITIALIZE) };
  expect(await read(`http://127.0.0.1:${port}/mcp`, message)).toEqual(
    mcpType ? [200, mcpType] : [406, 'application/json'],
  );
});

it('the port of the metrics answers each path and method with its own headers', async () => {
  let isBroken = false;
  const print = async () => {
    if (isBroken) throw new Error('secret');
    return 'up 1 é\n';
  };
  const own = await startAdmin({ host: '127.0.0.1', port: 0 }, { contentType: METRICS_TYPE, print });
  const read = async (path: string, method = 'GET') => {
    const { status, headers, text } = await exchange(`http://127.0.0.1:${own.port}${path}`, { method });
    const names = ['content-type', 'cache-control', 'allow', 'content-length'];
    return [status, ...names.map(name => headers.get(name)), text];
  };
  const json = 'application/json; charset=utf-8';
  const up = [200, json, 'no-store', null, '15', '{"status":"up"}'];
  const metrics = [200, METRICS_TYPE, 'no-store', null, '8', 'up 1 é\n'];
  const notFound = [404, json, 'no-store', null, '21', '{"error":"Not found"}'];
  const notAllowed = [405, json, 'no-store', 'GET, HEAD', '30', '{"error":"Method not allowed"}'];
  expect([await read('/healthz'), await read('/healthz?a=/b')]).toEqual([up, up]);
  expect(await read('/healthz', 'HEAD')).toEqual(up.with(-1, ''));
  expect([await read('/metrics'), await read('/metrics?a')]).toEqual([metrics, metrics]);
  expect(await read('/metrics', 'HEAD')).toEqual(metrics.with(-1, ''));
  for (const path of ['/healthz', '/metrics'])
    for (const method of ['POST', 'OPTIONS', 'DELETE']) expect(await read(path, method)).toEqual(notAllowed);
  for (const path of ['/', '/metrics/', '/healthz/', '/readyz', '/METRICS'])
    for (const method of ['GET', 'POST']) expect(await read(path, method)).toEqual(notFound);
  isBroken = true;
  expect(await read('/metrics')).toEqual([
    500,
    json,
    'no-store',
    null,
    '33',
    '{"error":"Internal server error"}',
  ]);
  own.close();
});

it('the port of the metrics closes with its requests', async () => {
  const asked = new EventEmitter();
  const print = () => {
    asked.emit('request');
    return new Promise<string>(() => {});
  };
  const own = await startAdmin({ host: '127.0.0.1', port: 0 }, { contentType: METRICS_TYPE, print });
  const connection = new RawConnection(`http://127.0.0.1:${own.port}`);
  connection.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(asked, 'request');
  own.close();
  expect(await connection.read()).toBeUndefined();
});
