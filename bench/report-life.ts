import type { LifeResults, LoadCost, RequestFigures } from './measure-life.ts';
import { quantile, toSpread } from './statistics.ts';
import { number, spread, table } from './table.ts';

const TITLES: Record<LoadCost, string> = { ours: 'Sightline', yardstick: 'by hand' };

export function printLife({ requested, resting }: LifeResults): string {
  const rows = requested.flatMap(({ pace: { rate, keys }, services }) =>
    Object.entries(services).map(([name, measured]) => [
      `${rate} a second, ${keys === 1 ? 'one key' : `${keys} keys`}: ${TITLES[name as LoadCost]}`,
      ...cells(measured, services.yardstick),
    ]),
  );
  const restingRows = Object.entries(resting).map(([name, { cpu, wakings, atFirst, after }]) => [
    TITLES[name as LoadCost],
    ...[cpu * 100, wakings, atFirst, after].map(number),
  ]);
  const columns = ['CPU ms', 'CPU ÷ by hand', 'all windows', 'PostgreSQL ms', 'p50 ms', 'p99 ms'];
  return `Asked as often as in life; medians over the windows, least and most in brackets

${table(['requests', ...columns], rows)}
${table(['at rest', 'CPU, % of a core', 'wakings/s', 'MB at first', 'MB at rest'], restingRows)}
`;
}

/** All windows have the same number of requests, so the ratio of sums is the ratio of total costs. */
function cells(
  { cpu, databaseCpu, latencies }: RequestFigures,
  byHand: RequestFigures | undefined,
): string[] {
  const theirs = byHand?.cpu ?? [];
  const sorted = latencies.toSorted((a, b) => a - b);
  return [
    spread(toSpread(cpu)),
    spread(toSpread(cpu.map((own, window) => own / theirs[window]!))),
    number(sum(cpu) / sum(theirs)),
    number(toSpread(databaseCpu).median),
    number(quantile(sorted, 0.5)),
    number(quantile(sorted, 0.99)),
  ];
}

const sum = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
