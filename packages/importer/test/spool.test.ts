import { Dirent, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { replaceFunction } from '../../../test/support/replaced-functions.ts';
import { type SpoolFile, WatchedSpool } from '../src/spool/spool.ts';

const NOW = 1_000_000;

let folder: string;
let spool: WatchedSpool;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-spool-'));
  spool = new WatchedSpool(folder, true, false);
});
afterEach(() => rm(folder, { recursive: true }));

/** Writes files that were last changed a number of seconds after 1970. */
async function put(files: Readonly<Record<string, number>>, text = 'x'): Promise<void> {
  for (const [name, seconds] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
    await utimes(join(folder, name), seconds, seconds);
  }
}

const namesOf = (files: readonly SpoolFile[]) => files.map(({ name }) => name);
const listNames = () => spool.opened(async () => namesOf(await spool.files()));

describe('the files of a spool', () => {
  it('are those of the folder itself, the oldest first, unless they are hidden', async () => {
    await put({ b: 2, a: 2, c: 1, '.d': 1, 'done/e': 1, 'new/f': 1, 'cur/g': 1 });
    expect(await listNames()).toEqual(['c', 'a', 'b']);
  });

  it('include the delivered mails of a maildir', async () => {
    await put({ a: 4, 'new/b': 3, 'cur/c': 2, 'tmp/d': 1, 'new/.e': 1 });
    const names = ['cur/c', 'new/b', 'a'];
    expect(await listNames()).toEqual(names);
    const paths = await spool.opened(async () => (await spool.files()).map(({ path }) => path));
    expect(paths).toEqual(names.map(name => join(folder, name)));
  });

  it('can have the names of the folders of a maildir', async () => {
    await put({ cur: 3, new: 2, tmp: 1 });
    expect(await listNames()).toEqual(['tmp', 'new', 'cur']);
  });

  it('do not include one that another program removes during the scan', async () => {
    await put({ a: 1, b: 2, c: 3 });
    const { isFile } = Dirent.prototype;
    const spy = vi.spyOn(Dirent.prototype, 'isFile').mockImplementation(function (this: Dirent) {
      rmSync(join(folder, 'b'), { force: true });
      return isFile.call(this);
    });
    onTestFinished(() => void spy.mockRestore());
    expect(await listNames()).toEqual(['a', 'c']);
  });

  it('are found again only if neither their size nor their time has changed', async () => {
    await put({ same: 1, longer: 1, newer: 1, removed: 1, replaced: 1 });
    await spool.opened(async () => {
      const files = await spool.files();
      await rm(join(folder, 'replaced'));
      await symlink('same', join(folder, 'replaced'));
      await put({ longer: 1 }, 'xx');
      await put({ newer: 2 });
      await rm(join(folder, 'removed'));
      expect(namesOf(await spool.findAgain(files))).toEqual(['same']);
    });
  });

  it('are not taken for removed if they cannot be examined', async () => {
    const name = 'x'.repeat(256);
    const files = [{ name, path: name, source: name, size: 1, modified: 1 }];
    await expect(spool.opened(() => spool.findAgain(files))).rejects.toThrow('ENAMETOOLONG');
  });
});

describe('a file that is done', () => {
  let restore = () => {};
  const failWith = (code: string) => {
    restore = replaceFunction('node:fs/promises', 'link', async () => {
      throw Object.assign(new Error(code), { code });
    });
  };
  beforeEach(async () => {
    spool = new WatchedSpool(folder, false, false);
    await put({ a: 1 });
  });
  afterEach(() => restore());
  const finish = () => spool.opened(async () => spool.done((await spool.files())[0]!));

  it.each(['EPERM', 'ENOTSUP', 'EMLINK'])('moves even if the file system refuses links: %s', async code => {
    failWith(code);
    await finish();
    expect([await readdir(join(folder, 'done')), await listNames()]).toEqual([['a'], []]);
  });

  it('stays if it cannot be moved', async () => {
    failWith('EIO');
    await expect(finish()).rejects.toThrow('EIO');
    expect([await readdir(join(folder, 'done')), await listNames()]).toEqual([[], ['a']]);
  });
});

it('a spool that others can write to can be allowed', async () => {
  await put({ a: 1 });
  await chmod(folder, 0o777);
  spool = new WatchedSpool(folder, true, true);
  expect(await listNames()).toEqual(['a']);
});

// Only Linux provides paths for open descriptors.
describe.runIf(process.platform === 'linux')('a spool', () => {
  /** Lists the folders of the spool that this process has opened. */
  const listOpen = () =>
    readdirSync('/proc/self/fd').filter(descriptor => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(folder);
      } catch {
        return false;
      }
    });

  it('leaves no folder open, even after an error', async () => {
    await spool.prepare();
    expect(listOpen()).toEqual([]);
    await put({ 'new/a': 1, 'cur/b': 1, 'tmp/c': 1 });
    const work = spool.opened(async () => {
      await spool.files();
      expect(listOpen()).toHaveLength(3);
      throw new Error('EIO');
    });
    await expect(work).rejects.toThrow('EIO');
    expect(listOpen()).toEqual([]);
    expect(await listNames()).toEqual(['cur/b', 'new/a']);
    await chmod(folder, 0o777);
    await expect(listNames()).rejects.toThrow('can be written by others');
    expect(listOpen()).toEqual([]);
  });

  it('remains the opened folder if its path is changed', async () => {
    await put({ a: 1 });
    await spool.opened(async () => {
      await rename(folder, `${folder}.moved`);
      await put({ b: 1 });
      const files = await spool.files();
      await rm(folder, { recursive: true });
      await rename(`${folder}.moved`, folder);
      expect(namesOf(files)).toEqual(['a']);
    });
  });
});

describe('a file of a spool', () => {
  const file = (size: number, modified: number) => ({ name: 'a', size, modified }) as SpoolFile;

  it.each([
    [1999, []],
    [2000, ['a']],
  ])('is complete %i ms after its last change: %j', (age, complete) => {
    expect(namesOf(spool.selectSettled([file(1, NOW - age)], NOW))).toEqual(complete);
  });

  it.each<[string, SpoolFile, string[]]>([
    ['has not changed', file(1, NOW + 9000), ['a']],
    ['has another size', file(2, NOW + 9000), []],
    ['has another time', file(1, NOW + 9001), []],
  ])('with a time in the future is complete after two seconds if it %s', (_, later, complete) => {
    expect(spool.selectSettled([file(1, NOW + 9000)], NOW)).toEqual([]);
    expect(spool.selectSettled([file(1, NOW + 9000)], NOW + 1999)).toEqual([]);
    expect(namesOf(spool.selectSettled([later], NOW + 2000))).toEqual(complete);
  });
});
