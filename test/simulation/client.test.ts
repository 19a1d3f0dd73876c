import { setFlagsFromString } from 'node:v8';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../sql/client.ts';
import { OPTIMIZE_LATE, OPTIMIZE_SOON } from '../support/v8-flags.ts';
import { type Breach, breachesOf } from './breaches.ts';
import { type History, historyOf } from './history.ts';
import { type Played, play } from './play.ts';
import { Random } from './random.ts';
import { SimulatedServer } from './simulated-server.ts';
import { VirtualClock } from './virtual-clock.ts';

/**
 * The whole client of the database, through histories of loads and troubles, in a time of its own. A number makes a
 * history: `SEED=7` plays that one again and prints it, `HISTORIES=1000000` plays so many.
 */

/** `.ci/run` has 20,000. */
const FEW = 300;

/** Histories of the first million that broke a promise once, the rules being as they are or without one of them. */
const FOUND = [
  49340, 97582, 118683, 259423, 293444, 304072, 374141, 399060, 414353, 425445, 442919, 446626, 447537,
  470431, 493188, 507912, 516355, 539295, 554497, 566807, 583043, 644110, 646737, 693976, 699641, 709360,
  774634, 781475, 813956, 823920, 848496, 914953, 974618,
];

const HISTORIES = Number(process.env.HISTORIES ?? FEW);
const SEED = process.env.SEED;

beforeAll(() => setFlagsFromString(OPTIMIZE_SOON));
afterAll(() => setFlagsFromString(OPTIMIZE_LATE));

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
  const seeds = SEED ? [Number(SEED)] : [...Array.from({ length: HISTORIES }, (_, n) => n + 1), ...FOUND];
  const breaches: Breach[] = [];
  for (const seed of seeds) {
    const played = await play(historyOf(seed));
    breaches.push(...breachesOf(played));
    if (SEED) process.stderr.write(trace(played));
  }
  for (const { promise, seed, how } of breaches.slice(0, 20))
    process.stderr.write(`${promise}: ${how}\n${told(historyOf(seed))}\n`);
  expect(breaches.map(({ promise, seed }) => `${promise} ${seed}`)).toEqual([]);
});

it('a history is the same whenever it is played', async () => {
  const [one, other] = [await play(historyOf(3)), await play(historyOf(3))];
  expect(one.fates).toEqual(other.fates);
});

/** A client of which it is counted how often it wakes by itself. */
function counted() {
  const clock = new VirtualClock();
  const server = new SimulatedServer(clock, new Random(1), []);
  const seen = { wakings: 0 };
  const every = (milliseconds: number, call: () => void) =>
    clock.every(milliseconds, () => {
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
  const ask = () => client.rows('own', [{ takes: 5 }] as never, { limit: 1000 });
  return { clock, client, ask, seen };
}

it('an idle client wakes six times a minute, and gives up its connection', async () => {
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

it('a client that is asked ten times a second wakes for every third statement at most', async () => {
  const { clock, ask, seen } = counted();
  const answers: Promise<unknown>[] = [];
  for (let at = 0; at < 60_000; at += 100) clock.at(at, () => answers.push(ask()));
  await clock.run(60_000);
  await Promise.all(answers);
  expect(answers).toHaveLength(600);
  expect(seen.wakings).toBeLessThanOrEqual(200);
});
