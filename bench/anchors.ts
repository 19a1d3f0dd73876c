import { type ChildProcess, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { REPORT_TYPES } from '@sightline/reports';
import { dayTotals, directiveTotals } from '../sql/analytics.ts';
import { auditEvents } from '../sql/audit.ts';
import { callersByDigest } from '../sql/keys.ts';
import type { FilterValues } from '../sql/report/filter.ts';
import { reports } from '../sql/reports.ts';
import { findingsOf, watches } from '../sql/watches.ts';
import type { AnchorName, ContenderName } from './options.ts';
import { start } from './processes.ts';
import { statementOf } from './statements.ts';

/** The yardstick's routes in other languages, each on what its own world brings along for servers and PostgreSQL. */
export const ANCHORS: Partial<Record<ContenderName, (url: string, port: number) => ChildProcess>> = {
  bun: (url, port) => start('bun', { node: BUN, file: `${folder}bun.mjs`, args: [url, String(port)] }),
  go: (url, port) => startGo(url, port, 'json'),
  'go-rows': (url, port) => startGo(url, port, 'rows'),
};

const folder = fileURLToPath(new URL('anchors/', import.meta.url));
const BUN = `${folder}node_modules/.bin/bun`;
const GO_PROGRAM = fileURLToPath(new URL('dist/anchor-go', import.meta.url));

/** Those that can be started here; tells why the others cannot. */
export function thoseThere<Name extends ContenderName>(
  names: readonly Name[],
  say: (text: string) => void,
): Name[] {
  return names.filter(name => {
    const reason = missing[name as AnchorName]?.();
    if (reason !== undefined) say(`${name} is left out: ${reason}\n`);
    return reason === undefined;
  });
}

/** Why an anchor cannot be started. */
const missing: Record<AnchorName, () => string | undefined> = {
  bun: () => (existsSync(BUN) ? undefined : '"npm ci" in bench/anchors brings it'),
  go: buildGo,
  'go-rows': buildGo,
};

/** Debian's packages lie where its Go looks for them, and nothing is fetched. Answers why it could not be built. */
function buildGo(): string | undefined {
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '' };
  const { error, status, stderr } = spawnSync('go', ['build', '-o', GO_PROGRAM, '.'], {
    cwd: `${folder}go`,
    env,
    encoding: 'utf8',
  });
  if (status === 0) return undefined;
  return `Debian's golang-go and golang-github-jackc-pgx-v4-dev bring it (${error?.message ?? stderr.trim()})`;
}

function startGo(url: string, port: number, way: 'json' | 'rows'): ChildProcess {
  const env = { STATEMENTS: JSON.stringify(goStatements()), REPORT_TYPES: REPORT_TYPES.join(',') };
  return start('go', { program: GO_PROGRAM, args: [socketBehind(url), String(port), way], env });
}

/** Go reads no socket's path as the host of an address. */
function socketBehind(url: string): string {
  return url.replace(/@(%2F[^:/]+):(\d+)(\/\w+)/i, '@$3?host=$1&port=$2');
}

/** The service's statements by route. Those of filters are given, where by hand they are made for each request. */
function goStatements(): Record<string, string> {
  const nobody = '' as Parameters<typeof reports>[1]['account'];
  const list = (filters: FilterValues) =>
    statementOf(db =>
      reports(db, {
        account: nobody,
        type: 'csp',
        from: '',
        until: '',
        filters,
        threatIntelligence: true,
        isPlain: true,
        limit: 1000,
      }),
    );
  const noDays = { from: '', to: '' };
  const statements = {
    key: statementOf(db => callersByDigest(db, [], new Date(), 0)),
    week: statementOf(db => dayTotals(db, [], noDays)),
    graph: statementOf(db => directiveTotals(db, nobody, 'csp', noDays)),
    reports: list({}),
    filtered: list({ action: 'enforced', hostnames: ['example.com'], effectiveDirective: 'img-src' }),
    watches: statementOf(db => watches(db, [])),
    findings: statementOf(db => findingsOf(db, { account_id: nobody, product: 'script', siteKey: '' })),
    audit: statementOf(db => auditEvents(db, nobody, null, 1)),
  };
  return Object.fromEntries(Object.entries(statements).map(([name, { text }]) => [name, text]));
}
