import type { LoadMeasure } from './database.ts';
import type { LoadResult } from './load-client.ts';
import type { Measure } from './measure.ts';
import type { ExportResults, GroupResults } from './measure-exports.ts';
import type { LifeResults } from './measure-life.ts';
import type { RouteResults } from './measure-routes.ts';
import type { TrailMeasure, TrailResults } from './measure-trail.ts';
import type { ContenderName } from './options.ts';
import { exportGoals, printExports, printGroups } from './report-exports.ts';
import { printLife } from './report-life.ts';
import type { RouteName } from './routes.ts';
import { geometricMean, type Spread, toSpread } from './statistics.ts';
import { number, spread, table } from './table.ts';

/** All results. Those of skipped measurements are absent. */
export interface Results {
  routes?: RouteResults;
  trail?: TrailResults;
  latency?: Latency;
  life?: LifeResults;
  groups?: GroupResults;
  exports?: ExportResults;
  loads?: LoadMeasure[];
}

type Latency = LoadResult & { trails: number; peak: number };

const TITLES: Record<ContenderName, string> = {
  ours: 'Sightline',
  yardstick: 'by hand',
  sofa: 'plain SOFA',
  kept: 'Sightline, kept answer',
  unchanged: 'Sightline, 304',
};

type ByRoute = RouteResults['measures'];

export function printResults(results: Results): string {
  const parts = [
    results.routes && printRoutes(results.routes),
    results.trail && printTrail(results.trail),
    results.latency && printLatency(results.latency),
    results.life && printLife(results.life),
    results.groups && printGroups(results.groups),
    results.exports && printExports(results.exports),
    results.loads && printLoads(results.loads),
    printTargets(results),
  ];
  return parts.filter(Boolean).join('\n');
}

const COLUMNS = ['requests/s', 'p50 ms', 'p99 ms', 'CPU ms', 'PostgreSQL ms', 'kB'];

function measureCells(measures: readonly Measure[]): string[] {
  const of = (pick: (measure: Measure) => number) => toSpread(measures.map(pick));
  return [
    spread(of(({ rate }) => rate)),
    number(of(({ p50 }) => p50).median),
    number(of(({ p99 }) => p99).median),
    spread(of(({ cpu }) => cpu)),
    number(of(({ databaseCpu }) => databaseCpu).median),
    number(of(({ bytes }) => bytes / 1024).median),
  ];
}

function printRoutes({ measures, peaks }: RouteResults): string {
  const rows = Object.entries(measures).flatMap(([route, byName]) =>
    Object.entries(byName).map(([name, list]) => [
      `${route}: ${TITLES[name as ContenderName]}`,
      ...measureCells(list),
    ]),
  );
  const ratios = Object.keys(measures).map(route => [route, ...ratioCells([route as RouteName], measures)]);
  const mean = ['geometric mean', ...ratioCells(Object.keys(measures) as RouteName[], measures)];
  const memory = Object.entries(peaks).map(
    ([name, peak]) => `${TITLES[name as ContenderName]} ${number(peak ?? Number.NaN)} MB`,
  );
  return `Routes

${table(['route and service', ...COLUMNS], rows)}
Ratios; medians over the rounds, least and most in brackets

${table(['route', ...RATIOS.map(({ title }) => title)], [...ratios, mean])}
Peak memory: ${memory.join(', ')}
`;
}

interface Ratio {
  title: string;
  over: ContenderName;
  under: ContenderName;
  value: (measure: Measure) => number;
}

const cpu = ({ cpu }: Measure) => cpu;
const wholeCpu = ({ cpu, databaseCpu }: Measure) => cpu + databaseCpu;
const rate = ({ rate }: Measure) => rate;

const CPU: Ratio = { title: 'CPU ÷ by hand', over: 'ours', under: 'yardstick', value: cpu };
const RATE_TO_SOFA: Ratio = { title: 'requests/s ÷ SOFA', over: 'ours', under: 'sofa', value: rate };
const KEPT: Ratio = { title: 'kept, requests/s ÷ by hand', over: 'kept', under: 'yardstick', value: rate };
const UNCHANGED: Ratio = {
  title: '304, requests/s ÷ by hand',
  over: 'unchanged',
  under: 'yardstick',
  value: rate,
};

const RATIOS: readonly Ratio[] = [
  CPU,
  { title: 'with PostgreSQL', over: 'ours', under: 'yardstick', value: wholeCpu },
  { title: 'requests/s ÷ by hand', over: 'ours', under: 'yardstick', value: rate },
  { title: 'CPU ÷ SOFA', over: 'ours', under: 'sofa', value: cpu },
  RATE_TO_SOFA,
  KEPT,
  UNCHANGED,
];

function ratioCells(routes: readonly RouteName[], measures: ByRoute): string[] {
  return RATIOS.map(ratio => {
    const found = meanRatio(ratio, routes, measures);
    return found ? spread(found) : '–';
  });
}

/** The geometric mean of the ratio over all routes, computed per round, so that a disturbance affects both services. */
function meanRatio(
  { over, under, value }: Ratio,
  routes: readonly RouteName[],
  measures: ByRoute,
): Spread | undefined {
  const byRoute = routes.flatMap(route => {
    const [ours, theirs] = [measures[route][over], measures[route][under]];
    return ours && theirs ? [ours.map((measure, round) => value(measure) / value(theirs[round]!))] : [];
  });
  if (byRoute.length === 0) return undefined;
  return toSpread(byRoute[0]!.map((_, round) => geometricMean(byRoute.map(list => list[round]!))));
}

function printTrail(results: TrailResults): string {
  const cells = (list: readonly TrailMeasure[]) => {
    const of = (pick: (measure: TrailMeasure) => number) => spread(toSpread(list.map(pick)));
    return [
      of(({ firstByte }) => firstByte),
      of(({ whole }) => whole / 1000),
      of(({ cpu }) => cpu),
      of(({ peak }) => peak),
      number(list[0]!.bytes / 1e6),
    ];
  };
  return `The whole audit trail, in one answer

${table(
  ['service', 'first byte ms', 'time s', 'CPU s', 'peak memory MB', 'MB'],
  [
    ['Sightline', ...cells(results.ours)],
    ['by hand, with a cursor', ...cells(results.yardstick)],
  ],
)}`;
}

function printLatency({ requests, seconds, p50, p99, trails, peak }: Latency): string {
  return `/v1/me beside four readers of the whole trail

${number(requests / seconds)} requests/s, p50 ${number(p50)} ms, p99 ${number(p99)} ms; ${trails} whole trails were read; peak memory ${number(peak)} MB
`;
}

function printLoads(loads: readonly LoadMeasure[]): string {
  return `sightline load

${table(
  ['feed', 'lines', 'seconds', 'lines/s', 'CPU s', 'PostgreSQL s', 'peak memory MB'],
  loads.map(({ what, lines, seconds, cpu, databaseCpu, peak }) => [
    what,
    String(lines),
    number(seconds),
    number(lines / seconds),
    number(cpu),
    number(databaseCpu),
    number(peak),
  ]),
)}`;
}

/** A goal: a figure and its limit. */
export interface Goal {
  what: string;
  reached: Spread | undefined;
  most?: number;
  least?: number;
}

function printTargets(results: Results): string {
  const rows = goals(results)
    .filter(({ reached }) => reached !== undefined && !Number.isNaN(reached.median))
    .map(({ what, reached, most, least }) => {
      const { median } = reached!;
      const isReached = most === undefined ? median >= least! : median <= most;
      return [
        what,
        spread(reached!),
        most === undefined ? `≥ ${least}` : `≤ ${most}`,
        isReached ? 'yes' : 'NO',
      ];
    });
  return `Targets

${table(['what', 'measured', 'to reach', 'reached'], rows)}`;
}

function goals({ routes, trail, latency, groups, exports, loads }: Results): Goal[] {
  const names = Object.keys(routes?.measures ?? {}) as RouteName[];
  const mean = (ratio: Ratio) => routes && meanRatio(ratio, names, routes.measures);
  const worst = names
    .map(name => ({ name, ratio: meanRatio(CPU, [name], routes!.measures) }))
    .toSorted((a, b) => (b.ratio?.median ?? 0) - (a.ratio?.median ?? 0))[0];
  const reports = loads?.find(({ what }) => what === 'reports');
  return [
    { what: 'CPU a request ÷ by hand, geometric mean', reached: mean(CPU), most: 1 },
    { what: `CPU a request ÷ by hand, worst route (${worst?.name})`, reached: worst?.ratio, most: 1.15 },
    { what: 'requests/s ÷ plain SOFA', reached: mean(RATE_TO_SOFA), least: 2.2 },
    { what: 'kept answers, requests/s ÷ by hand', reached: mean(KEPT), least: 3 },
    { what: '304, requests/s ÷ by hand', reached: mean(UNCHANGED), least: 3 },
    { what: 'whole trail, peak memory MB', reached: of(trail?.ours, ({ peak }) => peak), most: 150 },
    { what: 'whole trail, first byte ms', reached: of(trail?.ours, ({ firstByte }) => firstByte), most: 50 },
    { what: 'whole trail, time ÷ by hand', reached: trail && trailRatio(trail), most: 1.25 },
    {
      what: '/v1/me p99 ms beside four trails',
      reached: of(latency && [latency], ({ p99 }) => p99),
      most: 200,
    },
    ...exportGoals(groups, exports),
    {
      what: 'load of reports, a second',
      reached: of(reports && [reports], ({ lines, seconds }) => lines / seconds),
      least: 40_000,
    },
    {
      what: 'load of reports, peak memory MB',
      reached: of(reports && [reports], ({ peak }) => peak),
      most: 300,
    },
  ];
}

function of<Item>(items: readonly Item[] | undefined, pick: (item: Item) => number): Spread | undefined {
  return items && toSpread(items.map(pick));
}

function trailRatio({ ours, yardstick }: TrailResults): Spread {
  return toSpread(ours.map((measure, round) => measure.whole / yardstick[round]!.whole));
}
