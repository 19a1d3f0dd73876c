import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
    expect(await listNames()).toEqual(['cur/c', 'new/b', 'a']);
  });

  it('are found again only if neither their size nor their time has changed', async () => {
    await put({ same: 1, longer: 1, newer: 1, removed: 1 });
    await spool.opened(async () => {
      const files = await spool.files();
      await put({ longer: 1 }, 'xx');
      await put({ newer: 2 });
      await rm(join(folder, 'removed'));
      expect(namesOf(await spool.findAgain(files))).toEqual(['same']);
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
