import { setFlagsFromString } from 'node:v8';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../sql/client.ts';
import { OPTIMIZE_LATE, OPTIMIZE_SOON } from '../support/v8-flags.ts';
import { type Breach, getBreaches } from './breaches.ts';
import { type History, readHistory } from './history.ts';
import { type PlayResult, play } from './play.ts';
import { SeededRandom } from './random.ts';
import { SimulatedServer } from './simulated-server.ts';
import { VirtualClock } from './virtual-clock.ts';

/**
 * Runs the complete database client through simulated histories of load and faults. A history is seeded with a number:
 * `SEED=7` replays and prints that one, and `HISTORIES=1000000` plays that many.
 */

/** `.ci/run` plays 20,000. */
const FEW = 120;

/** Seeds below one million that once broke a promise, with the current rules or without one of them. */
const FOUND = [
  49340, 97582, 118683, 259423, 293444, 304072, 374141, 399060, 414353, 425445, 442919, 446626, 447537,
  470431, 493188, 507912, 516355, 539295, 554497, 566807, 583043, 644110, 646737, 693976, 699641, 709360,
  774634, 781475, 813956, 823920, 848496, 914953, 974618,
];

const HISTORIES = Number(process.env.HISTORIES ?? FEW);
const SEED = process.env.SEED;

beforeAll(() => setFlagsFromString(OPTIMIZE_SOON));
afterAll(() => setFlagsFromString(OPTIMIZE_LATE));

const describeHistory = ({ seed, kind, poolSize, load, faults, endsAt }: History) => {
  const of = faults.map(
    ({ kind, from, to, amount, keys }) =>
      `${kind} ${from.toFixed(0)}–${to.toFixed(0)} (${amount.toFixed(0)}) ${[...(keys ?? ['all'])].join(' ')}`,
  );
  return `SEED=${seed}: ${kind}, pool of ${poolSize}, load ${load.toFixed(2)}, to ${endsAt.toFixed(0)}\n${of.join('\n')}`;
};

function trace({ history, fates, aways }: PlayResult): string {
  const lines = fates.map(
    ({ at, key, takes, quick, sentAt, settledAt, failure }) =>
      `${at.toFixed(1)}\t${key || 'own'}\t${takes.toFixed(0)} ms${quick ? ' quick' : ''}\t${sentAt?.toFixed(1)}\t${settledAt?.toFixed(1)}\t${failure ?? ''}`,
  );
  return `${describeHistory(history)}\naway at ${aways.map(at => at.toFixed(0)).join(' ')}\n${lines.join('\n')}\n`;
}

/** In milliseconds: enough for 20,000 histories on a busy machine. */
const TIME_LIMIT = 1_800_000;

it(
  `${SEED ? `history ${SEED}` : `${HISTORIES} histories`}: every promise is kept`,
  async () => {
    const seeds = SEED ? [Number(SEED)] : [...Array.from({ length: HISTORIES }, (_, n) => n + 1), ...FOUND];
    const breaches: Breach[] = [];
    for (const seed of seeds) {
      const played = await play(readHistory(seed));
      breaches.push(...getBreaches(played));
      if (SEED) process.stderr.write(trace(played));
    }
    for (const { promise, seed, how } of breaches.slice(0, 20))
      process.stderr.write(`${promise}: ${how}\n${describeHistory(readHistory(seed))}\n`);
    expect(breaches.map(({ promise, seed }) => `${promise} ${seed}`)).toEqual([]);
  },
  TIME_LIMIT,
);

it('a history is reproducible', async () => {
  const [one, other] = [await play(readHistory(3)), await play(readHistory(3))];
  expect(one.fates).toEqual(other.fates);
});

/** Creates a client that counts how often its timers fire. Each timer is late by this many milliseconds. */
function counted(late = 0) {
  const clock = new VirtualClock();
  const server = new SimulatedServer(clock, new SeededRandom(1), []);
  const seen = { wakings: 0 };
  const every = (milliseconds: number, call: () => void) =>
    clock.every(milliseconds + late, () => {
      seen.wakings++;
      call();
    });
  const client = connect(
    {
      ...{ url: 'postgres://simulated', poolSize: 2, statementTimeout: 2000, queueTimeout: 1000 },
      ...{ queueLimit: 10, prepare: true, role: '' },
    },
    { away() {}, back() {} },
    {
      clock: { now: () => clock.now(), after: clock.after.bind(clock), every },
      remembered: 50,
      makeConnection: server.makeConnection,
    },
  );
  const ask = (takes = 5) => client.rows('own', [{ takes }] as never, { limit: 1000 });
  return { clock, client, ask, seen };
}

it('an idle client wakes at most six times in two minutes, and closes its connection', async () => {
  const { clock, client, ask, seen } = counted();
  const answer = ask();
  await clock.run(60_000);
  await answer;
  expect(client.counters.connections).toBe(1);
  const before = seen.wakings;
  await clock.run(120_000);
  expect(seen.wakings - before).toBeLessThanOrEqual(6);
  await clock.run(400_000);
  expect(client.counters.connections).toBe(0);
});

it('a client with ten statements per second wakes at most once per three statements', async () => {
  const { clock, ask, seen } = counted();
  const answers: Promise<unknown>[] = [];
  for (let at = 0; at < 60_000; at += 100) clock.at(at, () => answers.push(ask()));
  await clock.run(60_000);
  await Promise.all(answers);
  expect(answers).toHaveLength(600);
  expect(seen.wakings).toBeLessThanOrEqual(200);
});

it.each([200, 400])('a client whose timer is %i ms late still detects a late statement', async late => {
  const { clock, ask } = counted(late);
  let failure: { message: string; at: number } | undefined;
  clock.at(1, () => {
    ask(1990).catch(({ message }) => {
      failure = { message, at: clock.now() };
    });
  });
  await clock.run(60_000);
  expect(failure?.message).toBe('the database did not answer in time');
  expect(failure?.at).toBeLessThanOrEqual(1001 + 3 * (300 + late));
});
