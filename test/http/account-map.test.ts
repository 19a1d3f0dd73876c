import { mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { readAccountMap } from '../../src/pages/login/accounts.ts';

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-test-accounts-'));
  path = join(folder, 'people.yaml');
});
afterAll(() => rm(folder, { recursive: true }));

/** Simulates the date. The function that is returned waits for a second, after which a changed file is read. */
function simulateDate(): () => void {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  return () => vi.setSystemTime(Date.now() + 1000);
}

it('the account map is reloaded when its file changes and stays unchanged while the file is unreadable', async () => {
  const waitASecond = simulateDate();
  await writeFile(path, 'users:\n  ann: acme\n');
  const problems: string[] = [];
  const map = await readAccountMap(path, ({ message }) => problems.push(message));
  const waitFor = (user: string, ...accounts: string[]) => {
    waitASecond();
    expect(map.listAccounts(user, [])).toEqual(accounts);
  };
  waitFor('ann', 'acme');
  await writeFile(path, 'users:\n  bob: [acme, shop]\n');
  waitFor('bob', 'acme', 'shop');
  expect(map.listAccounts('ann', [])).toEqual([]);
  await writeFile(path, 'users: [');
  waitFor('bob', 'acme', 'shop');
  expect(problems).toEqual([expect.stringContaining(`${path}, which is not YAML or JSON`)]);
  await rm(path);
  waitFor('bob', 'acme', 'shop');
  expect(problems[1]).toContain('cannot be read (ENOENT)');
  await writeFile(path, '{"groups": {"ops": "acme"}}');
  waitASecond();
  expect(map.listAccounts('eve', ['ops'])).toEqual(['acme']);
  expect(problems).toHaveLength(2);
});

it('an invalid change of the file is reported once, however long it stays', async () => {
  const waitASecond = simulateDate();
  await writeFile(path, 'users:\n  ann: acme\n');
  const problems: string[] = [];
  const map = await readAccountMap(path, ({ message }) => problems.push(message));
  const look = () => {
    waitASecond();
    return map.listAccounts('ann', []);
  };
  await writeFile(path, 'users: [');
  for (let time = 0; time < 3; time++) expect(look()).toEqual(['acme']);
  expect(problems).toHaveLength(1);
  await writeFile(path, 'users: {');
  for (let time = 0; time < 3; time++) expect(look()).toEqual(['acme']);
  expect(problems).toHaveLength(2);
  await writeFile(path, 'users: {ann: shop}');
  expect(map.listAccounts('ann', [])).toEqual(['acme']);
  expect(look()).toEqual(['shop']);
  expect(problems).toHaveLength(2);
});

it('a file that replaces another one of the same length and time is read', async () => {
  const waitASecond = simulateDate();
  const before = join(folder, 'before.yaml');
  const time = new Date('2026-05-20T12:00:00Z');
  const prepare = async (file: string, account: string) => {
    await writeFile(file, `users:\n  ann: ${account}\n`);
    await utimes(file, time, time);
  };
  await prepare(path, 'acme');
  const map = await readAccountMap(path);
  await prepare(before, 'shop');
  await rename(before, path);
  waitASecond();
  expect(map.listAccounts('ann', [])).toEqual(['shop']);
});

it('a person sees the accounts of their own entry and of each of their groups once', async () => {
  await writeFile(
    path,
    JSON.stringify({
      users: { ann: ['acme', 'shop'] },
      groups: { ops: ['shop', 'blog'], sales: 'store', ann: 'other' },
    }),
  );
  const map = await readAccountMap(path);
  expect(map.listAccounts('ann', ['ops', 'unknown', 'sales'])).toEqual(['acme', 'shop', 'blog', 'store']);
  expect(map.listAccounts('ann', [])).toEqual(['acme', 'shop']);
  expect(map.listAccounts('bob', ['sales', 'ops'])).toEqual(['store', 'shop', 'blog']);
  expect(map.listAccounts('ops', [])).toEqual([]);
});

it.each([
  ['is missing', undefined, 'cannot be read (ENOENT)'],
  ['is empty', '{}', 'names nobody'],
  ['has unknown members', 'people: {ann: acme}', 'needs "users" and "groups"'],
])('the service does not start if the file %s', async (_, text, problem) => {
  await rm(path, { force: true });
  if (text !== undefined) await writeFile(path, text);
  await expect(readAccountMap(path)).rejects.toThrow(problem);
});
