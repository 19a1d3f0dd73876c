import { connect, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Load, type Outcome } from './load.ts';
import { CALM_PATHS, type Neighbours, OTHER_PATHS } from './neighbours.ts';
import { type ServiceProcess, serve } from './served.ts';

/** Requests per second of the calm account. */
const CALM_RATE = 40;

/** How long requests of the other accounts take. */
const SECONDS = 6;

/** Milliseconds after which a request counts as unanswered. */
const PATIENCE = 5000;

/** If the control measurement's p99 exceeds this many milliseconds, the machine is too busy for a result. */
const BUSY = 250;

export interface Figures {
  requests: number;
  failed: number;
  /** In milliseconds. */
  p50: number;
  p99: number;
  slowest: number;
}

/** Statistics of all requests since a point in time. */
export function getFigures(outcomes: readonly Outcome[], since = 0): Figures {
  const counted = outcomes.filter(({ begun }) => begun >= since);
  const times = counted.map(({ took }) => took).sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))]!);
  return {
    requests: counted.length,
    failed: counted.filter(({ status }) => status !== 200).length,
    p50: at(0.5),
    p99: at(0.99),
    slowest: at(1),
  };
}

/** A service that has answered the first statements of the calm account. */
export async function startUsed(
  neighbours: Neighbours,
  env: Record<string, string>,
): Promise<ServiceProcess> {
  const service = await serve(env.DATABASE_URL!, env);
  await service.untilReady();
  await ask(service, [neighbours.calm], CALM_RATE, CALM_PATHS, 1000);
  return service;
}

/** A client that requests all of its reports but reads nothing. */
export function readNothing({ url }: ServiceProcess, key: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET /export/reports/csp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  // The service can disconnect it in the end.
  return socket.on('error', () => {});
}

/** Warms up each key with requests other than the later ones, whose responses must not be cached. */
async function acquaint(service: ServiceProcess, keys: readonly string[]): Promise<void> {
  const paths = [...CALM_PATHS, ...OTHER_PATHS].map(path => path.replace('n=*', 'n=warm*'));
  await ask(service, keys, 10, paths, 1000);
}

async function ask(
  { url }: ServiceProcess,
  keys: readonly string[],
  rate: number,
  paths: readonly string[],
  time: number,
): Promise<void> {
  const loads = keys.map(key => new Load({ url, key, rate, paths }));
  await sleep(time);
  await Promise.all(loads.map(load => load.stop()));
}

/** Requests of other accounts at the same time as the calm one. */
export interface Scenario {
  name: string;
  /** The keys of the other accounts. */
  keys: readonly string[];
  /** Requests per second and key. */
  rate: number;
  paths?: readonly string[];
  /** True if they have had responses before. */
  areKnown?: boolean;
  /** Paths outside of `/v1` that the calm account requests twice per second. */
  calmEndpoints?: readonly string[];
  /** Makes statements hang, and returns a function that ends this. */
  strike?: (service: ServiceProcess) => Promise<() => unknown>;
}

/** The servers and the other accounts that scenarios use. */
export interface Stage {
  neighbours: Neighbours;
  /** The server of the control measurement, which only the account `calm` uses. */
  control: ServiceProcess;
  start(): Promise<ServiceProcess>;
}

export interface NeighbourFigures {
  calm: Figures;
  /** From the third second on. */
  later: Figures;
  /** Statistics of the calm account's requests outside of `/v1`. */
  endpoints: Figures;
  /** Statistics of the calm account on an idle service at the same time, which measure the influence of the machine. */
  control: Figures;
  others: Figures;
  /** How often `/readyz` reported that the service was not ready. */
  unready: number;
  /** The failures that the service reported, with their counts. */
  errors: Record<string, number>;
  /** The longest delay of a timer in milliseconds, which shows the influence of the machine. */
  delay: { client: number; service: number };
}

/**
 * Plays a scenario and returns the calm account's statistics while others use the same service. Repeats it if the
 * machine is too busy even for an idle service.
 */
export async function play(stage: Stage, scenario: Scenario): Promise<NeighbourFigures> {
  const { keys, areKnown, strike } = scenario;
  for (;;) {
    await using service = await stage.start();
    if (areKnown) await acquaint(service, keys);
    const heal = await strike?.(service);
    const figures = await measureBeside(service, stage, scenario);
    await heal?.();
    printFigures(scenario.name, figures);
    const { failed, p99 } = figures.control;
    if (failed === 0 && p99 <= BUSY) return figures;
    process.stderr.write('not judged: the machine is busy\n');
  }
}

async function measureBeside(
  service: ServiceProcess,
  { control, neighbours }: Stage,
  scenario: Scenario,
): Promise<NeighbourFigures> {
  const { keys, rate, paths = OTHER_PATHS, calmEndpoints = [] } = scenario;
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
  const endpoints = calmEndpoints.map(path => new Load({ url: service.url, key, rate: 2, paths: [path] }));
  let unready = 0;
  for (const until = begun + SECONDS * 1000; performance.now() < until; ) {
    if (!(await service.isReady())) unready++;
    await sleep(200);
  }
  await Promise.all([calm, alone, ...others, ...endpoints].map(load => load.stop()));
  delay.disable();
  const all = (loads: readonly Load[]) => getFigures(loads.flatMap(({ outcomes }) => outcomes));
  return {
    calm: getFigures(calm.outcomes),
    later: getFigures(calm.outcomes, begun + 3000),
    endpoints: all(endpoints),
    control: getFigures(alone.outcomes),
    others: all(others),
    unready,
    errors: service.errors,
    delay: {
      client: Math.round(delay.max / 1e6),
      service: Math.round(1000 * (await service.metric('nodejs_eventloop_lag_max_seconds'))),
    },
  };
}

export function printFigures(name: string, figures: object): void {
  process.stderr.write(`${name}: ${JSON.stringify(figures)}\n`);
}

/** The documented limit in milliseconds, plus the delay that affects all services. */
export function within(promised: number, { control }: NeighbourFigures): number {
  return Math.max(promised, 5 * control.p99);
}
