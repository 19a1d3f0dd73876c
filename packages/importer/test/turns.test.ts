import { mkdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { simulateClock } from '../../../test/support/simulated-clock.ts';
import { until } from '../../../test/support/until.ts';
import {
  createSpoolMetrics,
  type SpoolFile,
  SpoolRefused,
  type SpoolWork,
  watchFolders,
} from '../src/spool/index.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sightline-test-turns-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/**
 * Creates files for an account, the oldest first.
 * @param age seconds since the last change of the first file
 */
function put(account: string, names: readonly string[], bytes = 1, age = 100): void {
  mkdirSync(join(root, account), { recursive: true });
  for (const [index, name] of names.entries()) {
    writeFileSync(join(root, account, name), '');
    // Only the size matters here, so nothing is written.
    truncateSync(join(root, account, name), bytes);
    const written = Date.now() / 1000 - age + index / 100;
    utimesSync(join(root, account, name), written, written);
  }
}

const listNames = (count: number) => Array.from({ length: count }, (_, index) => `${100 + index}`);

const SETTINGS = () => ({ folder: root, every: 20, remove: true, shared: false });

/**
 * Watches until the check passes.
 * @param work receives the account, and returns the number of imported files
 */
async function watch(
  work: (account: string, files: readonly SpoolFile[], limit: number) => Promise<number>,
  check: () => unknown,
  metrics = createSpoolMetrics(),
  say: (line: string) => void = () => {},
): Promise<void> {
  const ending = new AbortController();
  const createWork = (account: string): SpoolWork => ({
    run: async (files, limit) => ({
      taken: await work(account, files, limit),
      records: {},
      failures: new Map(),
      summary: '',
    }),
  });
  const over = watchFolders(SETTINGS(), createWork, metrics, say, ending.signal);
  await until(check).finally(() => ending.abort());
  await over;
}

const left = async (account: string) =>
  (await readdir(join(root, account))).filter(name => !/^(done|failed)$/.test(name)).length;

it('a watcher alternates between folders after each batch, regardless of their backlogs', async () => {
  put('acme', listNames(20), 1024 * 1024);
  put('other', ['1']);
  const advance = simulateClock();
  const order: string[] = [];
  await watch(
    async (account, files) => {
      advance(5);
      order.push(account);
      // Another file arrives in the second folder while the first folder has a backlog.
      if (order.length === 3) put('other', ['2']);
      return files.length;
    },
    async () => (await left('acme')) + (await left('other')) === 0 && order.length > 5,
  );
  expect(order.filter(account => account === 'acme')).toHaveLength(10);
  expect(order.indexOf('other')).toBeLessThan(3);
  expect(order.lastIndexOf('other')).toBeLessThan(order.length - 3);
});

it('a watcher keeps the order of the files that a batch did not reach in time', async () => {
  put('acme', listNames(6));
  put('other', ['1']);
  const order: string[] = [];
  await watch(
    async (_, files, limit) => {
      expect(limit).toBe(1000);
      order.push(files[0]!.name);
      return 1;
    },
    () => order.length === 7,
  );
  expect(order.indexOf('1')).toBeLessThan(3);
  expect(order.filter(name => name !== '1')).toEqual(listNames(6));
});

it('a watcher serves other folders while it imports the files of a rejected batch one by one', async () => {
  put('acme', listNames(10));
  put('other', ['1']);
  const advance = simulateClock();
  const order: string[] = [];
  await watch(
    async (account, files) => {
      advance(5);
      if (account === 'acme' && files.some(({ name }) => name === '104')) throw new SpoolRefused(['is bad']);
      order.push(...files.map(({ name }) => name));
      return files.length;
    },
    async () => (await left('acme')) + (await left('other')) === 0,
  );
  expect(order.indexOf('1')).toBeLessThan(2);
  expect(order.filter(name => name !== '1')).toEqual(listNames(10).filter(name => name !== '104'));
  expect(await readdir(join(root, 'acme', 'failed'))).toEqual(expect.arrayContaining(['104', '104.reason']));
});

it('a watcher imports all waiting files at once if there is only one folder', async () => {
  put('acme', listNames(10), 1024 * 1024);
  const batches: number[] = [];
  await watch(
    async (_, files) => batches.push(files.length) && files.length,
    async () => (await left('acme')) === 0,
  );
  expect(batches).toEqual([10]);
});

it('a watcher imports at most 1000 files at once', { tags: 'slow' }, async () => {
  put('acme', listNames(1001));
  const batches: number[] = [];
  await watch(
    async (_, files) => batches.push(files.length) && files.length,
    async () => (await left('acme')) === 0,
  );
  expect(batches).toEqual([1000, 1]);
});

it('a watcher of several folders imports a file of any size by itself', async () => {
  put('acme', listNames(2), 3 * 1024 * 1024);
  put('other', []);
  const batches: number[] = [];
  await watch(
    async (_, files) => batches.push(files.length) && files.length,
    async () => (await left('acme')) === 0,
  );
  expect(batches).toEqual([1, 1]);
});

it('a watcher imports only the files of a rejected batch one by one', async () => {
  put('acme', listNames(4), 1024 * 1024);
  put('other', []);
  const batches: string[][] = [];
  await watch(
    async (_, files) => {
      batches.push(files.map(({ name }) => name));
      if (files.some(({ name }) => name === '101')) throw new SpoolRefused(['is bad']);
      return files.length;
    },
    async () => (await left('acme')) === 0,
  );
  expect(batches).toEqual([['100', '101'], ['100'], ['101'], ['102', '103']]);
});

it('a watcher retries a failed batch at the next scan and serves other folders meanwhile', async () => {
  put('acme', listNames(3));
  put('other', ['1']);
  let tries = 0;
  await watch(
    async (account, files) => {
      if (account === 'acme' && tries++ < 3) throw new Error('the database is away');
      return files.length;
    },
    async () => (await left('acme')) + (await left('other')) === 0,
  );
  expect(tries).toBe(4);
});

it('a watcher gives a folder that was idle no credit for that time', { tags: 'slow' }, async () => {
  put('acme', listNames(60));
  put('other', []);
  const advance = simulateClock();
  const order: string[] = [];
  await watch(
    async account => {
      advance(20);
      order.push(account);
      if (order.length === 30) put('other', listNames(10));
      return 1;
    },
    async () => order.includes('other') && (await left('other')) === 0,
  );
  const both = order.slice(order.indexOf('other'), order.lastIndexOf('other') + 1);
  expect(both.filter(account => account === 'other')).toHaveLength(10);
  expect(both).toContain('acme');
});

it('a watcher imports a file with a time in the future, as after the clock was set back', {
  tags: 'slow',
}, async () => {
  put('acme', ['1'], 1, -3600);
  const imported: string[] = [];
  await watch(
    async (_, files) => imported.push(...files.map(({ name }) => name)),
    async () => (await left('acme')) === 0,
  );
  expect(imported).toEqual(['1']);
});

it('a watcher reports the oldest file of the remaining folders after a folder was removed', async () => {
  put('acme', ['1'], 1, 1000);
  put('acme', ['2'], 1, 100);
  put('other', ['1'], 1, 100);
  put('empty', []);
  const metrics = createSpoolMetrics();
  const reported = async () => {
    const [, age] = /^sightline_spool_oldest_file_age_seconds (.+)$/m.exec(await metrics.print()) ?? [];
    return Math.floor(Number(age) / 100);
  };
  const refuse = async () => {
    throw new Error('the database is away');
  };
  let whileAway: number | undefined;
  const said: string[] = [];
  const hasFailed = () =>
    said.includes(`Trying again later: ENOENT: no such file or directory, scandir '${root}'`);
  // Moved, because a scan could see a folder whose files are already removed.
  const check = async () => {
    await until(async () => expect(await reported()).toBe(10));
    // While the folders cannot be listed, they are not taken for removed.
    await rename(root, `${root}.moved`);
    await until(hasFailed);
    // A check that fails is repeated, so this is asserted at the end.
    whileAway ??= await reported();
    await rename(`${root}.moved`, root);
    await rename(join(root, 'acme'), join(root, '.acme'));
    await until(async () => expect(await reported()).toBe(1));
    await rename(join(root, 'other'), join(root, '.other'));
    await until(async () => expect(await reported()).toBe(0));
  };
  await watch(refuse, check, metrics, line => said.push(line));
  expect(whileAway).toBe(10);
});

it('a watcher limits batches only while there are several folders', async () => {
  put('acme', ['1']);
  put('other', []);
  const limits: number[] = [];
  await watch(
    async (_, __, limit) => {
      limits.push(limit);
      await sleep(5);
      return 0;
    },
    async () => {
      await until(() => limits.includes(1000));
      await rename(join(root, 'other'), join(root, '.other'));
      await until(() => limits.at(-1) === Number.POSITIVE_INFINITY);
    },
  );
  expect(new Set(limits)).toEqual(new Set([1000, Number.POSITIVE_INFINITY]));
});

it('a watcher that is aborted during a batch takes no other', async () => {
  put('acme', listNames(2));
  put('other', listNames(2));
  const ending = new AbortController();
  const order: string[] = [];
  const createWork = (account: string): SpoolWork => ({
    run: async () => {
      order.push(account);
      ending.abort();
      return { taken: 1, records: {}, failures: new Map(), summary: '' };
    },
  });
  const settings = { ...SETTINGS(), every: 1_000_000 };
  await watchFolders(settings, createWork, createSpoolMetrics(), () => {}, ending.signal);
  expect(order).toEqual(['acme']);
});

it('a watcher that fails leaves its folder to the next one', async () => {
  put('acme', ['1']);
  const fail = () => {
    throw new Error('there is no such account');
  };
  const watching = () =>
    watchFolders(SETTINGS(), fail, createSpoolMetrics(), () => {}, new AbortController().signal);
  for (let time = 0; time < 2; time++) await expect(watching()).rejects.toThrow('there is no such account');
  expect(await readdir(root)).toEqual(['acme']);
  await chmod(root, 0o777);
  await expect(watching()).rejects.toThrow(`${root} can be written by others`);
});
