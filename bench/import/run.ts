import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SIGHTLINE } from '../processes.ts';
import { table } from '../table.ts';
import { COMPARED, compare } from './compared.ts';
import { hostileInputs, write, writeBodies, writeMail, writeMaildir, writeReport } from './inputs.ts';
import { measureCommand } from './measure-command.ts';
import { measureVisible } from './visible.ts';

const HELP = `Measures the compiled "sightline import", which "npm run build" makes. Usage: npm run bench:import -- [options]

  --only LIST     of bodies, report, mail, maildir, hostile, visible, and of those that compare two ways:
                  names, findings; default: the first six
  --rounds N      of those that compare; default: 5
  --help
`;

const PARTS = ['bodies', 'report', 'mail', 'maildir', 'hostile', 'visible'];

const BODIES = 300_000;
const MAILS = 10_000;

/** The inputs to measure, each in a separate folder. */
const INPUTS: Readonly<Record<string, { title: string; make: (path: string) => Promise<void> }>> = {
  bodies: { title: `${BODIES} bodies of 1 KiB`, make: path => writeBodies(path, BODIES) },
  report: { title: 'a report of 100 MB, 250,000 records', make: path => writeReport(path, 250_000, 400) },
  mail: { title: 'a mail of 99 MB, 170,000 records', make: path => writeMail(path, 170_000, 420) },
  maildir: { title: `a maildir of ${MAILS} mails`, make: path => writeMaildir(path, MAILS) },
};

async function measureParts(parts: readonly string[], folder: string): Promise<string> {
  const rows: string[][] = [];
  const take = async (title: string, path: string, make: () => Promise<void>) => {
    await make();
    const { code, seconds, processorSeconds, memory, said } = await measureCommand(SIGHTLINE, [
      'import',
      '--account',
      'bench',
      '--to-feed',
      '/dev/null',
      path,
    ]);
    await rm(path, { recursive: true });
    process.stderr.write(`${title}: ${said}\n`);
    rows.push([title, String(code), seconds.toFixed(1), processorSeconds.toFixed(1), memory.toFixed(0)]);
  };
  for (const part of parts) {
    const path = join(folder, part);
    const input = INPUTS[part];
    if (input) await take(input.title, path, () => input.make(path));
    else if (part === 'visible') rows.push(await measureVisible(path, MAILS));
    else
      for (const [name, make] of Object.entries(hostileInputs()))
        await take(name, path, () => write(path, make));
  }
  return table(['what', 'exit code', 'seconds', 'of processor', 'MB'], rows);
}

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: { only: text, rounds: text, help: { type: 'boolean' } },
});
const wanted = values.only?.split(',') ?? PARTS;
const existing = [...PARTS, ...Object.keys(COMPARED)];
const unknown = wanted.find(part => !existing.includes(part));
if (unknown !== undefined) throw new Error(`--only: "${unknown}" is none of ${existing.join(', ')}`);
if (values.help) process.stdout.write(HELP);
else {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'));
  await chmod(folder, 0o755);
  try {
    process.stdout.write(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model}\n\n`);
    const parts = wanted.filter(part => PARTS.includes(part));
    if (parts.length > 0) process.stdout.write(await measureParts(parts, folder));
    const rounds = Number(values.rounds ?? 5);
    for (const name of wanted.filter(part => part in COMPARED))
      process.stdout.write(await compare(name, join(folder, name), rounds));
  } finally {
    await rm(folder, { recursive: true });
  }
}
