import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { propagation, SpanKind, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKey } from '../src/keys/format.ts';
import { personal, plan, report } from './support/fixtures.ts';
import { freePort } from './support/network.ts';
import { until } from './support/until.ts';
import { startWatchedService, type WatchedService } from './support/watched-service.ts';

const TODAY = new Date().toISOString().slice(0, 10);
const REPORTS = `/v1/reports/csp?unit=days&date=${TODAY}`;

const spans = new InMemorySpanExporter();

let service: WatchedService;
let key: string;

const ask = (path: string, init: RequestInit & { key?: string } = {}) =>
  fetch(service.url + path, {
    ...init,
    headers: { authorization: `Bearer ${init.key ?? key}`, ...init.headers },
  });

const graphql = (body: object, headers = {}) =>
  ask('/graphql', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

beforeAll(async () => {
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  service = await startWatchedService({ LOG_LEVEL: 'debug' });
  await service.load(
    personal('ada'),
    plan('ada'),
    report('ada', 'csp', 'one', { date: new Date().toISOString() }),
  );
  key = await service.key('personal', 'ada');
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  trace.disable();
  propagation.disable();
});

/** Returns the log line of the request with this id. */
async function toLine(requestId: string) {
  const line = await until(
    () =>
      service
        .log()
        .split('\n')
        .find(found => found.includes(`"requestId":"${requestId}"`)) ?? false,
  );
  return JSON.parse(line);
}

describe('the request log', () => {
  it('records what a request was, its outcome and its cost', async () => {
    const response = await ask(REPORTS, { headers: { 'x-request-id': 'log-1' } });
    const { byteLength } = await response.arrayBuffer();
    expect(await toLine('log-1')).toEqual({
      level: 30,
      time: expect.any(Number),
      pid: process.pid,
      hostname: expect.any(String),
      requestId: 'log-1',
      method: 'GET',
      route: '/v1/reports/csp',
      status: 200,
      account: 'ada',
      ms: expect.any(Number),
      statements: 1,
      bytes: byteLength,
      msg: 'request',
    });
  });

  it.each([
    ['/v1/watches/script/www.example.com?page=2', '/v1/watches/{product}/{domain}'],
    ['/v1/nothing/of/the/kind', '/v1/*'],
    ['/somewhere?else', '/*'],
    ['/graphql', '/graphql'],
  ])('contains the route of %s but never the address', async (path, route) => {
    const id = `route-${path.length}`;
    await ask(path, { headers: { 'x-request-id': id } });
    expect(await toLine(id)).toMatchObject({ route });
  });

  it('counts the statements of a GraphQL query', async () => {
    await graphql({ query: '{ viewer { policies { id } setup { dmarc } } }' }, { 'x-request-id': 'graph-1' });
    expect(await toLine('graph-1')).toMatchObject({ route: '/graphql', statements: 2, account: 'ada' });
  });

  it('records a failure as an error with its reason, which the client does not receive', async () => {
    await service.sql('revoke select on audit_event from sightline_reader');
    try {
      const response = await ask('/v1/audit-log', { headers: { 'x-request-id': 'failed-1' } });
      expect(await response.json()).toEqual({ error: 'Internal server error' });
      const [failure] = await service.lines('a request failed');
      expect(failure).toMatchObject({ level: 50, requestId: 'failed-1', err: { code: '42501' } });
      const [line] = (await service.lines('request', 1)).filter(({ requestId }) => requestId === 'failed-1');
      expect(line).toMatchObject({ level: 50, status: 500, route: '/v1/audit-log' });
      await graphql({ query: '{ viewer { auditLog { events { id } } } }' }, { 'x-request-id': 'failed-2' });
      const [graph] = await service.lines('a GraphQL request failed');
      expect(graph).toMatchObject({ level: 50, requestId: 'failed-2' });
    } finally {
      await service.sql('grant select on audit_event to sightline_reader');
    }
  });

  it('records a disconnected client as a warning', async () => {
    const unlock = await service.lock('csp_policy');
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(
      `GET /v1/policies/csp HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nX-Request-Id: gone\r\n\r\n`,
    );
    await until(() => service.isWaitedFor('csp_policy'));
    socket.destroy();
    const [line] = await service.lines('the connection ended before the response');
    await unlock();
    expect(line).toMatchObject({ level: 40, requestId: 'gone', route: '/v1/policies/csp', account: 'ada' });
    expect(line).not.toHaveProperty('status');
  });

  it('records probes only at the debug level', async () => {
    await ask('/healthz', { headers: { 'x-request-id': 'probe' } });
    expect(await toLine('probe')).toMatchObject({ level: 20, route: '/healthz', status: 200 });
  });

  it('records input that is not a valid request', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.end(`NONSENSE ${key}\r\n\r\n`);
    await once(socket.resume(), 'close');
    const [line] = await service.lines('a request that cannot be read');
    expect(line).toMatchObject({ level: 30, status: 400, reason: expect.stringMatching(/^HPE_/) });
  });
});

describe('the metrics', () => {
  const count = (route: string, status: number | string) =>
    service.metric(`sightline_request_duration_seconds_count{route="${route}",status="${status}"}`);

  it('count requests by route and status', async () => {
    const before = (await count('/v1/quota', 200)) ?? 0;
    await (await ask('/v1/quota')).text();
    await (await ask('/v1/quota')).text();
    await expect.poll(() => count('/v1/quota', 200)).toBe(before + 2);
    await ask('/v1/quota', { key: createKey('team') });
    await expect.poll(() => count('/v1/*', 401)).toBeGreaterThan(0);
    expect(await service.metric('sightline_requests_at_work')).toBe(0);
  });

  it('contain only documented routes, regardless of the requested paths', async () => {
    const strange = Array.from({ length: 40 }, (_, n) => `/v1/x${n}`);
    await Promise.all(
      strange.flatMap(path => [ask(path), ask(path.slice(3)), ask(`/v1/reports/type${path.slice(3)}`)]),
    );
    const routes = new Set(
      [...(await service.metrics()).matchAll(/route="([^"]*)"/g)].map(([, route]) => route),
    );
    expect([...routes].filter(route => /x\d/.test(route!))).toEqual([]);
    expect(routes.size).toBeLessThan(60);
  });

  it('include the pool, the rate limit, the response cache, the event loop and the process', async () => {
    await (await ask('/v1/policies/csp')).text();
    await (await ask('/v1/policies/csp')).text();
    const printed = await service.metrics();
    expect(await service.metric('sightline_database_pool_size')).toBe(4);
    expect(await service.metric('sightline_database_statements_total')).toBeGreaterThan(3);
    expect(await service.metric('sightline_database_statement_seconds_total')).toBeGreaterThan(0);
    expect(await service.metric('sightline_database_statements_refused_total{reason="late"}')).toBe(0);
    expect(await service.metric('sightline_database_driver_replacements_total')).toBe(0);
    expect(await service.metric('sightline_rate_limit_decisions_total{decision="passed"}')).toBeGreaterThan(
      3,
    );
    expect(await service.metric('sightline_rate_limit_decisions_total{decision="refused"}')).toBe(0);
    expect(await service.metric('sightline_answer_cache_lookups_total{result="hit"}')).toBeGreaterThan(0);
    expect(await service.metric('sightline_answer_cache_bytes')).toBeGreaterThan(0);
    expect(printed).toMatch(/^sightline_build_info\{version="\d+\.\d+\.\d+",node="\d+\.\d+\.\d+"\} 1$/m);
    expect(printed).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    expect(printed).toMatch(/^process_resident_memory_bytes \d/m);
    expect(printed).not.toContain('sightline_redis_up');
  });

  it('count GraphQL operations by outcome, and exceeded limits', async () => {
    const ok = (await service.metric('sightline_graphql_operations_total{outcome="ok"}')) ?? 0;
    await graphql({ query: '{ viewer { id } }' });
    await ask(`/graphql?query=${encodeURIComponent('{ viewer { id } }')}`);
    const aliases = Array.from({ length: 16 }, (_, n) => `a${n}: __typename`).join(' ');
    await graphql({ query: `{ ${aliases} }` });
    await graphql({ query: '{ nothing }' });
    await graphql(['no operation']);
    expect(await service.metric('sightline_graphql_operations_total{outcome="ok"}')).toBe(ok + 2);
    expect(await service.metric('sightline_graphql_limits_exceeded_total{limit="aliases"}')).toBe(1);
    for (const outcome of ['LIMIT_EXCEEDED', 'GRAPHQL_VALIDATION_FAILED', 'BAD_REQUEST']) {
      expect(
        await service.metric(`sightline_graphql_operations_total{outcome="${outcome}"}`),
      ).toBeGreaterThan(0);
    }
  });

  it('count GraphQL operations that fell back to graphql-js, by cause', async () => {
    const counts = () =>
      Promise.all(
        ['operation', 'value'].map(async cause =>
          Number((await service.metric(`sightline_graphql_fallbacks_total{cause="${cause}"}`)) ?? 0),
        ),
      );
    const query = 'query($s: Boolean = true) { viewer { id @skip(if: $s) } }';
    const answer = await graphql({ query, variables: { s: null } });
    expect(await answer.json()).toMatchObject({ errors: [{ path: ['viewer'] }] });
    expect(await counts()).toEqual([1, 0]);
    await graphql({ query, variables: { s: false } });
    expect(await counts()).toEqual([1, 0]);
    await service.load({
      kind: 'policy',
      accountId: 'ada',
      id: 'one',
      name: 'one',
      policy: "default-src 'self'",
    });
    await service.sql('alter table csp_policy alter column policy drop not null');
    await service.sql('update csp_policy set policy = null');
    const failed = await graphql({ query: '{ viewer { policies { id policy } } }' });
    expect(await failed.json()).toMatchObject({ errors: [{ message: 'Internal server error' }] });
    expect(await counts()).toEqual([1, 1]);
  });

  it('match the documentation', async () => {
    const page = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8');
    const documented = [...page.matchAll(/^\| `(sightline_\w+)`/gm)].map(([, name]) => name!);
    const printed = [...(await service.metrics()).matchAll(/^# HELP (sightline_\w+) /gm)].map(
      ([, name]) => name!,
    );
    const onlyWithRedis = ['sightline_redis_up'];
    const onlyWithReplicas = ['in_use', 'up', 'lag_seconds', 'round_trip_seconds'].map(
      what => `sightline_database_server_${what}`,
    );
    expect(documented.sort()).toEqual([...printed, ...onlyWithRedis, ...onlyWithReplicas].sort());
    const alarms = [...page.matchAll(/sightline_\w+/g)].map(([name]) => name.replace(/_(count|bucket)$/, ''));
    const roles = ['owner', 'reader', 'web', 'importer', 'import'].map(name => `sightline_${name}`);
    const other = [...roles, 'sightline_last_load_seconds'];
    expect(alarms.filter(name => !documented.includes(name) && !other.includes(name))).toEqual([]);
  });

  it('are served on a separate port, together with a probe', async () => {
    const status = async (path: string, method = 'GET') =>
      (await fetch(service.adminUrl + path, { method, headers: { authorization: `Bearer ${key}` } })).status;
    expect(await status('/healthz')).toBe(200);
    expect(await status('/metrics?format=text')).toBe(200);
    for (const path of ['/', '/v1/me', '/graphql', '/readyz', '/docs', '/metrics/', '//metrics']) {
      expect(await status(path)).toBe(404);
    }
    const refused = await fetch(`${service.adminUrl}/metrics`, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await ask('/metrics')).status).toBe(404);
  });

  it.each(['/metrics', '/healthz'])('are served with the same headers for a HEAD of %s', async path => {
    const [head, get] = [
      await fetch(service.adminUrl + path, { method: 'HEAD' }),
      await fetch(service.adminUrl + path),
    ];
    expect([head.status, head.headers.get('content-type')]).toEqual([200, get.headers.get('content-type')]);
    for (const { headers } of [head, get]) expect(headers.get('cache-control')).toBe('no-store');
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(10);
    expect(await head.text()).toBe('');
  });

  it('report that Redis is unavailable, and the requests that each instance counted itself', async () => {
    const redis = `redis://127.0.0.1:${await freePort()}`;
    await using alone = await startWatchedService({
      REDIS_URL: redis,
      RATE_LIMIT_MAX: '1',
      LOG_LEVEL: 'warn',
    });
    await alone.load(personal('eve'), plan('eve'));
    const authorization = `Bearer ${await alone.key('personal', 'eve')}`;
    for (const status of [200, 429]) {
      expect((await fetch(`${alone.url}/v1/me`, { headers: { authorization } })).status).toBe(status);
    }
    expect(await alone.metric('sightline_redis_up')).toBe(0);
    expect(await alone.metric('sightline_rate_limit_local_total')).toBe(2);
    expect(await alone.metric('sightline_rate_limit_decisions_total{decision="refused"}')).toBe(1);
    expect(alone.log()).not.toContain('"msg":"request"');
  });
});

describe('the trace spans', () => {
  beforeEach(() => spans.reset());

  const finished = async (name: string): Promise<ReadableSpan> => {
    const find = () => spans.getFinishedSpans().find(span => span.name === name);
    await expect.poll(find).toBeDefined();
    return find()!;
  };

  it('cover a request as a child of the span from the client', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await (await ask(REPORTS, { headers: { traceparent, 'x-request-id': 'span-1' } })).text();
    const span = await finished('GET /v1/reports/csp');
    expect(span.kind).toBe(SpanKind.SERVER);
    expect(span.spanContext().traceId).toBe('0af7651916cd43dd8448eb211c80319c');
    expect(span.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
    expect(span.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/v1/reports/csp',
      'http.response.status_code': 200,
      'sightline.request.id': 'span-1',
      'sightline.account.id': 'ada',
    });
  });

  it('cover the statements of a request without their contents', async () => {
    await (await ask(`${REPORTS}&hostnames=secret.example.com`)).text();
    const request = await finished('GET /v1/reports/csp');
    const statement = await finished('SELECT report');
    expect(statement.kind).toBe(SpanKind.CLIENT);
    expect(statement.parentSpanContext?.spanId).toBe(request.spanContext().spanId);
    expect(statement.attributes).toEqual({
      'db.system.name': 'postgresql',
      'db.operation.name': 'SELECT',
      'db.collection.name': 'report',
    });
    expect(text(spans.getFinishedSpans())).not.toContain('secret');
    expect((await finished('authenticate')).parentSpanContext?.spanId).toBe(request.spanContext().spanId);
  });

  it('cover a GraphQL operation with its statements', async () => {
    await graphql({ query: 'query Policies { viewer { policies { id } } }' });
    const operation = await finished('query Policies');
    const statement = await finished('SELECT csp_policy');
    expect(statement.parentSpanContext?.spanId).toBe(operation.spanContext().spanId);
    expect(operation.attributes).toEqual({
      'graphql.operation.type': 'query',
      'graphql.operation.name': 'Policies',
    });
  });

  it('record a failure only by its code', async () => {
    await service.sql('revoke select on setup from sightline_reader');
    await ask('/v1/setup');
    await service.sql('grant select on setup to sightline_reader');
    const statement = await finished('SELECT setup');
    expect(statement.attributes['error.type']).toBe('42501');
    expect(statement.events).toEqual([]);
    expect((await finished('GET /v1/setup')).attributes['error.type']).toBe('500');
  });
});

/** Everything that an exporter could write about spans. */
function text(found: readonly ReadableSpan[]): string {
  return JSON.stringify(
    found.map(span => [
      span.name,
      span.attributes,
      span.events,
      span.links,
      span.status,
      span.spanContext().traceState?.serialize(),
      span.parentSpanContext?.traceState?.serialize(),
    ]),
  );
}

describe('a key', () => {
  /** Every sequence of eight characters after the prefix of a key. */
  const parts = (secret: string) =>
    Array.from({ length: secret.length - 6 - 7 }, (_, start) => secret.slice(6 + start, 14 + start));

  it('never leaves the service, as a whole or in part, through any response, log or trace', async () => {
    spans.reset();
    const secret = key;
    const answers: string[] = [];
    const send = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(service.url + path, init);
      answers.push(JSON.stringify([...response.headers]), await response.text());
    };
    const authorization = `Bearer ${secret}`;
    const post = (body: string, headers = {}) =>
      send('/graphql', {
        method: 'POST',
        body,
        headers: { authorization, 'content-type': 'application/json', ...headers },
      });
    const everything = async () => {
      await send('/v1/me', { headers: { authorization } });
      await send(REPORTS, { headers: { authorization } });
      await send('/v1/audit-log', { headers: { authorization } });
      await send('/v1/me', { headers: { authorization: `Basic ${secret}` } });
      await send('/v1/me', { headers: { authorization: `Bearer ${secret}x` } });
      await send('/v1/me', { headers: { authorization: `Bearer ${secret.slice(0, -1)}` } });
      await send('/v1/me', {
        headers: { 'x-api-key': secret, cookie: `key=${secret}`, referer: `/?k=${secret}` },
      });
      await send(`/v1/me?key=${secret}`);
      await send(`/v1/${secret}`, { headers: { authorization } });
      await send(`/${secret}`);
      await send(`/v1/reports/csp?unit=${secret}&date=${secret}`, { headers: { authorization } });
      await send(`/v1/audit-log?cursor=${secret}&limit=${secret}`, { headers: { authorization } });
      await send(`/v1/policies/csp/${secret}`, { headers: { authorization } });
      await send('/v1/me', { headers: { authorization, 'x-request-id': secret } });
      await send('/v1/me', { headers: { authorization, 'x-request-id': `a:${secret.slice(0, 30)}` } });
      await send('/v1/me', {
        headers: {
          authorization,
          traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
          tracestate: `vendor=${secret}`,
          baggage: `key=${secret}`,
        },
      });
      await post(JSON.stringify({ query: `{ ${secret} }` }));
      await post(JSON.stringify({ query: `query ${secret} { viewer { id } }` }));
      await post(JSON.stringify({ query: '{ viewer { id } }', operationName: secret }));
      await post(JSON.stringify({ query: `{ account(id: "${secret}") { id } }` }));
      await post(JSON.stringify({ query: `{ viewer { policies(x: "${secret}") { id } } }` }));
      await post(JSON.stringify({ query: 'query ($a: Int!) { viewer { id } }', variables: { a: secret } }));
      await post(JSON.stringify({ query: `{ viewer { id } ${secret}` }));
      await post(JSON.stringify({ query: '{ viewer { id } }', [secret]: secret }));
      await post(`{"query": "${secret}`);
      await post(secret, { 'content-type': secret.toLowerCase() });
      await send(`/graphql?query=${secret}`, { headers: { authorization } });
      await send(`/graphql?query={viewer{id}}&variables=${secret}`, { headers: { authorization } });
      await post(JSON.stringify({ query: '{ viewer { auditLog { events { id } } } }' }));
    };
    const raw = async (request: string) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.setEncoding('utf8').on('data', chunk => answers.push(String(chunk)));
      socket.end(request);
      await once(socket, 'close');
    };
    await everything();
    await service.sql('revoke select on all tables in schema public from sightline_reader');
    await everything();
    await service.sql('grant select on all tables in schema public to sightline_reader');
    await raw(`GET /v1/me HTTP/9.9\r\nAuthorization: Bearer ${secret}\r\n\r\n`);
    await raw(`GET ${secret} HTTP/1.1\r\n${secret}: ${secret}\r\nX Y: ${secret}\r\n\r\n`);

    const expected = {
      log: service.log(),
      metrics: await service.metrics(),
      spans: text(spans.getFinishedSpans()),
      answers: answers.join('\n'),
    };
    expect(answers.length).toBeGreaterThan(100);
    expect(expected.answers).toContain('Internal server error');
    expect(spans.getFinishedSpans().length).toBeGreaterThan(60);
    for (const [where, output] of Object.entries(expected)) {
      const found = parts(secret).filter(part => output.includes(part));
      expect(
        found.map(part => `${where}: ${output.slice(output.indexOf(part) - 150, output.indexOf(part) + 20)}`),
      ).toEqual([]);
    }
  });
});
