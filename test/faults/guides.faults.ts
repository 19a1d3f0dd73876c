import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { program } from '../support/sightline.ts';

/** Runs the shell blocks of docs/operations.md. */

function find(guide: string, held: string): string {
  const text = readFileSync(guide, 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block!);
  const found = blocks.filter(block => block.includes(held));
  expect(found).toHaveLength(1);
  return found[0]!;
}

let folder: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-test-guides-'));
  mkdirSync(join(folder, 'bin'));
  const command = join(folder, 'bin/sightline');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${program()}" "$@"\n`);
  chmodSync(command, 0o755);
  env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: folder };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (script: string) =>
  promisify(execFile)('/bin/bash', ['--norc', '-e', '-c', script], { cwd: folder, env, encoding: 'utf8' });

it('the certificate of docs/operations.md is valid for its authority and name', async () => {
  await run(find('docs/operations.md', 'openssl x509'));
  const verify = 'openssl verify -CAfile ca.crt -verify_hostname';
  expect((await run(`${verify} db.internal server.crt`)).stdout).toBe('server.crt: OK\n');
  await expect(run(`${verify} db.other server.crt`)).rejects.toThrow(/mismatch/i);
});

it('the load of docs/operations.md records the time of a successful load and nothing after a failure', async () => {
  const database = await createDatabase();
  env.DATABASE_URL = database.directUrl;
  const metrics = join(folder, 'sightline.prom');
  const script = find('docs/operations.md', 'sightline_last_load_seconds')
    .replaceAll('/var/lib/node-exporter', folder)
    .replace('feed.ndjson.gz', 'feed.ndjson');
  writeFileSync(join(folder, 'feed.ndjson'), '{"kind":"nothing"}\n');
  await expect(run(script)).rejects.toThrow();
  expect(() => readFileSync(metrics)).toThrow('ENOENT');
  writeFileSync(join(folder, 'feed.ndjson'), '');
  const before = Math.floor(Date.now() / 1000);
  await run(script);
  const [, seconds] = /^sightline_last_load_seconds (\d+)\n$/.exec(readFileSync(metrics, 'utf8'))!;
  expect(Number(seconds)).toBeGreaterThanOrEqual(before);
  await database.drop();
});
