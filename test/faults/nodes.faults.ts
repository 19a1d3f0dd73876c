import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);

/** The versions that `engines` allows besides the current one. npm provides the binaries. */
const VERSIONS = ['22', '24', '26'];

/** The tests that depend most on Node: those of the server, its processes and its sockets. */
const TESTS = [
  'cli/many',
  'test/http',
  'test/drain',
  'test/tls',
  'postgres/test/dial',
  'test/fences',
  'abuse/compiled',
  'rest/promises',
  'demo/test',
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-node-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each(VERSIONS)('the service behaves the same with Node %s', async version => {
  const place = join(folder, version);
  try {
    await run('npm', ['install', '--prefix', place, '--ignore-scripts=false', `node@${version}`]);
  } catch (error) {
    process.stderr.write(`skipped: Node ${version}, which cannot be had: ${(error as Error).message}\n`);
    return;
  }
  const bin = join(place, 'node_modules', 'node', 'bin');
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, NO_COLOR: '1' };
  const { stdout } = await run(join(bin, 'node'), ['node_modules/.bin/vitest', 'run', ...TESTS], { env });
  expect(stdout).toMatch(/Tests +\d+ passed/);
});
