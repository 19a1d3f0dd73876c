import { remembered } from '@sightline/feed';
import Negotiator from 'negotiator';
import { expect, it, onTestFinished, vi } from 'vitest';
import { addressReader } from '../packages/csp/src/match.ts';
import { dayNumber, dayText } from '../packages/pg-client/src/driver/binary-values.ts';
import { createAnswerCache } from '../schema/answer-cache.ts';
import { addDays, listDays } from '../schema/calendar.ts';
import { codingFor } from '../src/http/compress.ts';

const [readAddress, readSize] = [addressReader(), remembered((text: string) => text.length, 10)];

/** Functions with a limited cache: more different questions than it holds, and the answer to each. */
const CACHES: Record<string, [most: number, ask: (at: number) => unknown, answer: (at: number) => unknown]> =
  {
    'content codings': [200, at => codingFor(`gzip, x-${at};q=0.1`), () => 'gzip'],
    'lists of days': [
      50,
      at => listDays({ from: '2026-01-01', to: addDays('2026-01-01', at) }).at(-1),
      at => addDays('2026-01-01', at),
    ],
    'formatted days': [5000, at => dayNumber(dayText(at)), at => at],
    'parsed addresses': [
      10_000,
      at => readAddress(`https://host-${at}.example/`)?.host,
      at => `host-${at}.example`,
    ],
    'answers about texts': [10, at => readSize('x'.repeat(at)), at => at],
  };

it.each(Object.entries(CACHES))(
  'the cache of %s answers correctly when it is full',
  (_, [most, ask, answer]) => {
    const questions = Array.from({ length: 2 * most + 3 }, (_, at) => at);
    // Each question is asked again immediately, and after all others.
    for (let times = 0; times < 2; times++)
      expect(questions.map(at => [ask(at), ask(at)])).toEqual(questions.map(at => [answer(at), answer(at)]));
  },
);

it('the latest content codings are cached, and not all there ever were', () => {
  const read = vi.spyOn(Negotiator.prototype, 'encodings');
  onTestFinished(() => read.mockRestore());
  const ask = (at: number) => codingFor(`br, y-${at};q=0.2`);
  for (let at = 0; at <= 400; at++) ask(at);
  read.mockClear();
  ask(400);
  expect(read).not.toHaveBeenCalled();
  ask(0);
  expect(read).toHaveBeenCalledOnce();
});

it('a cached answer needs the space of its value and of its name', () => {
  const cache = createAnswerCache<object>(100, () => 60);
  const [fits, tooLong] = ['n'.repeat(20), 'n'.repeat(21)] as const;
  for (const name of [fits, tooLong]) cache.keep(name, { name });
  expect([cache.get(fits), cache.get(tooLong)]).toEqual([{ name: fits }, undefined]);
});
