import { createRequire, syncBuiltinESMExports } from 'node:module';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { until } from '../../../test/support/until.ts';
import { createToken, Tokens } from '../src/tokens.ts';
import { collecting, post, violation } from './collecting.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Those who wait for a minute or longer: a test says when it is over. */
const waiting = new Map<number, () => void>();

// Other files of this process have imported the collector, so a mocked module would come too late.
const require = createRequire(import.meta.url);
const timers: typeof import('node:timers/promises') = require('node:timers/promises');
const sleep = timers.setTimeout;
const hash = vi.spyOn(require('node:crypto') as typeof import('node:crypto'), 'hash');

beforeAll(() => {
  timers.setTimeout = (milliseconds = 0, value, options) =>
    milliseconds < MINUTE
      ? sleep(milliseconds, value, options)
      : new Promise((resolve, reject) => {
          waiting.set(milliseconds, () => resolve(value!));
          options?.signal?.addEventListener('abort', reject);
        });
  syncBuiltinESMExports();
});
afterAll(() => {
  timers.setTimeout = sleep;
  hash.mockRestore();
  syncBuiltinESMExports();
});
afterEach(() => waiting.clear());

/** Lets the time pass, and what is due then be done. */
async function pass(milliseconds: number): Promise<void> {
  await until(() => waiting.has(milliseconds));
  const go = waiting.get(milliseconds)!;
  waiting.delete(milliseconds);
  go();
  await until(() => waiting.has(milliseconds));
}

const elsewhere = violation({ 'document-uri': 'https://other.example/' });

it('a collector says once a minute how much it has dropped, and nothing where that is nothing', async () => {
  await using collector = await collecting({}, { hosts: ['acme.example'] });
  const told = () => collector.said.filter(text => text.includes('dropped within a minute'));
  await pass(MINUTE);
  await post(collector.to, violation());
  await pass(MINUTE);
  expect(told()).toEqual([]);
  for (const to of [collector.to, collector.to, `${collector.url}/r/0000000000000000000000`])
    await post(to, elsewhere);
  expect(told()).toEqual([]);
  await pass(MINUTE);
  expect(told().map(text => JSON.parse(text))).toEqual([
    {
      dropped: { acme: { otherHost: 2 } },
      unknownTokens: 1,
      unlistedProxies: 0,
      message: 'dropped within a minute',
    },
  ]);
  await pass(MINUTE);
  expect(told()).toHaveLength(1);
});

it('a collector writes the sums of the day each hour, where they have changed', async () => {
  await using collector = await collecting({}, { hosts: ['acme.example'] });
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

it('a token is looked for by one digest, whether it is there, is nearly there, or is not', async () => {
  await using collector = await collecting();
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
