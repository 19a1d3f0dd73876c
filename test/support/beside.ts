import { connect, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Load, type Outcome } from './load.ts';
import { CALM_PATHS, type Neighbours, OTHER_PATHS } from './neighbours.ts';
import { type Served, serve } from './served.ts';

/** Requests a second of the calm account. */
const CALM_RATE = 40;

/** For which others ask beside it. */
const SECONDS = 6;

/** Milliseconds after which a request counts as not answered. */
const PATIENCE = 5000;

/** Milliseconds of the control's p99 above which the machine is too busy to tell anything. */
const BUSY = 250;

export interface Figures {
  asked: number;
  failed: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  slowest: number;
}

/** Figures of the requests that began from an instant on. */
export function figuresOf(outcomes: readonly Outcome[], since = 0): Figures {
  const counted = outcomes.filter(({ begun }) => begun >= since);
  const times = counted.map(({ took }) => took).sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))]!);
  return {
    asked: counted.length,
    failed: counted.filter(({ status }) => status !== 200).length,
    p50: at(0.5),
    p99: at(0.99),
    slowest: at(1),
  };
}

/** A service that is used: the calm account's first statements are answered. */
export async function startUsed(neighbours: Neighbours, env: Record<string, string>): Promise<Served> {
  const service = await serve(env.DATABASE_URL!, env);
  await service.untilReady();
  await ask(service, [neighbours.calm], CALM_RATE, CALM_PATHS, 1000);
  return service;
}

/** A client that asks for all of its reports, and reads nothing of them. */
export function readNothing({ url }: Served, key: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET /export/reports/csp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  // It may be cut in the end.
  return socket.on('error', () => {});
}

/** Gives each of the keys some answers, other than those that it asks for later: these must not be cached then. */
async function acquaint(service: Served, keys: readonly string[]): Promise<void> {
  const paths = [...CALM_PATHS, ...OTHER_PATHS].map(path => path.replace('n=*', 'n=warm*'));
  await ask(service, keys, 10, paths, 1000);
}

async function ask(
  { url }: Served,
  keys: readonly string[],
  rate: number,
  paths: readonly string[],
  time: number,
): Promise<void> {
  const loads = keys.map(key => new Load({ url, key, rate, paths }));
  await sleep(time);
  await Promise.all(loads.map(load => load.stop()));
}

/** Requests of others beside the calm account. */
export interface Scenario {
  name: string;
  /** The keys of the others. */
  keys: readonly string[];
  /** Requests a second of each of them. */
  rate: number;
  paths?: readonly string[];
  /** True if they were answered before. */
  areKnown?: boolean;
  /** Paths outside `/v1` that the calm account asks for, twice a second. */
  calmDoors?: readonly string[];
  /** Makes statements hang, and answers with a function that ends that. */
  strike?: (service: Served) => Promise<() => unknown>;
}

/** The servers and neighbours of scenarios. */
export interface Stage {
  neighbours: Neighbours;
  /** The server that the calm account asks alone. */
  control: Served;
  start(): Promise<Served>;
}

export interface Besides {
  calm: Figures;
  /** From the third second on. */
  later: Figures;
  /** Figures of the calm account's requests outside `/v1`. */
  doors: Figures;
  /** Figures of the calm account at the same moment, where no one else asks: the machine's own part. */
  control: Figures;
  others: Figures;
  /** Numbers of times that `/readyz` said that the service cannot answer. */
  unready: number;
  /** Failures that the service tells, with their counts. */
  errors: Record<string, number>;
  /** Milliseconds by which timers were late at most: the machine's part in processes that measure. */
  delay: { client: number; service: number };
}

/**
 * Plays a scenario: the calm account's figures while others ask the same service. A machine that is too busy for a
 * service that no one else asks shows nothing: then it is played once more.
 */
export async function play(stage: Stage, scenario: Scenario): Promise<Besides> {
  const { keys, areKnown, strike } = scenario;
  for (;;) {
    await using service = await stage.start();
    if (areKnown) await acquaint(service, keys);
    const heal = await strike?.(service);
    const figures = await beside(service, stage, scenario);
    await heal?.();
    tell(scenario.name, figures);
    const { failed, p99 } = figures.control;
    if (failed === 0 && p99 <= BUSY) return figures;
    process.stderr.write('not judged: the machine is busy\n');
  }
}

async function beside(service: Served, { control, neighbours }: Stage, scenario: Scenario): Promise<Besides> {
  const { keys, rate, paths = OTHER_PATHS, calmDoors = [] } = scenario;
  const begun = performance.now();
  const delay = monitorEventLoopDelay();
  delay.enable();
  const { calm: key } = neighbours;
  const calmly = { key, rate: CALM_RATE, paths: CALM_PATHS };
  const calm = new Load({ url: service.url, ...calmly });
  const alone = new Load({ url: control.url, ...calmly });
  const others = keys.map(
    other => new Load({ url: service.url, key: other, rate, paths, patience: PATIENCE }),
  );
  const doors = calmDoors.map(path => new Load({ url: service.url, key, rate: 2, paths: [path] }));
  let unready = 0;
  for (const until = begun + SECONDS * 1000; performance.now() < until; ) {
    if (!(await service.isReady())) unready++;
    await sleep(200);
  }
  await Promise.all([calm, alone, ...others, ...doors].map(load => load.stop()));
  delay.disable();
  const all = (loads: readonly Load[]) => figuresOf(loads.flatMap(({ outcomes }) => outcomes));
  return {
    calm: figuresOf(calm.outcomes),
    later: figuresOf(calm.outcomes, begun + 3000),
    doors: all(doors),
    control: figuresOf(alone.outcomes),
    others: all(others),
    unready,
    errors: service.errors,
    delay: {
      client: Math.round(delay.max / 1e6),
      service: Math.round(1000 * (await service.metric('nodejs_eventloop_lag_max_seconds'))),
    },
  };
}

export function tell(name: string, figures: object): void {
  process.stderr.write(`${name}: ${JSON.stringify(figures)}\n`);
}

/** Milliseconds that are promised on a quiet machine: what the machine does to all is no fault of a neighbour's. */
export function within(promised: number, { control }: Besides): number {
  return Math.max(promised, 5 * control.p99);
}
