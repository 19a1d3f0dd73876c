import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ROUTE_NAMES, type RouteName } from './routes.ts';

const USUAL = ['ours', 'yardstick', 'sofa', 'kept', 'unchanged'] as const;

/** Those that need more than `npm ci` installs. */
export const ANCHOR_NAMES = ['bun', 'go', 'go-rows'] as const;
export type AnchorName = (typeof ANCHOR_NAMES)[number];

export const CONTENDERS = [...USUAL, ...ANCHOR_NAMES] as const;
export type ContenderName = (typeof CONTENDERS)[number];

export const PARTS = [
  'routes',
  'processes',
  'graphql',
  'trail',
  'latency',
  'groups',
  'exports',
  'life',
  'load',
] as const;
export type Part = (typeof PARTS)[number];

export interface BenchOptions {
  parts: readonly Part[];
  routes: readonly RouteName[];
  contenders: readonly ContenderName[];
  rounds: number;
  /** The options of one measurement. */
  seconds: number;
  connections: number;
  /** Reports of the busy account in two months; half of them at least lie in one. */
  reports: number;
  auditEvents: number;
  /** True if PostgreSQL is reached by TLS, over TCP, instead of a Unix socket. */
  tls: boolean;
  /** Flags of Node for the services on this schema; those of `bin/sightline.js` unless others are given. */
  flags: readonly string[];
  /** Settings of our service beside the usual ones. */
  settings: Readonly<Record<string, string>>;
  /** Flags of Node for the yardstick. */
  yardstickFlags: readonly string[];
  /** Routes to profile instead of measuring. */
  profile: readonly RouteName[];
}

const HELP = `Measures the service beside hand-written routes. Usage: npm run bench -- [options]

  --only LIST             of ${PARTS.join(', ')}; default: all
  --routes LIST           of ${ROUTE_NAMES.join(', ')}; default: all
  --contenders LIST       of ${CONTENDERS.join(', ')}; default: all but ${ANCHOR_NAMES.join(', ')}
  --rounds N              default: 5
  --seconds N             of one measurement; default: 1
  --connections N         default: 32
  --reports N             of the busy account in two months; default: 240000
  --audit-events N        default: 500000
  --tls                   reaches PostgreSQL by TLS, on all sides, instead of a Unix socket
  --flags=…               flags of Node for our service; default: those of bin/sightline.js
  --settings "A=1 B=2"    settings of our service beside the usual ones
  --yardstick-flags=…     flags of Node for the hand-written routes; default: the same
  --profile LIST          says where our service spends its time on these routes, instead of measuring
  --help

BENCH_DATABASE_URL names an empty database to use instead of an embedded one, with TLS or without.
Example: npm run bench -- --only routes --routes me,week --rounds 3 --seconds 1
`;

/** Exits after `--help`. @throws {Error} for what is no option or no value of one */
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
      flags: text,
      settings: text,
      'yardstick-flags': text,
      profile: text,
      tls: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  const flags = values.flags === undefined ? usualFlags() : words(values.flags);
  return {
    parts: listOf('only', values.only, PARTS, PARTS),
    routes: listOf('routes', values.routes, ROUTE_NAMES, ROUTE_NAMES),
    contenders: listOf('contenders', values.contenders, CONTENDERS, USUAL),
    rounds: numberOf('rounds', values.rounds, 5),
    seconds: numberOf('seconds', values.seconds, 1),
    connections: numberOf('connections', values.connections, 32),
    reports: numberOf('reports', values.reports, 240_000),
    auditEvents: numberOf('audit-events', values['audit-events'], 500_000),
    tls: values.tls === true,
    flags,
    settings: Object.fromEntries(words(values.settings).map(pair => pair.split(/=(.*)/s).slice(0, 2))),
    yardstickFlags: values['yardstick-flags'] === undefined ? flags : words(values['yardstick-flags']),
    profile: listOf('profile', values.profile, ROUTE_NAMES, []),
  };
}

/** The flags that the command line is started with: those behind `node` in its first line. */
export function usualFlags(): string[] {
  const [line = ''] = readFileSync(new URL('../bin/sightline.js', import.meta.url), 'utf8').split('\n');
  return words(/ node (.*)$/.exec(line)?.[1]);
}

function listOf<Name extends string>(
  option: string,
  text: string | undefined,
  known: readonly Name[],
  fallback: readonly Name[],
): readonly Name[] {
  if (text === undefined) return fallback;
  const names = text.split(',').map(name => name.trim());
  const unknown = names.find(name => !known.includes(name as Name));
  if (unknown !== undefined) throw new Error(`--${option}: "${unknown}" is none of ${known.join(', ')}`);
  return names as Name[];
}

function numberOf(option: string, text: string | undefined, fallback: number): number {
  const number = text === undefined ? fallback : Number(text);
  if (!(number > 0)) throw new Error(`--${option}: "${text}" is no positive number`);
  return number;
}

function words(text = ''): string[] {
  return text.split(/\s+/).filter(word => word !== '');
}
