import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openStock } from '../../test/support/stock.ts';
import { openDatabase } from '../database.ts';
import { readOptions } from '../options.ts';
import { run, type Settings, say } from '../processes.ts';
import { type Cell, table } from '../table.ts';
import { hostileInputs, write, writeBodies, writeMail, writeMaildir, writeReport } from './inputs.ts';

const PARTS = ['bodies', 'report', 'mail', 'maildir', 'hostile', 'database'] as const;

const { only, scale } = readOptions(
  'Measures "sightline import", including its start. Usage: npm run bench:import -- [options]',
  { only: [PARTS, 'inputs to measure'], scale: [1, 'factor for the size of the inputs'] },
);

const ACCOUNT = 'bench';
const [BODIES, LARGE, MAILED, MAILS] = [300_000, 250_000, 170_000, 10_000].map(count => count * scale) as [
  number,
  number,
  number,
  number,
];

const rows: Cell[][] = [];
await using database = await openDatabase();

/** Imports a file or folder, by default to nowhere, and removes it. */
async function measure(title: string, path: string, to = ['--to-feed', '/dev/null'], env: Settings = {}) {
  const { code, seconds, cpu, memory, message } = await run(
    ['import', '--account', ACCOUNT, ...to, path],
    env,
  );
  await rm(path, { recursive: true });
  say(`${title}: ${message}`);
  rows.push([title, String(code), seconds, cpu, memory]);
}

const path = join(database.folder, 'input');
const measures: Record<(typeof PARTS)[number], () => Promise<void>> = {
  async bodies() {
    await writeBodies(path, BODIES);
    await measure(`${BODIES} bodies of 1 KiB`, path);
  },
  async report() {
    await writeReport(path, LARGE, 400);
    await measure(`a report of ${LARGE} records of 400 bytes`, path);
  },
  async mail() {
    await writeMail(path, MAILED, 420);
    await measure(`a mail with a report of ${MAILED} records of 420 bytes`, path);
  },
  async maildir() {
    await writeMaildir(path, MAILS);
    await measure(`a maildir of ${MAILS} mails`, path);
  },
  async hostile() {
    for (const [name, make] of Object.entries(hostileInputs())) {
      await write(path, make);
      await measure(name, path);
    }
  },
  async database() {
    const stock = openStock(database.url);
    await stock.account(ACCOUNT);
    await stock.close();
    await writeMaildir(path, MAILS);
    await measure(`a maildir of ${MAILS} mails, into a database`, path, [], { DATABASE_URL: database.url });
  },
};
for (const part of only) await measures[part]();
process.stdout.write(table(['input', 'exit code', 'seconds', 'CPU s', 'memory MB'], rows));
