import type { ExportResults, GroupResults } from './measure-exports.ts';
import type { Goal } from './report.ts';
import { toSpread } from './statistics.ts';
import { number, spread, table } from './table.ts';

export function printGroups({ one, ten, oneKept, tenKept }: GroupResults): string {
  const row = (name: string, list: GroupResults['one']) => [
    name,
    spread(toSpread(list.map(({ p50 }) => p50))),
    spread(toSpread(list.map(({ cpu }) => cpu))),
    spread(toSpread(list.map(({ databaseCpu }) => databaseCpu))),
  ];
  return `Groups of a month on /graphql, without browser extensions

${table(
  ['groupings in a request', 'p50 ms', 'CPU ms', 'PostgreSQL ms'],
  [
    row('one, of reports', one),
    row('ten, of reports', ten),
    row('one, of kept days', oneKept),
    row('ten, of kept days', tenKept),
  ],
)}`;
}

export function printExports({ reports, exports, meanwhile }: ExportResults): string {
  const of = (pick: (measure: ExportResults['exports'][number]) => number) =>
    spread(toSpread(exports.map(pick)));
  const cells = [
    'NDJSON',
    String(reports),
    of(({ whole }) => whole / 1000),
    of(({ whole }) => (reports * 1000) / whole),
    of(({ cpu }) => cpu),
    of(({ peak }) => peak),
    number(exports[0]!.bytes / 1e6),
    of(({ copy }) => copy),
  ];
  const heads = [
    'form',
    'reports',
    'time s',
    'reports/s',
    'CPU s',
    'peak memory MB',
    'MB',
    'COPY of the rows s',
  ];
  const { requests, seconds, p50, p99 } = meanwhile;
  return `Exports of all CSP reports

${table(heads, [cells])}
/v1/me beside two exports: ${number(requests / seconds)} requests/s, p50 ${number(p50)} ms, p99 ${number(p99)} ms; ${meanwhile.exports} exports were read; peak memory ${number(meanwhile.peak)} MB
`;
}

export function exportGoals(groups: GroupResults | undefined, exported: ExportResults | undefined): Goal[] {
  const { reports = 0, exports = [], meanwhile } = exported ?? {};
  const work = ({ cpu, databaseCpu }: GroupResults['one'][number]) => cpu + databaseCpu;
  return [
    {
      what: 'ten groupings, CPU with PostgreSQL ÷ one',
      reached:
        groups && toSpread(groups.ten.map((measure, round) => work(measure) / work(groups.one[round]!))),
      most: 2,
    },
    {
      what: 'ten groupings of kept days, CPU with PostgreSQL ÷ one of reports',
      reached:
        groups && toSpread(groups.tenKept.map((measure, round) => work(measure) / work(groups.one[round]!))),
      most: 1,
    },
    {
      what: 'export, time ÷ COPY',
      reached: toSpread(exports.map(({ whole, copy }) => whole / 1000 / copy)),
      most: 2.5,
    },
    {
      what: 'export, reports a second',
      reached: toSpread(exports.map(({ whole }) => (reports * 1000) / whole)),
      least: 60_000,
    },
    {
      what: 'export, peak memory MB',
      reached: toSpread(exports.map(({ peak }) => peak)),
      most: 150,
    },
    { what: '/v1/me p99 ms beside two exports', reached: meanwhile && toSpread([meanwhile.p99]), most: 50 },
  ];
}
