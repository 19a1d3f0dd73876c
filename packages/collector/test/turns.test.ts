import { createRequire } from 'node:module';
import { BlockList } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { realPause, simulatePauses } from '../../../test/support/simulated-pauses.ts';
import { until } from '../../../test/support/until.ts';
import { Forwarder } from '../src/forward.ts';
import { createToken, Tokens } from '../src/tokens.ts';
import { post, startTestCollector, violation } from './collecting.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Callbacks of timers of a minute or longer, by interval. The tests run them explicitly. */
const waiting = new Map<number, (() => void)[]>([
  [MINUTE, []],
  [HOUR, []],
]);
/** Number of periodic tasks per minute and per hour. */
const REPEATED = new Map([
  [MINUTE, 2],
  [HOUR, 1],
]);

const crypto: typeof import('node:crypto') = createRequire(import.meta.url)('node:crypto');
const hash = vi.spyOn(crypto, 'hash');

let restorePauses: () => void;
beforeAll(() => {
  restorePauses = simulatePauses((milliseconds, value, options) =>
    milliseconds < MINUTE
      ? realPause(milliseconds, value, options)
      : new Promise((resolve, reject) => {
          waiting.get(milliseconds)!.push(() => {
            options?.signal?.removeEventListener('abort', reject);
            resolve(value);
          });
          options?.signal?.addEventListener('abort', reject);
        }),
  );
});
afterAll(() => {
  hash.mockRestore();
  restorePauses();
});
afterEach(() => {
  for (const those of waiting.values()) those.length = 0;
});

/** Runs the timers of this interval and waits for their work. */
async function pass(milliseconds: number): Promise<void> {
  const those = waiting.get(milliseconds)!;
  const areAllWaiting = () => those.length === REPEATED.get(milliseconds);
  await until(areAllWaiting);
  for (const go of those.splice(0)) go();
  await until(areAllWaiting);
}

const elsewhere = violation({ 'document-uri': 'https://other.example/' });

it('a collector logs once a minute how many reports it dropped, unless there were none', async () => {
  await using collector = await startTestCollector({ proxies: new BlockList() }, { hosts: ['acme.example'] });
  const listWarnings = () => collector.said.filter(text => text.includes('dropped within a minute'));
  await pass(MINUTE);
  await post(collector.to, violation());
  await pass(MINUTE);
  expect(listWarnings()).toEqual([]);
  for (const to of [collector.to, collector.to, `${collector.url}/r/0000000000000000000000`])
    await post(to, elsewhere, { 'x-forwarded-for': '203.0.113.7' });
  expect(listWarnings()).toEqual([]);
  await pass(MINUTE);
  expect(listWarnings().map(text => JSON.parse(text))).toEqual([
    {
      dropped: { acme: { otherHost: 2 } },
      unknownTokens: 1,
      unlistedProxies: 3,
      message: 'dropped within a minute',
    },
  ]);
  await pass(MINUTE);
  expect(listWarnings()).toHaveLength(1);
});

it('a collector writes the sums of the day every hour if they have changed', async () => {
  await using collector = await startTestCollector({}, { hosts: ['acme.example'] });
  const rejected = async () => (await collector.lines()).map(({ usage }) => usage.rejected);
  await post(collector.to, elsewhere);
  await pass(HOUR);
  await until(async () => (await rejected()).length === 1);
  await pass(HOUR);
  await post(collector.to, elsewhere);
  await pass(HOUR);
  await until(async () => (await rejected()).length === 2);
  expect(await rejected()).toEqual([1, 2]);
});

it('a changed file of tokens is read once it stays the same between two looks', async () => {
  await using collector = await startTestCollector();
  const tokens = new Tokens(collector.tokens);
  await tokens.refresh(true);
  const token = await createToken(collector.tokens, { account: 'later' });
  const found: boolean[] = [];
  for (let look = 0; look < 2; look++) {
    await tokens.refresh();
    found.push(tokens.find(token) !== undefined);
  }
  expect(found).toEqual([false, true]);
  expect(tokens.accounts).toBe(2);
});

it('a token lookup computes one digest, regardless of whether the token matches', async () => {
  await using collector = await startTestCollector();
  const token = await createToken(collector.tokens, { account: 'acme' });
  const tokens = new Tokens(collector.tokens);
  await tokens.refresh(true);
  const nearly = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
  const digests = [token, nearly, '0'.repeat(22), token].map(text => {
    hash.mockClear();
    const found = tokens.find(text) !== undefined;
    return { found, digests: hash.mock.calls.map(([, of]) => of) };
  });
  expect(digests).toEqual([
    { found: true, digests: [token] },
    { found: false, digests: [nearly] },
    { found: false, digests: ['0'.repeat(22)] },
    { found: true, digests: [token] },
  ]);
});

it('a collector logs once a minute how many bodies the other collector rejected', async () => {
  const forward = { hosts: [], timeout: 200, pause: 1, url: 'http://127.0.0.1:1/' };
  await using collector = await startTestCollector({ forward });
  const listWarnings = () => collector.said.filter(text => text.includes('rejected by the other collector'));
  await pass(MINUTE);
  await post(collector.to, violation());
  const failed = 'sightline_collect_forwarded_total{account="acme",outcome="failed"}';
  await until(async () => (await collector.metric(failed)) === 1);
  expect(listWarnings()).toEqual([]);
  await pass(MINUTE);
  await pass(MINUTE);
  expect(listWarnings().map(text => JSON.parse(text))).toEqual([
    { failed: 1, message: 'rejected by the other collector' },
  ]);
});

it.each([
  [0, [50, 100, 200, 400]],
  [0.5, [100, 200, 400, 800]],
])(
  'a body is sent again after delays that double, shorter or longer by chance: %d',
  async (chance, delays) => {
    const waited: number[] = [];
    const mocks = [
      vi.spyOn(Math, 'random').mockReturnValue(chance),
      vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('refused')),
    ];
    const restore = simulatePauses(async milliseconds => void waited.push(milliseconds));
    const item = { account: 'acme', body: Buffer.from('{}'), contentType: undefined, userAgent: '' };
    const outcome = await new Promise(resolve => {
      const settings = { url: 'http://127.0.0.1:1/', hosts: [], pause: 100 };
      const forwarder = new Forwarder(
        settings,
        () => false,
        (_, outcome) => resolve(outcome),
      );
      forwarder.reserve(item);
      forwarder.send(item);
    });
    for (const mock of mocks) mock.mockRestore();
    restore();
    expect([outcome, waited]).toEqual(['failed', delays]);
  },
);
