import { setFlagsFromString } from 'node:v8';
import { beforeAll, expect, it } from 'vitest';
import { type History, historyOf } from './history.ts';
import { type Played, play } from './play.ts';
import { PROMISES, type PromiseName } from './promises.ts';

/**
 * The whole client of the database, through histories of loads and troubles, in a time of its own. A number makes a
 * history: `SEED=7` plays that one again and prints it, `HISTORIES=1000000` plays so many.
 */

const FEW = 300;
const HISTORIES = Number(process.env.HISTORIES ?? FEW);
const SEED = process.env.SEED;

/** Histories that break a promise still. This list only gets shorter. */
const KNOWN: Partial<Record<PromiseName, readonly number[]>> = {
  recovery: [5, 21, 29, 48, 53, 60, 68, 73, 153, 160, 172, 180, 187, 195, 240, 251, 265],
  isolation: [8, 31, 69, 94, 100, 104, 110, 121, 144, 155, 179, 205, 208, 237, 242, 247, 270, 274, 275, 278],
  share: [10, 66, 84, 89, 109, 137, 150, 198, 201, 264, 266],
  conserving: [184, 240, 251, 269],
};

/** Here code runs often enough to be worth its optimizing (`OPTIMIZE_LATE`): V8's own value. */
beforeAll(() => setFlagsFromString('--interrupt-budget=135168'));

interface Breach {
  promise: string;
  seed: number;
  how: string;
}

const PAIRS = Object.entries(PROMISES);

const breachesOf = (played: Played): Breach[] =>
  PAIRS.flatMap(([promise, isKept]) => {
    const how = isKept(played);
    return how ? [{ promise, seed: played.history.seed, how }] : [];
  });

const told = ({ seed, kind, poolSize, load, troubles, endsAt }: History) => {
  const of = troubles.map(
    ({ kind, from, to, amount, keys }) =>
      `${kind} ${from.toFixed(0)}–${to.toFixed(0)} (${amount.toFixed(0)}) ${[...(keys ?? ['all'])].join(' ')}`,
  );
  return `SEED=${seed}: ${kind}, pool of ${poolSize}, load ${load.toFixed(2)}, to ${endsAt.toFixed(0)}\n${of.join('\n')}`;
};

function trace({ history, fates, aways }: Played): string {
  const lines = fates.map(
    ({ at, key, takes, quick, sentAt, settledAt, failure }) =>
      `${at.toFixed(1)}\t${key || 'own'}\t${takes.toFixed(0)} ms${quick ? ' quick' : ''}\t${sentAt?.toFixed(1)}\t${settledAt?.toFixed(1)}\t${failure ?? ''}`,
  );
  return `${told(history)}\naway at ${aways.map(at => at.toFixed(0)).join(' ')}\n${lines.join('\n')}\n`;
}

it(`${SEED ? `history ${SEED}` : `${HISTORIES} histories`}: every promise is kept`, async () => {
  const seeds = SEED ? [Number(SEED)] : Array.from({ length: HISTORIES }, (_, n) => n + 1);
  const breaches: Breach[] = [];
  for (const seed of seeds) {
    const played = await play(historyOf(seed));
    breaches.push(...breachesOf(played));
    if (SEED) process.stderr.write(trace(played));
  }
  for (const { promise, seed, how } of breaches.slice(0, 20))
    if (!KNOWN[promise as PromiseName]?.includes(seed))
      process.stderr.write(`${promise}: ${how}\n${told(historyOf(seed))}\n`);
  const found = Object.fromEntries(
    PAIRS.map(([promise]) => [
      promise,
      breaches.filter(one => one.promise === promise).map(({ seed }) => seed),
    ]),
  );
  const known = Object.fromEntries(
    PAIRS.map(([promise]) => [
      promise,
      (KNOWN[promise as PromiseName] ?? []).filter(seed => seeds.includes(seed)),
    ]),
  );
  expect(found).toEqual(known);
});

it('a history is the same whenever it is played', async () => {
  const [one, other] = [await play(historyOf(3)), await play(historyOf(3))];
  expect(one.fates).toEqual(other.fates);
});
