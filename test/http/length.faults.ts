import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IN_EARNEST } from '../faults/scale.ts';
import { NOW, open, personal, plan } from '../support/fixtures.ts';
import { startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** The cost of each part of a request that is parsed, compared with the cost of the same number of unparsed bytes. */

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startService({ now: NOW, mayFail: true });
  key = await open(service, personal('ada'), plan('ada'));
});
afterAll(() => service.close());

/** Sizes in bytes just below the limits of headers (256 KiB) and targets (128 KiB). */
const HEADER = 240_000;
const TARGET = 120_000;

/** Inputs that are cheap to send but could be expensive to parse. */
const FILLERS = [',', 'gzip;q=0.5,', 'W/"x",', ' ', ';', 'a,', '*/*;q=0.1,', '"', '='];
const TARGET_FILLERS = [
  '&',
  'a=%ff&',
  ',',
  '%zz&',
  '=',
  '/',
  '%41',
  '+',
  '*',
  'a=b&',
  '*a',
  'a,',
  '%2C',
  '?',
  '.',
  '{',
];

/** In test:faults, all of them; otherwise those that used to be expensive. */
const some = (fillers: readonly string[]) => (IN_EARNEST ? fillers : fillers.slice(0, 3));

const fill = (filler: string, length: number) => filler.repeat(Math.floor(length / filler.length));

const PREFIXES: Record<string, string> = {
  authorization: 'Bearer ',
  'content-type': 'application/json',
  'if-none-match': '"a"',
  host: '',
};

/** Every header that the service reads. */
const HEADERS = [
  'accept',
  'accept-encoding',
  'authorization',
  'content-type',
  'cookie',
  'if-none-match',
  'traceparent',
  'tracestate',
  'x-request-id',
  'host',
];

/** Targets with a placeholder that is filled up to the size. */
const TARGETS: readonly ((filler: string) => string)[] = [
  filler => `/v1/me?${filler}`,
  filler => `/v1/${filler}`,
  filler => `/${filler}`,
  filler => `/v1/reports/${filler}?unit=days&date=2026-05-20`,
  filler => `/v1/watches/script/${filler}`,
  filler => `/v1/policies/csp/${filler}`,
  filler => `/v1/reports/csp?unit=days&date=${filler}`,
  ...['hostnames', 'blockedPaths', 'policy', 'id', 'action', 'ioc'].map(
    name => (filler: string) => `/v1/reports/csp?unit=days&date=2026-05-20&${name}=${filler}`,
  ),
  filler => `/v1/audit-log?limit=${filler}`,
  filler => `/v1/audit-log?cursor=${filler}`,
  filler => `/graphql?query=${filler}`,
  filler => `/graphql?query={viewer{id}}&variables=${filler}`,
  filler => `/graphql?query={viewer{id}}&operationName=${filler}`,
];

function request(target: string, headers: Record<string, string>): Buffer {
  const lines = Object.entries({
    host: 'localhost',
    authorization: `Bearer ${key}`,
    connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  // The page at /docs is large, but only the time before the response matters here.
  const method = target === '/docs' ? 'HEAD' : 'GET';
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
}

/** Resolves with the response status once the connection is closed. */
async function getStatus(connection: Socket): Promise<number> {
  let status = 0;
  try {
    for await (const chunk of connection)
      status ||= Number(/^HTTP\/1\.1 (\d{3}) /.exec(chunk.toString('latin1', 0, 16))?.[1]);
  } catch (error) {
    // A connection reset after the response is normal.
    if (!status) throw error;
  }
  return status;
}

/** The processor time of a request in milliseconds, including that of its client. */
async function cost(bytes: Buffer): Promise<number> {
  const connection = connect(Number(new URL(service.url).port), '127.0.0.1');
  const before = process.cpuUsage();
  connection.write(bytes);
  const status = await getStatus(connection);
  const { user, system } = process.cpuUsage(before);
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(500);
  return (user + system) / 1000;
}

/** The minimum of several runs, because V8's other work can only add to it. */
async function least(turns: number, bytes: Buffer, enough = 0): Promise<number> {
  let found = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < turns && found > enough; turn++) found = Math.min(found, await cost(bytes));
  return found;
}

/** In milliseconds. Smaller differences cannot be measured. */
const GRAIN = 4;

/** Checks that the request is not more expensive than receiving the same number of unparsed bytes. */
async function expectFair(tried: Buffer, yardstick: number, what: string): Promise<void> {
  const most = 1.5 * yardstick + GRAIN;
  expect(await least(20, tried, most), `milliseconds with ${JSON.stringify(what)}`).toBeLessThan(most);
}

const unread = (target: string, length: number) =>
  least(10, request(target, { 'x-padding': fill('x', length) }));

describe('a large request costs no more than receiving its bytes', () => {
  it.each(HEADERS)('in the header %s', async name => {
    for (const target of ['/docs', '/graphql?query={viewer{id}}']) {
      const yardstick = await unread(target, HEADER);
      for (const filler of some(FILLERS)) {
        const value = (PREFIXES[name] ?? '') + fill(filler, HEADER);
        await expectFair(request(target, { [name]: value }), yardstick, `${target} ${filler}`);
      }
    }
  });

  it.each(TARGETS.map(target => [target('…'), target] as const))('in the target %s', async (_, target) => {
    const yardstick = await unread(target('x'), TARGET);
    for (const filler of some(TARGET_FILLERS)) {
      await expectFair(request(target(fill(filler, TARGET)), {}), yardstick, filler);
    }
  });
});

describe('a large header', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;

  /** Returns the memory in use after all requests, in bytes. */
  function held(): number {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  }

  it('is not retained after its request', async () => {
    const send = async (count: number) => {
      for (const [index, name] of Array<string[]>(count).fill(HEADERS).flat().entries()) {
        const value = (PREFIXES[name] ?? '') + fill(`${index},`, HEADER);
        await cost(request('/graphql?query={viewer{id}}', { [name]: value }));
        await cost(request('/docs', { [name]: value }));
      }
    };
    await send(3);
    const before = held();
    await send(25);
    // A fifth of the bytes received in headers, after the connections were closed.
    await until(() => expect(held() - before).toBeLessThan(2_400_000), 250);
  });
});
