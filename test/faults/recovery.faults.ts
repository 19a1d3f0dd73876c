import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  encrypted,
  type FaultyDatabase,
  inTheClear,
  onItsOwnServer,
  withReplica,
} from '../support/faulty-database.ts';
import { type Figures, getFigures, printFigures } from '../support/isolation.ts';
import { Load, type Outcome } from '../support/load.ts';
import { PACE, TODAY } from '../support/paced.ts';
import { type ServiceProcess, serve } from '../support/served.ts';
import { watchMachine } from '../support/yardstick.ts';
import { IN_EARNEST, LIMITS } from './scale.ts';

/**
 * Applies each fault for three seconds and checks the recovery. The load is a fifth, four fifths, and three times the
 * capacity of a key's connections.
 */

const POOL_SIZE = 4;

/** How much longer a statement occupies a connection, in milliseconds. */
const AROUND = 8;

/** The most connections that a key can use while no other key sends requests. */
const OF_A_KEY = 3;

/** Durations in milliseconds: before the fault, of the fault, of the recovery, and of the measurement after it. */
const BEFORE = 1000;
const FAULT = 3000;
const AFTER = 2000;
const LOOK = IN_EARNEST ? 10_000 : 4000;

interface LoadShape {
  keys: readonly string[];
  /** Requests per second and key. */
  rate: number;
  paths: readonly string[];
}

/** Kinds of database faults. The first ones also run without `FAULTS=earnest`. */
interface Place {
  make(): Promise<FaultyDatabase>;
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

let database: FaultyDatabase;

async function startService(): Promise<ServiceProcess> {
  const service = await serve(database.url, {
    ...LIMITS,
    ...database.env,
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    ANSWER_CACHE_SIZE: '0',
  });
  await service.untilReady();
  return service;
}

/** Returns a load that uses this share of a key's connections, with slower statements. */
const part = (share: number) => (): LoadShape => ({
  keys: [database.paced.paced],
  rate: (share * OF_A_KEY * 1000) / (PACE + AROUND),
  paths: [REPORTS],
});

const free = (count: number, rate: number) => (): LoadShape => ({
  keys: database.paced.keys.slice(0, count),
  rate,
  paths: ANY,
});

/** Loads at which no request fails. */
const LOADS: Record<string, () => LoadShape> = {
  'one key, 150 requests per second': free(1, 150),
  'three keys, 50 requests per second each': free(3, 50),
  'a fifth of the capacity': part(0.2),
  'four fifths of the capacity': part(0.8),
};

const start = ({ url }: ServiceProcess, { keys, rate, paths }: LoadShape) =>
  keys.map(key => new Load({ url, key, rate, paths }));

async function stop(loads: readonly Load[]): Promise<Outcome[]> {
  await Promise.all(loads.map(load => load.stop()));
  return loads.flatMap(({ outcomes }) => outcomes);
}

/**
 * The requests before a fault, and those after the recovery.
 * @param other requests of another key
 */
async function strike(fault: string, shape: LoadShape, other?: LoadShape): Promise<Struck> {
  await using service = await startService();
  const machine = watchMachine();
  const loads = start(service, shape);
  const others = other ? start(service, other) : [];
  await sleep(BEFORE);
  const begun = performance.now();
  if (fault !== NONE) await database.strike(fault);
  await sleep(FAULT);
  if (fault !== NONE) await database.heal(fault);
  const healed = performance.now();
  await machine.pass(healed, AFTER + LOOK);
  const since = healed + machine.over(AFTER);
  const seconds = (performance.now() - since) / 1000;
  const [outcomes, calm] = [await stop(loads), await stop(others)];
  const before = outcomes.filter(outcome => outcome.begun < begun - BEFORE / 2);
  const after = getFigures(outcomes, since);
  return {
    before: getFigures(before),
    after,
    answered: (after.requests - after.failed) / seconds,
    other: getFigures(calm, since),
  };
}

interface Struck {
  before: Figures;
  after: Figures;
  /** Requests per second that get status 200 after the fault. */
  answered: number;
  other: Figures;
}

describe.each(Object.entries(PLACES))('%s', (place, { make, brief, earnest }) => {
  const faults = IN_EARNEST ? [...brief, ...earnest] : brief;
  beforeAll(async () => {
    database = await make();
  });
  afterAll(() => database?.[Symbol.asyncDispose]());

  describe.each(Object.entries(LOADS))('%s', (name, shape) => {
    it.each(faults)('%s: every request succeeds from two seconds after the fault', async fault => {
      let figures = await strike(fault, shape());
      // If requests fail without a fault, the machine is too busy for a result.
      if (figures.before.failed > 0) figures = await strike(fault, shape());
      printFigures(`${place}, ${name}, ${fault}`, figures.after);
      expect(figures.before).toMatchObject({ failed: 0 });
      expect(figures.after).toMatchObject({ failed: 0 });
      expect(figures.after.requests).toBeGreaterThan(0);
    });
  });

  describe('three times the capacity of the connections', () => {
    const other = free(1, 20);
    let fits: number;
    beforeAll(async () => {
      fits = (await strike(NONE, part(0.8)(), other())).answered;
    });

    it.each([NONE, ...faults])(
      '%s: requests within the capacity succeed, as do all requests of other keys',
      async fault => {
        const figures = await strike(fault, part(3)(), other());
        const share = figures.answered / fits;
        printFigures(
          `${place}, three times what fits, ${fault}, ${share.toFixed(2)} of four fifths`,
          figures.after,
        );
        expect(share).toBeGreaterThanOrEqual(0.9);
        expect(figures.after.failed).toBeGreaterThan(0);
        expect(figures.other.requests).toBeGreaterThan(0);
        expect(figures.other).toMatchObject({ failed: 0 });
      },
    );
  });
});
