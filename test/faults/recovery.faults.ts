import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Figures, figuresOf, tell } from '../support/beside.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Fault, FaultProxy } from '../support/fault-proxy.ts';
import { Load, type Outcome } from '../support/load.ts';
import { PACE, type Paced, pace, TODAY } from '../support/paced.ts';
import { type Served, serve } from '../support/served.ts';
import { watchMachine } from '../support/yardstick.ts';
import { IN_EARNEST, LIMITS } from './scale.ts';

/** A fault of three seconds, and what comes after it, for keys that ask for much of what the connections can do. */

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

let database: TestDatabase;
let paced: Paced;
let proxy: FaultProxy;

beforeAll(async () => {
  database = await createDatabase();
  paced = await pace(database.url, 3);
  proxy = await FaultProxy.start(database.url);
});

afterAll(async () => {
  await proxy?.close();
  await paced?.[Symbol.asyncDispose]();
  await database?.drop();
});

async function startService(): Promise<Served> {
  const service = await serve(proxy.url, {
    ...LIMITS,
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    ANSWER_CACHE_SIZE: '0',
  });
  await service.untilReady();
  return service;
}

const REPORTS = `/v1/reports/csp?unit=days&date=${TODAY}&n=*`;
const ANY = ['/v1/me?n=*', '/v1/last-seven-days?n=*', REPORTS, '/v1/usage-metrics?n=*'];

interface Asked {
  keys: readonly string[];
  /** Requests a second of each key. */
  rate: number;
  paths: readonly string[];
}

/** A part of what a key may have of the connections, where each of its statements takes a while. */
const part = (share: number) => (): Asked => ({
  keys: [paced.paced],
  rate: (share * OF_A_KEY * 1000) / (PACE + AROUND),
  paths: [REPORTS],
});

const LOADS: Record<string, () => Asked> = {
  'one key, 150 a second': () => ({ keys: paced.keys.slice(0, 1), rate: 150, paths: ANY }),
  'three keys, 50 a second each': () => ({ keys: paced.keys, rate: 50, paths: ANY }),
  'a fifth of what the connections can do': part(0.2),
  'four fifths of what the connections can do': part(0.8),
};

const FAULTS: Fault[] = IN_EARNEST
  ? ['slow', 'lag', 'stall', 'cutLater', 'cut', 'latency', 'halfOpen', 'refuse', 'reset', 'finAtStart']
  : ['slow', 'lag', 'stall', 'cutLater'];

const start = ({ url }: Served, { keys, rate, paths }: Asked) =>
  keys.map(key => new Load({ url, key, rate, paths }));

async function stop(loads: readonly Load[]): Promise<Outcome[]> {
  await Promise.all(loads.map(load => load.stop()));
  return loads.flatMap(({ outcomes }) => outcomes);
}

/**
 * The requests before a fault, and those that began when nothing of it may be felt any more.
 * @param beside another key's requests
 */
async function strike(fault: Fault | 'none', asked: Asked, beside?: Asked): Promise<Struck> {
  await using service = await startService();
  const machine = watchMachine();
  const loads = start(service, asked);
  const others = beside ? start(service, beside) : [];
  await sleep(BEFORE);
  const begun = performance.now();
  await proxy.set(fault);
  await sleep(FAULT);
  await proxy.set('none');
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
  /** Requests a second that were answered with 200 after the fault. */
  answered: number;
  beside: Figures;
}

describe.each(Object.entries(LOADS))('%s', (name, asked) => {
  it.each(FAULTS)('%s: every request is answered from two seconds after it', async fault => {
    let figures = await strike(fault, asked());
    // A machine on which requests fail without a fault shows nothing.
    if (figures.before.failed > 0) figures = await strike(fault, asked());
    tell(`${name}, ${fault}`, figures.after);
    expect(figures.before).toMatchObject({ failed: 0 });
    expect(figures.after).toMatchObject({ failed: 0 });
    expect(figures.after.asked).toBeGreaterThan(0);
  });
});

describe('three times what the connections can do', () => {
  const beside = (): Asked => ({ keys: paced.keys.slice(0, 1), rate: 20, paths: ANY });
  let fits: number;
  beforeAll(async () => {
    fits = (await strike('none', part(0.8)(), beside())).answered;
  });

  it.each(['none', ...FAULTS] as const)('%s: what fits is answered, and every other key is', async fault => {
    const figures = await strike(fault, part(3)(), beside());
    const share = figures.answered / fits;
    tell(`three times what fits, ${fault}, ${share.toFixed(2)} of four fifths`, figures.after);
    expect(share).toBeGreaterThanOrEqual(0.9);
    expect(figures.after.failed).toBeGreaterThan(0);
    expect(figures.beside.asked).toBeGreaterThan(0);
    expect(figures.beside).toMatchObject({ failed: 0 });
  });
});
