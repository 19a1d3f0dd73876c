import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../test/faults/scale.ts';
import { importBytes } from '../../import/test/reports.ts';
import { type Collecting, collecting, linesIn, post, violation } from './collecting.ts';

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

/** A body with parts cut out, doubled, or put in, as bytes. */
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

describe('what strangers send', () => {
  let collector: Collecting & { to: string };
  beforeAll(async () => {
    collector = await collecting();
  });
  afterAll(() => collector[Symbol.asyncDispose]());

  it('is answered, and each line that comes of it is one that the importer takes', async () => {
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
    collector = await collecting();
  });

  it('ends no process and is no failure of it, also where it is no HTTP', async () => {
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

/** All that comes back, until the connection is closed; nothing more is sent. */
async function answerTo(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.end(text);
  return textOf(socket).catch(() => '');
}
