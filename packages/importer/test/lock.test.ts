import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AlreadyWatched, lockFolder } from '../src/spool/lock.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-lock-'));
  path = join(folder, '.sightline-watch');
});
afterEach(() => rm(folder, { recursive: true }));

/** Returns the id of a process that has ended. */
const endedProcess = () => spawnSync('true').pid;

it('a folder has one watcher at a time, and is free again after its release', async () => {
  const release = await lockFolder(folder);
  const refusal = new AlreadyWatched(folder, `${process.pid} on ${hostname()}`);
  await expect(lockFolder(folder)).rejects.toThrow(refusal);
  await release();
  await (await lockFolder(folder))();
  await expect(readFile(path)).rejects.toThrow('ENOENT');
});

it('the lock of another machine is respected, since its processes are not visible', async () => {
  const owner = `${endedProcess()} another-machine 1`;
  await writeFile(path, owner);
  await expect(lockFolder(folder)).rejects.toThrow(AlreadyWatched);
  expect(await readFile(path, 'utf8')).toBe(owner);
});

it.each([
  ['of a process that has ended', () => `${endedProcess()} ${hostname()} 1`],
  ['of an earlier process with the same id', () => `${process.pid} ${hostname()} 1`],
  ['that was not written completely', () => ''],
])('a lock %s is taken over', async (_, owner) => {
  await writeFile(path, owner());
  const release = await lockFolder(folder);
  expect(await readFile(path, 'utf8')).toMatch(new RegExp(`^${process.pid} ${hostname()} `));
  await release();
});
