import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Figures, figuresOf, tell } from '../support/beside.ts';
import { Load, type Outcome } from '../support/load.ts';
import { PACE, TODAY } from '../support/paced.ts';
import { type Served, serve } from '../support/served.ts';
import {
  encrypted,
  inTheClear,
  onItsOwnServer,
  type TroubledDatabase,
  withReplica,
} from '../support/troubled-database.ts';
import { watchMachine } from '../support/yardstick.ts';
import { IN_EARNEST, LIMITS } from './scale.ts';

/**
 * A trouble of three seconds, and what comes after it. There are three loads: a fifth, four fifths and three times of
 * what the connections of a key can do.
 */

const POOL_SIZE = 4;

/** Milliseconds that a connection is at work for a statement beside its pace. */
const AROUND = 8;

/** Connections that a key may have of them while no other asks. */
const OF_A_KEY = 3;

/** Milliseconds: before a fault, of it, of what may fail after it, and of what is looked at then. */
const BEFORE = 1000;
const FAULT = 3000;
const AFTER = 2000;
const LOOK = IN_EARNEST ? 10_000 : 4000;

interface Asked {
  keys: readonly string[];
  /** Requests a second of each key. */
  rate: number;
  paths: readonly string[];
}

/** The troubles of a database; the first ones are those without `FAULTS=earnest`. */
interface Place {
  make(): Promise<TroubledDatabase>;
  brief: readonly string[];
  earnest: readonly string[];
}

const NONE = 'none';

const PLACES: Record<string, Place> = {
  'a network, in the clear': {
    make: inTheClear,
    brief: ['slow', 'lag', 'stall', 'cutLater'],
    earnest: ['cut', 'latency', 'halfOpen', 'refuse', 'reset', 'finAtStart'],
  },
  'a network, with TLS': {
    make: encrypted,
    brief: ['slow', 'garble'],
    earnest: ['lag', 'stall', 'cutLater', 'halfOpen', 'reset'],
  },
  'a server': { make: onItsOwnServer, brief: ['is killed', 'stands still'], earnest: [] },
  'a replica': { make: withReplica, brief: ['stands still', 'is cut off'], earnest: [] },
};

const REPORTS = `/v1/reports/csp?unit=days&date=${TODAY}&n=*`;
const ANY = ['/v1/me?n=*', '/v1/last-seven-days?n=*', REPORTS, '/v1/usage-metrics?n=*'];

let database: TroubledDatabase;

async function startService(): Promise<Served> {
  const service = await serve(database.url, {
    ...LIMITS,
    ...database.env,
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    ANSWER_CACHE_SIZE: '0',
  });
  await service.untilReady();
  return service;
}

/** A part of what a key may have of the connections, where each of its statements takes a while. */
const part = (share: number) => (): Asked => ({
  keys: [database.paced.paced],
  rate: (share * OF_A_KEY * 1000) / (PACE + AROUND),
  paths: [REPORTS],
});

const free = (count: number, rate: number) => (): Asked => ({
  keys: database.paced.keys.slice(0, count),
  rate,
  paths: ANY,
});

/** Loads at which each request is answered. */
const LOADS: Record<string, () => Asked> = {
  'one key, 150 a second': free(1, 150),
  'three keys, 50 a second each': free(3, 50),
  'a fifth of what the connections can do': part(0.2),
  'four fifths of what the connections can do': part(0.8),
};

const start = ({ url }: Served, { keys, rate, paths }: Asked) =>
  keys.map(key => new Load({ url, key, rate, paths }));

async function stop(loads: readonly Load[]): Promise<Outcome[]> {
  await Promise.all(loads.map(load => load.stop()));
  return loads.flatMap(({ outcomes }) => outcomes);
}

/**
 * The requests before a trouble, and those that began when nothing of it may be felt any more.
 * @param beside another key's requests
 */
async function strike(trouble: string, asked: Asked, beside?: Asked): Promise<Struck> {
  await using service = await startService();
  const machine = watchMachine();
  const loads = start(service, asked);
  const others = beside ? start(service, beside) : [];
  await sleep(BEFORE);
  const begun = performance.now();
  if (trouble !== NONE) await database.strike(trouble);
  await sleep(FAULT);
  if (trouble !== NONE) await database.heal(trouble);
  const healed = performance.now();
  await machine.pass(healed, AFTER + LOOK);
  const since = healed + machine.over(AFTER);
  const seconds = (performance.now() - since) / 1000;
  const [outcomes, calm] = [await stop(loads), await stop(others)];
  const before = outcomes.filter(outcome => outcome.begun < begun - BEFORE / 2);
  const after = figuresOf(outcomes, since);
  return {
    before: figuresOf(before),
    after,
    answered: (after.asked - after.failed) / seconds,
    beside: figuresOf(calm, since),
  };
}

interface Struck {
  before: Figures;
  after: Figures;
  /** Requests a second that were answered with 200 after the trouble. */
  answered: number;
  beside: Figures;
}

describe.each(Object.entries(PLACES))('%s', (place, { make, brief, earnest }) => {
  const troubles = IN_EARNEST ? [...brief, ...earnest] : brief;
  beforeAll(async () => {
    database = await make();
  });
  afterAll(() => database?.[Symbol.asyncDispose]());

  describe.each(Object.entries(LOADS))('%s', (name, asked) => {
    it.each(troubles)('%s: every request is answered from two seconds after it', async trouble => {
      let figures = await strike(trouble, asked());
      // A machine on which requests fail without a trouble shows nothing.
      if (figures.before.failed > 0) figures = await strike(trouble, asked());
      tell(`${place}, ${name}, ${trouble}`, figures.after);
      expect(figures.before).toMatchObject({ failed: 0 });
      expect(figures.after).toMatchObject({ failed: 0 });
      expect(figures.after.asked).toBeGreaterThan(0);
    });
  });

  describe('three times what the connections can do', () => {
    const beside = free(1, 20);
    let fits: number;
    beforeAll(async () => {
      fits = (await strike(NONE, part(0.8)(), beside())).answered;
    });

    it.each([NONE, ...troubles])('%s: what fits is answered, and every other key is', async trouble => {
      const figures = await strike(trouble, part(3)(), beside());
      const share = figures.answered / fits;
      tell(`${place}, three times what fits, ${trouble}, ${share.toFixed(2)} of four fifths`, figures.after);
      expect(share).toBeGreaterThanOrEqual(0.9);
      expect(figures.after.failed).toBeGreaterThan(0);
      expect(figures.beside.asked).toBeGreaterThan(0);
      expect(figures.beside).toMatchObject({ failed: 0 });
    });
  });
});
