import type { LifeResults } from './measure-life.ts';
import { number, table } from './table.ts';

const TITLES = { ours: 'Sightline', yardstick: 'by hand', go: 'Go' } as const;

export function printLife({ asked, idle }: LifeResults): string {
  const rows = asked.map(({ name, rate, keys, cpu, databaseCpu, p50, p99 }) => [
    `${rate} a second, ${keys === 1 ? 'one key' : `${keys} keys`}: ${TITLES[name]}`,
    ...[cpu, databaseCpu, p50, p99].map(number),
  ]);
  const idleRows = idle.map(({ name, cpu, wakings, atFirst, after }) => [
    TITLES[name],
    ...[cpu * 100, wakings, atFirst, after].map(number),
  ]);
  return `Asked as often as in life

${table(['requests', 'CPU ms', 'PostgreSQL ms', 'p50 ms', 'p99 ms'], rows)}
${table(['asked for nothing', 'CPU, % of a core', 'wakings/s', 'MB at first', 'MB after'], idleRows)}
`;
}
