import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ROUTE_NAMES, type RouteName } from './routes.ts';

export const CONTENDERS = ['ours', 'yardstick', 'sofa', 'kept', 'unchanged'] as const;
export type ContenderName = (typeof CONTENDERS)[number];

export const PARTS = ['routes', 'trail', 'latency', 'groups', 'exports', 'life', 'load'] as const;
export type BenchPart = (typeof PARTS)[number];

export interface BenchOptions {
  parts: readonly BenchPart[];
  routes: readonly RouteName[];
  contenders: readonly ContenderName[];
  rounds: number;
  /** Options of each measurement. */
  seconds: number;
  connections: number;
  /** The number of reports of the busy account in two months, at least half of which are in one month. */
  reports: number;
  auditEvents: number;
  /** True to connect to PostgreSQL with TLS over TCP instead of a Unix socket. */
  tls: boolean;
}

const HELP = `Measures the service beside hand-written routes. Usage: npm run bench -- [options]

  --only LIST             of ${PARTS.join(', ')}; default: all
  --routes LIST           of ${ROUTE_NAMES.join(', ')}; default: all
  --contenders LIST       of ${CONTENDERS.join(', ')}; default: all
  --rounds N              default: 5
  --seconds N             of one measurement; default: 0.5
  --connections N         default: 32
  --reports N             of the busy account in two months; default: 240000
  --audit-events N        default: 500000
  --tls                   reaches PostgreSQL by TLS, on all sides, instead of a Unix socket
  --help

BENCH_DATABASE_URL names an empty database to use instead of an embedded one, with TLS or without.
Example: npm run bench -- --only routes --routes me,week --rounds 3 --seconds 1
`;

/** Exits after `--help`. @throws {Error} for an unknown option or an invalid value */
export function readOptions(args: readonly string[]): BenchOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: text,
      routes: text,
      contenders: text,
      rounds: text,
      seconds: text,
      connections: text,
      reports: text,
      'audit-events': text,
      tls: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  return {
    parts: toList('only', values.only, PARTS, PARTS),
    routes: toList('routes', values.routes, ROUTE_NAMES, ROUTE_NAMES),
    contenders: toList('contenders', values.contenders, CONTENDERS, CONTENDERS),
    rounds: toNumber('rounds', values.rounds, 5),
    seconds: toNumber('seconds', values.seconds, 0.5),
    connections: toNumber('connections', values.connections, 32),
    reports: toNumber('reports', values.reports, 240_000),
    auditEvents: toNumber('audit-events', values['audit-events'], 500_000),
    tls: values.tls === true,
  };
}

/** Returns the flags of the command line: those after `node` in its first line. */
export function usualFlags(): string[] {
  const [line = ''] = readFileSync(new URL('../bin/sightline.js', import.meta.url), 'utf8').split('\n');
  return / node (.*)$/.exec(line)![1]!.split(' ');
}

function toList<Name extends string>(
  option: string,
  text: string | undefined,
  existing: readonly Name[],
  fallback: readonly Name[],
): readonly Name[] {
  if (text === undefined) return fallback;
  const names = text.split(',').map(name => name.trim());
  const unknown = names.find(name => !existing.includes(name as Name));
  if (unknown !== undefined) throw new Error(`--${option}: "${unknown}" is none of ${existing.join(', ')}`);
  return names as Name[];
}

function toNumber(option: string, text: string | undefined, fallback: number): number {
  const number = text === undefined ? fallback : Number(text);
  if (!(number > 0)) throw new Error(`--${option}: "${text}" is no positive number`);
  return number;
}
