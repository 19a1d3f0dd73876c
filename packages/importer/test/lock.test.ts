import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { until } from '../../../test/support/until.ts';
import { AlreadyWatched, lockFolder } from '../src/spool/lock.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-lock-'));
  path = join(folder, '.sightline-watch');
});
afterEach(() => rm(folder, { recursive: true }));

/** Matches the lock of this process. */
const OWN = new RegExp(`^${process.pid} ${hostname()} `);

/** Returns the id of a process that has ended. */
const endedProcess = () => spawnSync('true').pid;

it('a folder has one watcher at a time, and is free again after its release', async () => {
  const release = await lockFolder(folder);
  const refusal = new AlreadyWatched(folder, `${process.pid} on ${hostname()}`);
  await expect(lockFolder(folder)).rejects.toThrow(refusal);
  await release();
  await (await lockFolder(folder))();
  await expect(readFile(path)).rejects.toThrow('ENOENT');
  await release();
});

it.runIf(process.platform === 'linux')('a lock names the process by its id, machine and start', async () => {
  const release = await lockFolder(folder);
  const [, start] = /\) \S(?: -?\d+){18} (\d+) /.exec(await readFile('/proc/self/stat', 'utf8')) ?? [];
  expect(await readFile(path, 'utf8')).toBe(`${process.pid} ${hostname()} ${start}`);
  expect((await stat(path)).mode & 0o777).toBe(0o644 & ~process.umask());
  await release();
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
  expect(await readFile(path, 'utf8')).toMatch(OWN);
  expect(await readdir(folder)).toEqual(['.sightline-watch']);
  await release();
});

it('a link in place of a lock is replaced, and its target does not change', async () => {
  const target = join(folder, 'target');
  const owner = `${process.ppid} another-machine 1`;
  await writeFile(target, owner);
  await symlink(target, path);
  const release = await lockFolder(folder);
  expect([await readFile(path, 'utf8'), await readFile(target, 'utf8')]).toEqual([
    expect.stringMatching(OWN),
    owner,
  ]);
  await release();
});

it('the lock of a process of another user is respected, since that process runs', async () => {
  const release = await lockFolder(folder);
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
  });
  onTestFinished(() => void kill.mockRestore());
  await expect(lockFolder(folder)).rejects.toThrow(AlreadyWatched);
  expect(kill).toHaveBeenCalledWith(process.pid, 0);
  await release();
});

it('a lock that two processes take over at the same time belongs to the last one', async () => {
  await writeFile(path, '');
  const locking = lockFolder(folder);
  locking.catch(() => {});
  await until(async () => expect(await readFile(path, 'utf8')).toMatch(OWN));
  const owner = `${process.pid} ${hostname()} another`;
  await writeFile(path, owner);
  await expect(locking).rejects.toThrow(new AlreadyWatched(folder, 'that has just begun'));
  expect(await readFile(path, 'utf8')).toBe(owner);
});
