import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTILE } from '../../packages/importer/test/hostile.ts';
import { exitCode, program } from '../support/sightline.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-test-growth-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Prints the resource usage of the process when it ends. */
const USAGE = `import { readFileSync, writeSync } from 'node:fs';
process.on('exit', () => {
  const [, kilobytes] = /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
  const { user, system } = process.cpuUsage();
  writeSync(3, JSON.stringify({ megabytes: kilobytes / 1000, seconds: (user + system) / 1e6 }));
});`;

interface LoadMeasurement {
  /** The peak memory, and the total size of the feed lines. */
  megabytes: number;
  given: number;
  /** The processor time in seconds. */
  seconds: number;
  said: string;
}

async function importing(path: string): Promise<LoadMeasurement> {
  const preload = `data:text/javascript,${encodeURIComponent(USAGE)}`;
  const skipped = ['--skipped', `${path}.skipped`];
  const command = [program(), 'import', '--account', 'a', '--to-feed', '-', ...skipped, path];
  const child = spawn(process.execPath, ['--import', preload, ...command], {
    env: { NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  let given = 0;
  child.stdout!.on('data', (chunk: Buffer) => {
    given += chunk.length;
  });
  const [said, usage] = await Promise.all([
    text(child.stderr!),
    text(child.stdio[3] as NodeJS.ReadableStream),
    exitCode(child),
  ]);
  return { ...JSON.parse(usage), given: given / 1e6, said };
}

describe('input that expands excessively', () => {
  const forms = Object.entries(HOSTILE).flatMap(([name, make]) =>
    [1, 4].map(size => [`${name}, ${size} times`, make, size] as const),
  );
  it.each(forms)('is imported with bounded memory, time and output: %s', async (name, make, size) => {
    const bytes = make(size);
    const path = join(folder, name.replace(/\W+/g, '-'));
    writeFileSync(path, bytes);
    const { megabytes, seconds, given, said } = await importing(path);
    const own = bytes.length / 1e6;
    expect(megabytes, said).toBeLessThan(300);
    expect(given, said).toBeLessThan(5 + 200 * own);
    // Two seconds, plus one second per megabyte of memory, plus the time of a start.
    expect(seconds, said).toBeLessThan(8 + 201 * own);
  });
});
