import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { usualFlags } from '../options.ts';
import { SIGHTLINE } from '../processes.ts';
import { table } from '../table.ts';
import { hostileInputs, write, writeBodies, writeMail, writeMaildir, writeReport } from './inputs.ts';
import { measureVisible } from './visible.ts';

const HELP = `Measures the compiled "sightline import", which "npm run build" makes. Usage: npm run bench:import -- [options]

  --only LIST   of bodies, report, mail, maildir, hostile, visible; default: all
  --help
`;

const PARTS = ['bodies', 'report', 'mail', 'maildir', 'hostile', 'visible'];

/** The cost of one import, with its start. */
interface Measured {
  code: number | null;
  seconds: number;
  processorSeconds: number;
  /** The most that was resident, in MB of 10^6 bytes. */
  memory: number;
  /** The last line on standard error. */
  said: string;
}

/** Writes what the process used to a pipe of its own, at its end. */
const USAGE = `import { readFileSync, writeSync } from 'node:fs';
process.on('exit', () => {
  // The resource usage of a process counts the memory of the one that started it.
  const [, kilobytes] = /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
  const { user, system } = process.cpuUsage();
  writeSync(3, JSON.stringify({ kilobytes: Number(kilobytes), microseconds: user + system }));
});`;

async function measure(path: string): Promise<Measured> {
  const preload = `data:text/javascript,${encodeURIComponent(USAGE)}`;
  const lines = ['--to-feed', '/dev/null'];
  const args = [
    ...usualFlags(),
    '--import',
    preload,
    SIGHTLINE,
    'import',
    '--account',
    'bench',
    ...lines,
    path,
  ];
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [said, usage, code] = await Promise.all([
    text(child.stderr!),
    text(child.stdio[3] as NodeJS.ReadableStream),
    new Promise<number | null>(resolve => child.once('exit', resolve)),
  ]);
  const { kilobytes, microseconds } = JSON.parse(usage) as { kilobytes: number; microseconds: number };
  return {
    code,
    seconds: (performance.now() - started) / 1000,
    processorSeconds: microseconds / 1e6,
    memory: (kilobytes * 1024) / 1e6,
    said: said.trim().split('\n').at(-1)!,
  };
}

const BODIES = 300_000;
const MAILS = 10_000;

/** The inputs to measure, each in a folder of its own. */
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
    const { code, seconds, processorSeconds, memory, said } = await measure(path);
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

const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean' } } });
const parts = values.only?.split(',') ?? PARTS;
const unknown = parts.find(part => !PARTS.includes(part));
if (unknown !== undefined) throw new Error(`--only: "${unknown}" is none of ${PARTS.join(', ')}`);
if (values.help) process.stdout.write(HELP);
else {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'));
  try {
    const measured = await measureParts(parts, folder);
    process.stdout.write(
      `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model}\n\n${measured}`,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}
