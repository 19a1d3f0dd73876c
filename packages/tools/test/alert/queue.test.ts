import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Attempt, signature, toWebhook } from '../../src/alert/deliver.ts';
import type { Event } from '../../src/alert/events.ts';
import { deliverEach, isDue, pickOnly, type Retries, withRefused } from '../../src/alert/queue.ts';

const event = (id: string) => ({ id, event: 'new', insight: {} }) as unknown as Event;
const down: Attempt = { problem: 'down', isLasting: false };
const refused: Attempt = { problem: 'refused', isLasting: true };

/** Delivers events to a receiver and returns all attempts and outcomes in order. */
async function deliver(
  names: readonly string[],
  answer: (name: string, attempts: number) => Attempt,
  { retry = 1, retryFor = 60_000 }: Partial<Retries> = {},
  signal = new AbortController().signal,
) {
  const log: string[] = [];
  const times: number[] = [];
  const attempts = new Map<string, number>();
  await deliverEach(
    names.map(event),
    { retry, retryFor },
    signal,
    async ({ id }) => {
      const before = attempts.get(id) ?? 0;
      attempts.set(id, before + 1);
      log.push(id);
      times.push(performance.now());
      return answer(id, before);
    },
    async ({ id }, problem) => {
      log.push(`${id}: ${problem ?? 'taken'}`);
    },
  );
  return { log, waits: times.slice(1).map((time, index) => time - times[index]!) };
}

it('an event is settled once it is delivered or permanently refused', async () => {
  const { log } = await deliver(['a', 'b', 'c'], (name, attempts) =>
    name === 'a' ? undefined : name === 'b' ? refused : attempts < 2 ? down : undefined,
  );
  expect(log).toEqual(['a', 'a: taken', 'b', 'b: refused', 'c', 'c', 'c', 'c: taken']);
});

it('a signature contains the time in seconds, and the HMAC-SHA256 of it and the body', () => {
  // printf '1779285600.{}' | openssl dgst -sha256 -hmac secret
  const hmac = '33cf99bfe1c6141c2785a12917b157c4eb3951907a4839ed452cad81a5bd4351';
  expect(signature('secret', '{}', new Date(1_779_285_600_999))).toBe(`t=1779285600,v1=${hmac}`);
});

it.each([
  [200, undefined],
  [302, true],
  [400, true],
  [404, true],
  [408, false],
  [425, false],
  [429, false],
  [500, false],
])('the status %i of a receiver refuses an event for good: %s', async (status, isLasting) => {
  const server = createServer((_, response) => response.writeHead(status).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const send = toWebhook({ url, format: 'json', secret: undefined });
  const texts = { title: 'a', detail: 'b', subject: 'c', link: '/app', query: null };
  const sent = { ...event('a'), insight: texts } as unknown as Event;
  const failed = await send(sent, 'https://reports.example.com/app', new AbortController().signal);
  server.closeAllConnections();
  server.close();
  expect(failed?.isLasting).toBe(isLasting);
});

it('a receiver that does not respond within 15 seconds is tried again', async () => {
  const limit = new AbortController();
  const limits = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  const server = createServer(() => limit.abort()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const texts = { title: 'a', detail: 'b', subject: 'c', link: '/app', query: null };
  const sent = { ...event('a'), insight: texts } as unknown as Event;
  const send = toWebhook({ url, format: 'json', secret: undefined });
  const failed = await send(sent, 'https://reports.example.com/app', new AbortController().signal);
  expect(limits.mock.calls).toEqual([[15_000]]);
  limits.mockRestore();
  server.closeAllConnections();
  server.close();
  expect(failed).toEqual({ problem: 'the receiver does not respond', isLasting: false });
});

it('an abort ends the request to a receiver', async () => {
  const ending = new AbortController();
  const signals: AbortSignal[] = [];
  vi.stubGlobal('fetch', (_: URL, { signal }: { signal: AbortSignal }) => {
    signals.push(signal);
    ending.abort();
    return signal.aborted ? Promise.reject(signal.reason) : Promise.resolve(new Response());
  });
  const texts = { title: 'a', detail: 'b', subject: 'c', link: '/app', query: null };
  const sent = { ...event('a'), insight: texts } as unknown as Event;
  const send = toWebhook({ url: new URL('https://hooks.example.com'), format: 'json', secret: undefined });
  const failed = await send(sent, 'https://reports.example.com/app', ending.signal);
  vi.unstubAllGlobals();
  expect(failed).toEqual({ problem: 'the receiver does not respond', isLasting: false });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

it('a failed event is retried with exponential back-off', async () => {
  const { log, waits } = await deliver(['a'], (_, attempts) => (attempts < 3 ? down : undefined), {
    retry: 15,
  });
  expect(log).toEqual(['a', 'a', 'a', 'a', 'a: taken']);
  for (const [index, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(15 * 2 ** index - 2);
});

describe('with a stopped clock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('the last attempt is made exactly when the retry period ends', async () => {
    const { log } = await deliver(['a', 'b'], () => down, { retry: 10, retryFor: 10 });
    expect(log).toEqual(['a', 'b', 'a', 'a: down', 'b', 'b: down']);
    const { log: none } = await deliver(['a', 'b'], () => down, { retry: 10, retryFor: 9 });
    expect(none).toEqual(['a', 'a: down', 'b', 'b: down']);
  });

  it('the back-off is limited to five minutes', async () => {
    const waiting = new AbortController();
    const of = (retryFor: number) => deliver(['a'], () => down, { retry: 900_000, retryFor }, waiting.signal);
    expect((await of(299_999)).log).toEqual(['a', 'a: down']);
    const run = of(300_000);
    await pause(5);
    waiting.abort();
    expect((await run).log).toEqual(['a']);
  });
});

it('simultaneously due events are delivered in their original order', async () => {
  const { log } = await deliver(['a', 'b', 'c'], (_, attempts) => (attempts === 0 ? down : undefined), {
    retry: 25,
  });
  expect(log).toEqual(['a', 'b', 'c', 'a', 'a: taken', 'b', 'b: taken', 'c', 'c: taken']);
});

it('no attempt starts after an abort, but a successful one is still recorded', async () => {
  const ending = new AbortController();
  const taken = await deliver(
    ['a', 'b'],
    () => {
      ending.abort();
      return undefined;
    },
    {},
    ending.signal,
  );
  expect(taken.log).toEqual(['a', 'a: taken']);
  const failing = new AbortController();
  const failed = await deliver(
    ['a', 'b'],
    () => {
      failing.abort();
      return down;
    },
    {},
    failing.signal,
  );
  expect(failed.log).toEqual(['a']);
  // A delivery that fails during an abort does not count as refused, because the abort can be the reason.
  const refusing = new AbortController();
  const ended = await deliver(
    ['a', 'b'],
    () => {
      refusing.abort();
      return refused;
    },
    {},
    refusing.signal,
  );
  expect(ended.log).toEqual(['a']);
  // An abort ends a pending wait.
  const waiting = new AbortController();
  const run = deliver(['a'], () => down, { retry: 3_000_000, retryFor: 4_000_000 }, waiting.signal);
  await pause(5);
  waiting.abort();
  expect((await run).log).toEqual(['a']);
});

it('refused events are retried at the due millisecond and forgotten if they no longer exist', () => {
  const now = new Date('2026-05-20T12:00:00Z');
  const aside = withRefused(withRefused({}, event('a'), now), event('a'), now);
  expect(aside).toEqual({ a: { tries: 2, due: '2026-05-20T12:01:00.000Z' } });
  expect(isDue(aside, event('a'), new Date('2026-05-20T12:00:59.999Z'))).toBe(false);
  expect(isDue(aside, event('a'), new Date('2026-05-20T12:01:00Z'))).toBe(true);
  // An id can be the name of a property of Object.prototype.
  expect(isDue(aside, event('constructor'), now)).toBe(true);
  expect(withRefused(aside, event('toString'), now)).toMatchObject({ toString: { tries: 1 } });
  const both = withRefused(aside, event('b'), now);
  expect(Object.keys(pickOnly(both, [event('b'), event('c')]))).toEqual(['b']);
});
