import { spawn } from 'node:child_process';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DEMO_PERSONAL } from '@sightline/demo';
import { startEmbedded } from '@sightline/embedded';
import { toMmdb } from '../../test/import/mmdb.ts';
import { personal, plan, watch } from '../../test/support/fixtures.ts';
import { connectOperator } from '../../test/support/operator.ts';
import { childrenCpuSeconds, getParent, SIGHTLINE } from '../processes.ts';
import { toSpread } from '../statistics.ts';
import { spread, table } from '../table.ts';
import { LOG_SETTINGS, useLog } from '../write-ahead-log.ts';
import { aggregateReport, write } from './inputs.ts';
import { measureCommand } from './measure-command.ts';

/** One of two variants that do the same work. */
interface Side {
  name: string;
  /** The feed that is loaded into the database beforehand. */
  setup: string;
  args: readonly string[];
  env?: Record<string, string>;
}

const REPORTS = 100_000;

/** Pairs of variants by name. The first of each pair is the reference. */
export const COMPARED: Readonly<Record<string, (folder: string) => Promise<[Side, Side]>>> = {
  names: namedAndNot,
  findings: withFindings,
};

/** An import of reports from many different addresses, without and with files of networks, countries and 200 names. */
async function namedAndNot(folder: string): Promise<[Side, Side]> {
  const mail = join(folder, 'report.xml');
  await write(mail, () => aggregateReport(REPORTS, 400, distinctAddress));
  const networks = Array.from({ length: 20_000 }, (_, index) => `${20 + (index >> 8)}.${index & 255}.0.0/16`);
  const asn = (index: number) => ({
    autonomous_system_number: index + 1,
    autonomous_system_organization: `Org ${index}`,
  });
  const country = (index: number) => ({ country: { iso_code: index % 2 ? 'DE' : 'FR' } });
  const file = async (name: string, content: string | Buffer) => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  const mmdb = (entryOf: (index: number) => Parameters<typeof toMmdb>[0][string]) =>
    toMmdb(Object.fromEntries(networks.map((network, index) => [network, entryOf(index)])));
  const names = Array.from(
    { length: 200 },
    (_, index) => `${20 + (index % 79)}.${index}.0.0/${14 + (index % 15)},Sender ${index},Host`,
  );
  const plain: Side = {
    name: 'without files',
    setup: lines([personal('bench'), plan('bench')]),
    args: ['import', '--account', 'bench', mail],
  };
  const env = {
    ENRICH_ASN: await file('asn.mmdb', mmdb(asn)),
    ENRICH_COUNTRY: await file('country.mmdb', mmdb(country)),
    ENRICH_NAMES: await file('names.csv', `base_reverse_dns,name,type\n${names.join('\n')}\n`),
  };
  return [plain, { ...plain, name: 'with three files', env }];
}

/** IPv4 addresses within and outside the named networks; every tenth one is IPv6. */
function distinctAddress(number: number): string {
  const [high, low] = [(number >> 8) & 255, number & 255];
  if (number % 10 === 0)
    return `2001:db8:${(number >> 16).toString(16)}:${high.toString(16)}::${low.toString(16)}`;
  return `${20 + (number % 79)}.${high}.${low}.${number >> 16}`;
}

const PRODUCTS = ['script', 'data', 'frame', 'policy'] as const;

/** A load of the demo's CSP reports, with watches that take findings from them and without. */
async function withFindings(folder: string): Promise<[Side, Side]> {
  const { file, setup, sites } = await demoReports(folder);
  const watches = sites.flatMap(site =>
    PRODUCTS.map(product => watch(DEMO_PERSONAL, product, site, { findingsFromReports: true })),
  );
  const plain: Side = { name: 'without', setup, args: ['load', file] };
  return [plain, { ...plain, name: 'with findings', setup: setup + lines(watches) }];
}

/** Writes 100,000 CSP reports to a file, and returns it with their account and sites. */
async function demoReports(folder: string) {
  const options = { accounts: 1, largest: 1, 'audit-events': 0, days: 60, reports: 2 * REPORTS };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const demo = spawn(process.execPath, [SIGHTLINE, 'demo', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const reports: string[] = [];
  const sites = new Set<string>();
  for await (const line of createInterface(demo.stdout)) {
    if (reports.length === REPORTS || !line.startsWith('{"kind":"report"')) continue;
    const { type, uri } = JSON.parse(line) as { type: string; uri: string };
    if (type !== 'csp') continue;
    reports.push(`${line}\n`);
    sites.add(new URL(uri).hostname.split('.').slice(-2).join('.'));
  }
  const file = join(folder, 'reports.ndjson');
  await write(file, () => reports);
  return { file, setup: lines([personal(DEMO_PERSONAL), plan(DEMO_PERSONAL)]), sites: [...sites] };
}

function lines(records: readonly object[]): string {
  return records.map(record => `${JSON.stringify(record)}\n`).join('');
}

/** Runs two variants in turns, each time in a new database. Returns a table. */
export async function compare(name: string, folder: string, rounds: number): Promise<string> {
  await mkdir(folder);
  await chmod(folder, 0o755);
  const sides = await COMPARED[name]!(folder);
  const settings = { ...LOG_SETTINGS, shared_buffers: '256MB', autovacuum: 'off' };
  const server = await startEmbedded({ directory: join(folder, 'data'), settings });
  const operator = connectOperator(server.url);
  try {
    await useLog(operator);
    const [backend] = await operator<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const turns = new Turns(server.url, operator, getParent(backend!.pid), folder);
    for (const side of sides) await turns.prepare(side);
    const costs = sides.map((): Cost[] => []);
    for (let round = 0; round < rounds; round++) {
      // Running second can be an advantage, so the variants alternate.
      for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) costs[side]!.push(await turns.run(sides[side]!));
    }
    return findTable(name, sides, costs);
  } finally {
    await operator.end();
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

/** Seconds. */
interface Cost {
  wall: number;
  node: number;
  database: number;
}

class Turns {
  #url: string;
  #operator: ReturnType<typeof connectOperator>;
  #postmaster: number;
  #folder: string;

  constructor(url: string, operator: ReturnType<typeof connectOperator>, postmaster: number, folder: string) {
    this.#url = url;
    this.#operator = operator;
    this.#postmaster = postmaster;
    this.#folder = folder;
  }

  /** Creates the template database that each run of a variant starts from. */
  async prepare(side: Side): Promise<void> {
    const name = toTemplate(side);
    await this.#operator.query(`create database ${name}`);
    const feed = join(this.#folder, 'setup.ndjson');
    await writeFile(feed, side.setup);
    await this.#command(side, name, ['migrate']);
    await this.#command(side, name, ['load', feed]);
  }

  async run(side: Side): Promise<Cost> {
    const sql = this.#operator;
    await sql.query(`create database run template ${toTemplate(side)}`);
    await sql`checkpoint`;
    const before = childrenCpuSeconds(this.#postmaster);
    const { seconds, processorSeconds } = await this.#command(side, 'run', side.args);
    // Waits for the command's sessions, whose processor time counts only once they have ended.
    await sql`drop database run`;
    const database = childrenCpuSeconds(this.#postmaster) - before;
    return { wall: seconds, node: processorSeconds, database };
  }

  async #command({ env }: Side, database: string, args: readonly string[]) {
    const url = new URL(this.#url);
    url.pathname = `/${database}`;
    const measured = await measureCommand(SIGHTLINE, args, { ...env, DATABASE_URL: url.href });
    if (measured.code !== 0) throw new Error(`${args[0]} ended with ${measured.code}: ${measured.said}`);
    return measured;
  }
}

const toTemplate = ({ name }: Side) => `template_${name.replaceAll(' ', '_')}`;

/** The rows of the table. */
const FIGURES: Readonly<Record<string, (cost: Cost) => number>> = {
  seconds: ({ wall }) => wall,
  "seconds of Node's processor": ({ node }) => node,
  "seconds of PostgreSQL's processor": ({ database }) => database,
  'both processors': ({ node, database }) => node + database,
};

function findTable(name: string, sides: readonly Side[], costs: readonly Cost[][]): string {
  const ratio = (pick: (cost: Cost) => number) =>
    spread(toSpread(costs[1]!.map((cost, round) => pick(costs[0]![round]!) / pick(cost))));
  const rows = Object.entries(FIGURES).map(([figure, pick]) => [
    figure,
    ...costs.map(rounds => spread(toSpread(rounds.map(pick)))),
    ratio(pick),
  ]);
  return table([name, ...sides.map(side => side.name), 'its speed'], rows);
}
