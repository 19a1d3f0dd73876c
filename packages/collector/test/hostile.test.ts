import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IN_EARNEST, runs } from '../../../test/faults/scale.ts';
import { until } from '../../../test/support/until.ts';
import { importBytes } from '../../importer/test/reports.ts';
import { linesIn, post, startTestCollector, type TestCollector, violation } from './collecting.ts';

const report = (type: string, body: object) => ({
  type,
  age: 1,
  url: 'https://acme.example/',
  user_agent: 'x',
  body,
});
const SEEDS = [
  violation({ 'script-sample': '\u0000\ud800"}\n' }),
  JSON.stringify([
    report('csp-violation', { documentURL: 'https://acme.example/', effectiveDirective: 'img-src' }),
  ]),
  JSON.stringify([
    report('deprecation', { id: 'x', anticipatedRemoval: 1e300 }),
    report('crash', { reason: 'oom' }),
  ]),
  JSON.stringify(
    report('network-error', { phase: 'dns', sampling_fraction: -1, elapsed_time: 1.5, type: 'x' }),
  ),
  JSON.stringify({
    'document-uri': 'x',
    'violated-directive': 'y',
    time: '2020-01-01T00:00:00Z',
    client_ip: '1.2.3.4',
  }),
  JSON.stringify({
    id: 'u',
    time: 'now',
    usage: { type: 'csp', rejected: 9 },
    body: JSON.parse(violation()),
  }),
  JSON.stringify({ type: 'csp-violation', body: violation() }),
  '{"organization-name":"x","report-id":"y","policies":[{"policy":{"policy-domain":"d"}}]}',
];
const PIECES = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  'null',
  '1e999',
  '\u0000',
  '\r\n',
  '__proto__',
  '"usage":',
  '\u2028',
];

/** Arbitrary bodies with parts removed, repeated or inserted. */
const mutated = fc
  .tuple(
    fc.constantFrom(...SEEDS),
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.nat(12),
        fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4, unit: 'binary' })),
      ),
      { minLength: 1, maxLength: 6 },
    ),
    fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 2 }),
  )
  .map(([seed, edits, flips]) => {
    let text = seed;
    for (const [place, length, piece] of edits) {
      const at = place % (text.length + 1);
      text = text.slice(0, at) + piece + text.slice(at + length);
    }
    const bytes = Buffer.from(text);
    for (const [place, byte] of flips) if (bytes.length > 0) bytes[place % bytes.length] = byte;
    return bytes;
  });

describe('hostile input', () => {
  let collector: TestCollector & { to: string };
  beforeAll(async () => {
    collector = await startTestCollector();
  });
  afterAll(() => collector[Symbol.asyncDispose]());

  it('gets a response, and produces only lines that the importer accepts', { tags: 'slow' }, async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(mutated, async body => {
        const { status } = await post(`${collector.to}/report`, body);
        expect([204, 400, 413]).toContain(status);
        answered++;
      }),
      runs(300, 10_000),
    );
    await collector.collector.close();
    const lines = await linesIn(collector.spool);
    expect(lines.length).toBeGreaterThan(answered / 100);
    for (const line of lines)
      expect(Object.keys(line).join()).toMatch(/^id,time,(usage|kind,user_agent,body)$/);
    const text = lines.map(line => `${JSON.stringify(line)}\n`).join('');
    const { records, skipped, usage } = await importBytes(text, { format: 'collected' });
    expect(skipped).toEqual([]);
    expect(usage).toEqual([]);
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
    collector = await startTestCollector();
  });

  it('does not slow down other requests with hosts that exceed the length limit', {
    tags: 'slow',
  }, async () => {
    await using one = await startTestCollector({}, { hosts: ['acme.example'] });
    const other = await one.token({ account: 'other' });
    const host = String.fromCodePoint(...Array.from({ length: 20_000 }, (_, at) => 0x4e00 + at));
    const body = violation({ 'document-uri': `https://${host}/`, 'blocked-uri': `https://${host}/x.js` });
    await until(async () => (await post(other, '{}')).status === 400);
    const before = process.cpuUsage();
    const longest: number[] = [];
    // Client and collector share this process, and the first round includes their compilation.
    for (let round = 0; round < 3; round++) {
      const flood = Promise.all(Array.from({ length: 24 }, () => post(one.to, body)));
      const times: number[] = [];
      for (let time = 0; time < 33; time++) {
        const begun = performance.now();
        const [reported, health] = await Promise.all([post(other, violation()), fetch(`${one.url}/healthz`)]);
        times.push(performance.now() - begun);
        expect([reported.status, health.status]).toEqual([204, 200]);
      }
      await flood;
      longest.push(Math.max(...times));
    }
    // Without limits, each body would take about half a second.
    expect(process.cpuUsage(before).user).toBeLessThan(12_000_000);
    if (IN_EARNEST) expect(Math.min(...longest)).toBeLessThanOrEqual(100);
    await until(async () => (await one.lines('other')).length === 99);
  });

  it('neither ends the process nor causes a 5xx response, even if it is not HTTP', async () => {
    const path = new URL(collector.to).pathname;
    const good = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`;
    const broken = fc
      .array(fc.tuple(fc.nat(good.length), fc.nat(9), fc.string({ maxLength: 6, unit: 'binary' })), {
        minLength: 1,
        maxLength: 4,
      })
      .map(edits =>
        edits.reduce(
          (text, [at, length, piece]) => text.slice(0, at) + piece + text.slice(at + length),
          good,
        ),
      );
    await fc.assert(
      fc.asyncProperty(broken, async text => {
        const answer = await answerTo(collector.url, text);
        for (const [, status] of answer.matchAll(/^HTTP\/1\.1 (\d+)/gm))
          expect(Number(status)).toBeLessThan(500);
      }),
      runs(40, 2000),
    );
    expect((await post(collector.to, violation())).status).toBe(204);
  });
});

/** Sends a text and returns everything that the server sends until it closes the connection. */
async function answerTo(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.end(text);
  return textOf(socket).catch(() => '');
}
