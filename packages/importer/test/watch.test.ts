import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { until } from '../../../test/support/until.ts';
import { SharedFolder } from '../src/spool/folder.ts';
import {
  createSpoolMetrics,
  type SpoolFile,
  type SpoolOutcome,
  SpoolRefused,
  watchFolder,
  watchFolders,
} from '../src/spool/index.ts';
import { WatchedSpool } from '../src/spool/spool.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-watch-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

/** Writes files that were last changed a number of seconds ago, in this order. */
async function put(names: readonly string[], age = 100, bytes = 1): Promise<void> {
  for (const [index, name] of names.entries()) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), ' '.repeat(bytes));
    const written = Date.now() / 1000 - age + index / 100;
    await utimes(join(folder, name), written, written);
  }
}

interface Watched {
  said: string[];
  metrics: string;
}

/** Watches the folder until the check passes. The work returns what differs from an outcome without failures. */
async function watch(
  work: (files: readonly SpoolFile[]) => Partial<SpoolOutcome>,
  check: () => unknown,
  remove = false,
): Promise<Watched> {
  const metrics = createSpoolMetrics();
  const said: string[] = [];
  const ending = new AbortController();
  const run = async (files: readonly SpoolFile[]): Promise<SpoolOutcome> => {
    const outcome = { taken: files.length, records: {}, failures: new Map(), summary: 'imported' };
    return { ...outcome, ...work(files) };
  };
  const over = watchFolder(
    { folder, every: 10, remove, shared: false },
    { run },
    metrics,
    line => said.push(line),
    ending.signal,
  );
  await until(check).finally(() => ending.abort());
  await over;
  return { said, metrics: await metrics.print() };
}

const waiting = async () =>
  (await readdir(folder)).filter(name => !/^(?:done|failed|\.sightline-watch)$/.test(name));
const noneWaits = async () => (await waiting()).length === 0;
const listIn = async (name: string) => (await readdir(join(folder, name))).sort();
/** Returns the value of a metric. */
const metricOf = (metrics: string, name: string) =>
  metrics
    .split('\n')
    .find(line => line.startsWith(`sightline_spool_${name} `))
    ?.split(' ')[1];

describe('a watched folder', () => {
  it('says and counts what became of its files', async () => {
    await put(['a', 'b', 'c']);
    const failures = new Map([['b', ['is\nbad', 'is worse']]]);
    const records = { dmarc: 3, csp: 0, tls_rpt: 1 };
    const { said, metrics } = await watch(() => ({ failures, records }), noneWaits);
    expect(said).toEqual(['3 files: imported', 'b is in failed/: is\nbad']);
    expect(await listIn('done')).toEqual(['a', 'c']);
    expect(await listIn('failed')).toEqual(['b', 'b.reason']);
    expect(await readFile(join(folder, 'failed', 'b.reason'), 'utf8')).toBe('is\u{fffd}bad\nis worse\n');
    expect((await stat(join(folder, 'failed', 'b.reason'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'failed'))).mode & 0o777).toBe(0o700);
    expect(metricOf(metrics, 'files_total{outcome="done"}')).toBe('2');
    expect(metricOf(metrics, 'files_total{outcome="failed"}')).toBe('1');
    expect(metricOf(metrics, 'skipped_total')).toBe('2');
    expect(metricOf(metrics, 'failed_looks_total')).toBe('0');
    expect(metricOf(metrics, 'records_total{kind="dmarc"}')).toBe('3');
    expect(metricOf(metrics, 'records_total{kind="tls_rpt"}')).toBe('1');
    expect(metrics).not.toContain('csp');
    expect(await readdir(folder)).not.toContain('.sightline-watch');
  });

  it('says one file of a single one', async () => {
    await put(['a']);
    expect((await watch(() => ({}), noneWaits)).said).toEqual(['1 file: imported']);
  });

  it('removes its files on request, except the failed ones', async () => {
    await put(['a', 'b']);
    await watch(() => ({ failures: new Map([['b', ['is bad']]]) }), noneWaits, true);
    expect(await listIn('done')).toEqual([]);
    expect(await listIn('failed')).toEqual(['b', 'b.reason']);
  });

  it('keeps the files with the same names that are in its subfolders', async () => {
    await put(
      ['done/a', 'done/a.1', 'failed/b', 'failed/c.reason', 'failed/c.reason.1', 'a', 'b', 'c'],
      100,
      2,
    );
    const bad = ['is bad'];
    await watch(
      () => ({
        failures: new Map([
          ['b', bad],
          ['c', bad],
        ]),
      }),
      noneWaits,
    );
    expect(await listIn('done')).toEqual(['a', 'a.1', 'a.2']);
    expect(await listIn('failed')).toEqual([
      'b',
      'b.1',
      'b.1.reason',
      'c',
      'c.reason',
      'c.reason.1',
      'c.reason.2',
    ]);
    expect(await readFile(join(folder, 'failed', 'c.reason'), 'utf8')).toBe('  ');
  });

  it('imports the files of a refused batch one by one, and names the one that is refused', async () => {
    await put(['a', 'b', 'c']);
    const batches: string[][] = [];
    const { said, metrics } = await watch(files => {
      batches.push(files.map(({ name }) => name));
      if (files.some(({ name }) => name === 'b')) throw new SpoolRefused(['is bad', 'is worse']);
      return {};
    }, noneWaits);
    expect(batches).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
    expect(said).toEqual(['1 file: imported', 'b is in failed/: is bad', '1 file: imported']);
    expect(await readFile(join(folder, 'failed', 'b.reason'), 'utf8')).toBe('is bad\nis worse\n');
    expect(metricOf(metrics, 'failed_looks_total')).toBe('0');
    expect(metricOf(metrics, 'skipped_total')).toBe('2');
  });

  it('tries again after a failure, which it says and counts', async () => {
    await put(['a', 'b']);
    let tries = 0;
    const { said, metrics } = await watch(() => {
      if (++tries === 1) throw new Error('the database is away');
      if (tries === 2) throw 'nothing';
      return {};
    }, noneWaits);
    expect(said).toEqual([
      'Trying again later: the database is away',
      'Trying again later: nothing',
      '2 files: imported',
    ]);
    expect(metricOf(metrics, 'failed_looks_total')).toBe('2');
    expect(metricOf(metrics, 'files_total{outcome="done"}')).toBe('2');
  });

  it('imports files that a batch did not reach with the next one', async () => {
    await put(['a', 'b']);
    const batches: string[][] = [];
    await watch(files => {
      batches.push(files.map(({ name }) => name));
      return { taken: 1 };
    }, noneWaits);
    expect(batches).toEqual([['a', 'b'], ['b']]);
  });

  it('takes at most 256 MiB at once, but a larger file by itself', async () => {
    const spool = new WatchedSpool(folder, true, false);
    expect(await spool.opened(async () => spool.files())).toEqual([]);
    await put(['a', 'b', 'c', 'd']);
    const batches: string[][] = [];
    const sizes: Readonly<Record<string, number>> = { a: 300, b: 100, c: 156, d: 1 };
    const files = vi.spyOn(WatchedSpool.prototype, 'files').mockImplementation(async function (
      this: WatchedSpool,
    ) {
      const found = (await waiting()).filter(name => name in sizes).sort();
      return found.map(name => ({
        name,
        path: join(folder, name),
        source: join(folder, name),
        size: sizes[name]! * 1024 * 1024,
        modified: 1,
      }));
    });
    const again = vi.spyOn(WatchedSpool.prototype, 'findAgain').mockImplementation(async found => [...found]);
    await watch(found => {
      batches.push(found.map(({ name }) => name));
      return {};
    }, noneWaits).finally(() => {
      files.mockRestore();
      again.mockRestore();
    });
    expect(batches).toEqual([['a'], ['b', 'c'], ['d']]);
  });

  it('takes the mails of a maildir, and moves them to its own subfolders', async () => {
    await put(['new/a', 'cur/b', 'tmp/c']);
    const failures = new Map([['cur/b', ['is bad']]]);
    await watch(
      () => ({ failures }),
      async () => (await listIn('new')).length + (await listIn('cur')).length === 0,
    );
    expect(await listIn('done')).toEqual(['a']);
    expect(await listIn('failed')).toEqual(['b', 'b.reason']);
    expect(await listIn('tmp')).toEqual(['c']);
  });

  it.each([true, false])(
    'need not contain a file any more once it is imported: removing %s',
    async remove => {
      await put(['a', 'b', 'c']);
      const failures = new Map([['b', ['is bad']]]);
      const { said, metrics } = await watch(
        () => {
          for (const name of ['a', 'b']) rmSync(join(folder, name));
          return { failures };
        },
        noneWaits,
        remove,
      );
      expect(said).toEqual(['3 files: imported', 'b is in failed/: is bad']);
      expect(await listIn('done')).toEqual(remove ? [] : ['c']);
      expect(await listIn('failed')).toEqual([]);
      expect(metricOf(metrics, 'failed_looks_total')).toBe('0');
    },
  );

  it('takes no batch whose files have all changed since the scan', async () => {
    await put(['a']);
    const findAgain = vi.spyOn(WatchedSpool.prototype, 'findAgain').mockResolvedValueOnce([]);
    const { said } = await watch(() => ({}), noneWaits).finally(() => findAgain.mockRestore());
    expect(said).toEqual(['1 file: imported']);
  });

  it.each(['done', 'failed'])('is refused if its subfolder %s is a link or file', async name => {
    await symlink(tmpdir(), join(folder, name));
    const refused = () =>
      watch(
        () => ({}),
        () => true,
      );
    await expect(refused()).rejects.toThrow(`${join(folder, name)} is no folder`);
    await rm(join(folder, name));
    await put([name]);
    await expect(refused()).rejects.toThrow(`${join(folder, name)} is no folder`);
  });

  it('is refused if others can write to a subfolder', async () => {
    await mkdir(join(folder, 'done'));
    await chmod(join(folder, 'done'), 0o777);
    await expect(
      watch(
        () => ({}),
        () => true,
      ),
    ).rejects.toThrow(
      `${join(folder, 'done')} can be written by others: change its mode or owner, or allow it with --shared`,
    );
  });
});

describe('the scans of a watched folder', () => {
  /** Watches until the work aborts the signal. Returns the scans, and the first file of each batch. */
  async function watchSteps(
    work: (batch: number, abort: () => void) => Partial<SpoolOutcome>,
    every = 1_000_000,
  ): Promise<string[]> {
    const steps: string[] = [];
    const ending = new AbortController();
    const original = WatchedSpool.prototype.files;
    const scan = vi.spyOn(WatchedSpool.prototype, 'files').mockImplementation(function (this: WatchedSpool) {
      steps.push('scan');
      return original.call(this);
    });
    let batches = 0;
    const run = async (files: readonly SpoolFile[]): Promise<SpoolOutcome> => {
      steps.push(files[0]!.name);
      const outcome = { taken: 1, records: {}, failures: new Map(), summary: '' };
      return { ...outcome, ...work(++batches, () => ending.abort()) };
    };
    const settings = { folder, every, remove: true, shared: false };
    await watchFolder(settings, { run }, createSpoolMetrics(), () => {}, ending.signal).finally(() =>
      scan.mockRestore(),
    );
    return steps;
  }

  /** Replaces the monotonic clock. */
  function stopClock(): { now: number } {
    const clock = { now: 0 };
    const spy = vi.spyOn(performance, 'now').mockImplementation(() => clock.now);
    onTestFinished(() => void spy.mockRestore());
    return clock;
  }

  it.each([
    [9, ['scan', 'a', 'b', 'scan', 'c']],
    [10, ['scan', 'a', 'scan', 'b', 'scan', 'c']],
  ])('begin at their interval of 10 ms despite waiting files: batches of %i ms', async (duration, steps) => {
    const clock = stopClock();
    await put(['a', 'b', 'c']);
    const found = await watchSteps((batch, abort) => {
      clock.now += duration;
      if (batch === 3) abort();
      return {};
    }, 10);
    expect(found).toEqual(steps);
  });

  it('precede each retry after a failure', async () => {
    stopClock();
    await put(['a', 'b']);
    const found = await watchSteps((batch, abort) => {
      if (batch < 3) throw new Error('the database is away');
      abort();
      return {};
    }, 10);
    expect(found).toEqual(['scan', 'a', 'scan', 'a', 'scan', 'a']);
  });

  it('and batches end with the abort, even if files wait or the next scan is far away', async () => {
    await put(['a', 'b']);
    expect(await watchSteps((_, abort) => abort() ?? {})).toEqual(['scan', 'a']);
    expect(await waiting()).toEqual(['b']);
  });
});

describe('the metrics of a watched folder', () => {
  const age = async (modified: number | undefined) => {
    vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] });
    const metrics = createSpoolMetrics();
    metrics.waiting(modified);
    return metricOf(await metrics.print(), 'oldest_file_age_seconds');
  };

  it.each([
    [undefined, '0'],
    [1_000_000, '0'],
    [998_500, '1.5'],
    [0, '1000'],
    [1_005_000, '0'],
  ])('contain the age of the oldest file: changed at %j ms, it is %s s', async (modified, seconds) => {
    expect(await age(modified)).toBe(seconds);
  });

  it('count only failed scans', async () => {
    const metrics = createSpoolMetrics();
    metrics.examined(true);
    metrics.examined(false);
    expect(metricOf(await metrics.print(), 'failed_looks_total')).toBe('1');
    expect(await metrics.print()).toMatch(/^process_resident_memory_bytes \d/m);
    expect(metrics.contentType).toMatch(/^text\/plain; version=0\.0\.4/);
  });
});

describe('watched subfolders', () => {
  /** Watches the subfolders until the check passes. The work of each is that of its name. */
  async function watchAll(
    work: (
      name: string,
      files: readonly SpoolFile[],
      limit: number,
    ) => Partial<SpoolOutcome> | Promise<Partial<SpoolOutcome>>,
    check: (said: readonly string[]) => unknown,
    { every = 10, metrics = createSpoolMetrics() } = {},
  ): Promise<{ said: string[]; asked: string[] }> {
    const [said, asked]: [string[], string[]] = [[], []];
    const ending = new AbortController();
    const workOf = (name: string) => {
      asked.push(name);
      return {
        run: async (files: readonly SpoolFile[], limit: number) => {
          const outcome = { taken: files.length, records: {}, failures: new Map(), summary: `of ${name}` };
          return { ...outcome, ...(await work(name, files, limit)) };
        },
      };
    };
    const settings = { folder, every, remove: true, shared: false };
    const over = watchFolders(settings, workOf, metrics, line => said.push(line), ending.signal);
    await until(() => check(said)).finally(() => ending.abort());
    await over;
    return { said, asked };
  }

  it('are those that are not hidden, and each is named in its messages', async () => {
    await put(['b/1', 'a/1', '.hidden/1', 'file']);
    const { said, asked } = await watchAll(
      () => ({}),
      lines => lines.length === 2,
    );
    expect(asked).toEqual(['a', 'b']);
    expect(said).toEqual(['a: 1 file: of a', 'b: 1 file: of b']);
    expect(await readdir(join(folder, '.hidden'))).toEqual(['1']);
  });

  it('have batches of at most 2 MiB and one second each, unless there is only one', async () => {
    const MIB = 1024 * 1024;
    const batches: [string, string, number][] = [];
    const note = (name: string, files: readonly SpoolFile[], limit: number) => {
      batches.push([name, files.map(file => basename(file.name)).join(''), limit]);
      return {};
    };
    await put(['a/1', 'a/2', 'a/3'], 100, MIB);
    await watchAll(note, lines => lines.length === 1);
    await put(['a/1', 'a/2', 'a/3'], 100, MIB);
    await put(['b/1'], 200);
    await watchAll(note, lines => lines.length === 3);
    expect(batches).toEqual([
      ['a', '123', Number.POSITIVE_INFINITY],
      ['a', '12', 1000],
      ['b', '1', 1000],
      ['a', '3', 1000],
    ]);
  });

  it('take turns by the time they have used, and one that was idle has no credit', async () => {
    const clock = { now: 0 };
    const spy = vi.spyOn(performance, 'now').mockImplementation(() => clock.now);
    onTestFinished(() => void spy.mockRestore());
    await put(['a/1', 'b/1', 'b/2', 'b/3', 'b/4', 'b/5', 'b/6']);
    await mkdir(join(folder, 'c'));
    const order: string[] = [];
    const { files } = WatchedSpool.prototype;
    const scan = vi.spyOn(WatchedSpool.prototype, 'files').mockImplementation(function (this: WatchedSpool) {
      if (this.folder === join(folder, 'a')) order.push('|');
      return files.call(this);
    });
    onTestFinished(() => void scan.mockRestore());
    await watchAll(
      name => {
        order.push(name);
        clock.now += name === 'a' ? 30 : 10;
        if (order.join('') === '|abb')
          for (const file of ['a/2', 'c/1', 'c/2', 'c/3', 'c/4']) {
            writeFileSync(join(folder, file), ' ');
            utimesSync(join(folder, file), 1, 1);
          }
        return { taken: 1 };
      },
      () => order.filter(step => step !== '|').length === 12,
      { every: 50 },
    );
    expect(order.join('').slice(0, 15)).toBe('|abb|cbca|bcbcb');
  });

  it('are refused if others can write to the folder around them', async () => {
    await chmod(folder, 0o777);
    const refused = watchAll(
      () => ({}),
      () => true,
    );
    await expect(refused).rejects.toThrow(new SharedFolder(folder));
  });

  it('do not stop each other: one that cannot be read is tried again, and one that is removed is forgotten', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await put(['a/1'], 50);
    await put(['b/1'], 5000);
    await mkdir(join(folder, 'c'));
    await chmod(join(folder, 'c'), 0o777);
    const metrics = createSpoolMetrics();
    const readAge = async () =>
      Math.round(Number(metricOf(await metrics.print(), 'oldest_file_age_seconds')));
    const ages: number[] = [];
    const { said, asked } = await watchAll(
      async name => {
        if (name === 'a') return {};
        ages.push(await readAge());
        if (ages.length === 3) rmSync(join(folder, name), { recursive: true });
        throw new Error('the database is away');
      },
      async lines => {
        if (ages.length < 3 || !lines.includes('a: 1 file: of a')) return false;
        // Nothing remains but a folder that cannot be read.
        rmSync(join(folder, 'a'), { recursive: true, force: true });
        return (await readAge()) === 0;
      },
      { metrics },
    );
    expect(ages).toEqual([5000, 5000, 5000]);
    expect(said.filter(line => line.startsWith('b'))).toEqual(
      Array(3).fill('b: Trying again later: the database is away'),
    );
    expect(said).toContain('a: 1 file: of a');
    expect(said).toContain(`c: Trying again later: ${new SharedFolder(join(folder, 'c')).message}`);
    expect(asked).toEqual(['a', 'b', 'c']);
  });
});
