import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { listen } from '../src/http/listen.ts';
import { json } from '../src/http/reply.ts';
import { createServer } from '../src/http/server.ts';
import { createLogger } from '../src/observability/logger.ts';
import { createObserver } from '../src/observability/observer.ts';
import {
  findTracer,
  nameOperation,
  runWithin,
  startRequestSpan,
  traceWork,
} from '../src/observability/tracing.ts';
import { WatchedDatabase } from '../src/observability/watched-database.ts';
import { describeAsyncCall } from './support/group-outcomes.ts';

/** Records the log lines, metrics and spans of requests, operations and statements. */

const spans = new InMemorySpanExporter();
const active = new AsyncLocalStorage<Context>();
beforeAll(() => {
  // Like the context manager of OpenTelemetry's SDK for Node.
  const contexts: Parameters<typeof context.setGlobalContextManager>[0] = {
    active: () => active.getStore() ?? ROOT_CONTEXT,
    with: (value, work, self, ...given) => active.run(value, () => work.apply(self, given)),
    bind: (_, target) => target,
    enable: () => contexts,
    disable: () => contexts,
  };
  context.setGlobalContextManager(contexts);
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
  const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()];
  propagation.setGlobalPropagator(new CompositePropagator({ propagators }));
});
beforeEach(() => spans.reset());
afterAll(() => {
  context.disable();
  trace.disable();
  propagation.disable();
});

const describeSpan = ({ name, kind, attributes, status, events }: ReadableSpan) =>
  `${SpanKind[kind]} "${name}" ${JSON.stringify(attributes)} ${SpanStatusCode[status.code]} ${status.message ?? ''}${events.length}`;

/** Returns the spans that ended since the last call. */
function takeSpans(): string {
  const described = spans.getFinishedSpans().map(describeSpan);
  spans.reset();
  return described.join('; ');
}

it('each end of a request has the log line, metric and span that are recorded', async () => {
  const written: string[] = [];
  const log = createLogger('debug', {
    write(line) {
      const { time: _, pid: _pid, hostname: _host, ...rest } = JSON.parse(line);
      written.push(JSON.stringify(rest));
    },
  });
  const metrics = {
    begun: () => written.push('begun'),
    ended: (...all: unknown[]) => written.push(`ended ${all.join(' ')}`),
  };
  const observer = createObserver(log, metrics as never);
  let now = 1000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const take = () => `${written.splice(0).join('\n  ')}\n  ${takeSpans()}\n`;
  const said: string[] = [];
  const ends = {
    answered: { writableFinished: true, headersSent: true },
    'cut off': { writableFinished: false, headersSent: true },
    'without a response': { writableFinished: false, headersSent: false },
  };
  for (const [end, state] of Object.entries(ends)) {
    for (const [route, statusCode] of [
      ...[200, 304, 404, 499, 500, 503].map(status => ['/v1/me', status] as const),
      ...['/readyz', '/healthz'].map(probe => [probe, 503] as const),
    ]) {
      const response = Object.assign(new EventEmitter(), { ...state, statusCode });
      const person = statusCode === 200 ? { account: 'ada', user: 'ann' } : {};
      const notes = { route, statements: 2, bytes: 10, ...person };
      observer.follow({ id: 'r-1', method: 'GET', headers: {}, notes }, response as never);
      now += 12.34765625;
      response.emit('close');
      said.push(`${route} ${statusCode} ${end}\n  ${take()}`);
    }
  }
  clock.mockRestore();
  observer.onUnreadable(400, 'HPE_INVALID_METHOD');
  observer.onUnreadable(408, undefined);
  said.push(`unreadable\n  ${take()}`);
  await expect(said.join('')).toMatchFileSnapshot('./recorded/observed-requests.txt');
});

it('a request continues the trace of its client, without the keys in it', () => {
  const tracer = findTracer()!;
  const parent = '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';
  const begin = (headers: Record<string, string>) => {
    const { span, context: within } = startRequestSpan(tracer, 'POST', headers);
    expect(trace.getSpan(within)).toBe(span);
    expect(propagation.getBaggage(within)?.getEntry('a')?.value).toBe(headers.baggage?.slice('a='.length));
    span.end();
    const [{ parentSpanContext, name }] = spans.getFinishedSpans() as [ReadableSpan];
    spans.reset();
    const { traceId, spanId, traceState } = parentSpanContext ?? {};
    return [name, traceId && `${traceId}-${spanId}`, traceState?.serialize()];
  };
  const key = `svc_d_${'a'.repeat(43)}`;
  expect(begin({ traceparent: `00-${parent}-01`, tracestate: `a=1,b=${key}` })).toEqual([
    'POST',
    parent,
    'a=1,b=svc_d_[redacted]',
  ]);
  expect(begin({ traceparent: `00-${parent}-0` })).toEqual(['POST', undefined, undefined]);
  expect(begin({ baggage: 'a=1' })).toEqual(['POST', undefined, undefined]);
});

it('an operation has a span with its name, its code and at most 64 characters of the name', () => {
  const outer = startRequestSpan(findTracer()!, 'POST', {});
  const name = (operation: string | undefined, code: string) => {
    const span = outer.tracer.startSpan('graphql');
    nameOperation({ ...outer, span }, { operation, code });
    span.end();
    return takeSpans();
  };
  const type = '"graphql.operation.type":"query"';
  const named = (text: string) => `"graphql.operation.name":"${text}"`;
  expect(name(undefined, 'ok')).toBe(`INTERNAL "graphql" {${type}} UNSET 0`);
  expect(name(undefined, 'BAD_REQUEST')).toBe(
    `INTERNAL "graphql" {${type},"error.type":"BAD_REQUEST"} UNSET 0`,
  );
  expect(name('Policies', 'ok')).toBe(`INTERNAL "query Policies" {${type},${named('Policies')}} UNSET 0`);
  const longest = 'a'.repeat(64);
  expect(name(`${longest}b`, 'LIMIT_EXCEEDED')).toBe(
    `INTERNAL "query ${longest}" {${type},"error.type":"LIMIT_EXCEEDED",${named(longest)}} UNSET 0`,
  );
  const hidden = 'svc_d_[redacted]';
  expect(name(`svc_d_${longest}`, 'ok')).toBe(
    `INTERNAL "query ${hidden}" {${type},${named(hidden)}} UNSET 0`,
  );
  // The length is limited after the key was replaced.
  const longer = `${'a'.repeat(57)}svc_d_k`;
  expect(name(longer, 'ok')).toBe(
    `INTERNAL "query ${longer.slice(0, 63)}[" {${type},${named(`${longer.slice(0, 63)}[`)}} UNSET 0`,
  );
  nameOperation(undefined, { operation: 'a', code: 'ok' });
});

it('failed work has a span with the code or the class of its error', async () => {
  const outer = startRequestSpan(findTracer()!, 'GET', {});
  const fail = async (error: unknown) => {
    const work = () =>
      traceWork(
        outer,
        () => ({ name: 'work' }),
        () => Promise.reject(error),
      );
    await describeAsyncCall(work);
    return takeSpans();
  };
  const failed = (type: string) => `INTERNAL "work" {"error.type":"${type}"} ERROR 0`;
  const coded = (code: unknown) => Object.assign(new TypeError('secret'), { code });
  expect(await fail(coded('42501'))).toBe(failed('42501'));
  expect(await fail(coded('A'.repeat(40)))).toBe(failed('A'.repeat(40)));
  for (const code of ['A'.repeat(41), 'a b', '', 7, undefined])
    expect(await fail(coded(code))).toBe(failed('TypeError'));
  expect(await fail('text')).toBe(failed('undefined'));
  expect(
    await traceWork(
      outer,
      () => ({ name: 'good' }),
      async inner => inner !== outer,
    ),
  ).toBe(true);
  expect(takeSpans()).toBe('INTERNAL "good" {} UNSET 0');
  expect(
    await traceWork(
      undefined,
      () => ({ name: 'none' }),
      async inner => inner,
    ),
  ).toBeUndefined();
  expect(takeSpans()).toBe('');
});

it('work has its own active span, and its caller the previous one after it has ended or failed', async () => {
  const outer = startRequestSpan(findTracer()!, 'GET', {});
  const run = async (work: () => Promise<unknown>) => {
    const seen: unknown[] = [];
    const note = () => seen.push(trace.getActiveSpan());
    const inner = traceWork(
      outer,
      () => ({ name: 'work' }),
      async ({ span } = outer) => {
        note();
        await work().finally(note);
        return span;
      },
    );
    note();
    await inner.catch(() => {});
    note();
    return [...seen.map(span => span === outer.span), seen[0] === seen[2], seen[0] !== undefined];
  };
  const own = [false, true, false, true, true, true];
  expect(await runWithin(outer, () => run(async () => {}))).toEqual(own);
  expect(await runWithin(outer, () => run(() => Promise.reject(new Error('failed'))))).toEqual(own);
  expect(runWithin(outer, () => runWithin(undefined, () => trace.getActiveSpan()))).toBe(outer.span);
  expect(trace.getActiveSpan()).toBeUndefined();
});

it('a request is answered within its span', async () => {
  const seen: unknown[] = [];
  const app = async ({ notes }: { notes: { trace?: { span: unknown } } }) => {
    await null;
    seen.push(notes.trace?.span !== undefined && trace.getActiveSpan() === notes.trace.span);
    return json('{}');
  };
  const server = createServer({ app, logger: createLogger('silent', { write() {} }), answerLimit: 1000 });
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  await (await fetch(`http://127.0.0.1:${port}/`)).text();
  server.closeAllConnections();
  server.close();
  expect(seen).toEqual([true]);
});

it('a statement has a span with its first table, and counts for its request', async () => {
  const outer = startRequestSpan(findTracer()!, 'GET', {});
  const notes = { route: '', statements: 0, bytes: 0, trace: outer };
  const sent: unknown[] = [];
  const rows = async (...all: unknown[]) => void sent.push(all);
  const caller = { key: 'k-1', isGone: () => false, notes };
  const database = new WatchedDatabase({ rows, queryTenant: rows } as never, caller);
  const tableOf = async (text: string) => {
    await database.rows(text, [1], { quick: true } as never);
    const [span] = spans.getFinishedSpans();
    const { 'db.collection.name': table, ...others } = span!.attributes;
    expect([SpanKind[span!.kind], others]).toEqual([
      'CLIENT',
      { 'db.system.name': 'postgresql', 'db.operation.name': 'SELECT' },
    ]);
    expect(span!.name).toBe(table === undefined ? 'SELECT' : `SELECT ${table}`);
    spans.reset();
    return table;
  };
  expect(await tableOf('select a from report r join account a on true')).toBe('report');
  expect(await tableOf('select extract(x) FROM\n  csp_policy')).toBe('csp_policy');
  expect(await tableOf('select * from unnest($1::text[]) u join watch w on true')).toBe('watch');
  expect(await tableOf('select * from (select 1) x cross join lateral finding')).toBe('finding');
  expect(await tableOf('select from generate_series (1, 2)')).toBeUndefined();
  expect(await tableOf('select 1')).toBeUndefined();
  await database.queryTenant('ada' as never, 'select from setup', []);
  expect(takeSpans()).toContain('SELECT setup');
  expect(notes.statements).toBe(7);
  expect([sent[0], sent[6]]).toEqual([
    ['select a from report r join account a on true', [1], { caller, quick: true }],
    ['ada', 'select from setup', [], { caller }],
  ]);
});
