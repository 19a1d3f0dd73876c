import { Dirent, rmSync } from 'node:fs';
import {
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Spool } from '../src/spool.ts';
import { createToken, TokenFileError, Tokens } from '../src/tokens.ts';

const MIB = 1024 * 1024;
const NOW = Date.parse('2026-05-31T23:59:59.999Z');

let folder: string;
/** The time of the process in milliseconds. */
let clock: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-test-spool-'));
  clock = 100_000;
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

type Written = [account: string, types: string, error: string | undefined];

function create(most = 2 ** 30, isShared = false) {
  const written: Written[] = [];
  const spool = new Spool(
    folder,
    most,
    () => isShared,
    (account, tally, error) => {
      written.push([account, JSON.stringify([...tally]), error && (error as NodeJS.ErrnoException).code]);
    },
  );
  return { spool, written };
}

/** Creates a file of this size that takes no space. */
async function addFile(account: string, name: string, size: number): Promise<void> {
  await mkdir(join(folder, account), { recursive: true });
  const path = join(folder, account, name);
  await writeFile(path, '');
  await truncate(path, size);
}

it.each([
  ['small', 409_600, 389_120, 393_216],
  ['large', 100 * MIB, 98 * MIB, 98 * MIB + 4096],
])(
  'a %s spool of %i bytes is writable with %i bytes, and full with %i',
  async (_, most, fitting, tooMany) => {
    await addFile('acme', 'a.ndjson', fitting);
    const { spool } = create(most);
    await spool.open();
    expect([spool.waiting, await spool.findProblem()]).toEqual([fitting, undefined]);
    await truncate(join(folder, 'acme/a.ndjson'), tooMany);
    const { spool: next } = create(most);
    await next.open();
    expect((await next.findProblem())?.message).toBe('The spool is full. Is an importer running?');
  },
);

it('a spool is tested at most once a second, and a full one is scanned again after a second', async () => {
  const { spool } = create(409_600);
  await spool.open();
  const first = spool.findProblem();
  expect(await first).toBeUndefined();
  await addFile('acme', 'a.ndjson', 409_600);
  await spool.look();
  clock += 999;
  expect(await spool.findProblem()).toBeUndefined();
  clock += 1;
  expect((await spool.findProblem())?.message).toBe('The spool is full. Is an importer running?');
  await rm(join(folder, 'acme/a.ndjson'));
  clock += 1000;
  // The last scan is exactly two seconds ago.
  expect(await spool.findProblem()).toBeUndefined();
  expect(await readdir(folder)).toEqual(['acme']);
});

it('a spool without room is scanned again at most every five seconds', async () => {
  const { spool } = create(40_960);
  await spool.open();
  await addFile('acme', 'a.ndjson', 40_960);
  await spool.look();
  await rm(join(folder, 'acme/a.ndjson'));
  const look = vi.spyOn(spool, 'look');
  const add = () => spool.add('acme', [Buffer.from('x\n')]);
  clock += 5000;
  expect([add(), look.mock.calls.length]).toEqual([false, 0]);
  clock += 1;
  expect([add(), add(), look.mock.calls.length]).toEqual([false, false, 1]);
  await look.mock.results[0]!.value;
  expect(add()).toBe(true);
  await spool.flush();
});

it('a scan that failed is repeated like any other', async () => {
  const { spool } = create(40_960);
  await spool.open();
  await addFile('acme', 'a.ndjson', 40_960);
  await spool.look();
  const look = vi.spyOn(spool, 'look');
  const add = () => spool.add('acme', [Buffer.from('x\n')]);
  await rename(folder, `${folder}.moved`);
  clock += 5001;
  expect(add()).toBe(false);
  await expect(look.mock.results[0]!.value).rejects.toThrow('ENOENT');
  await rename(`${folder}.moved`, folder);
  await rm(join(folder, 'acme/a.ndjson'));
  clock += 5000;
  expect([add(), look.mock.calls.length]).toEqual([false, 1]);
  clock += 1;
  expect([add(), look.mock.calls.length]).toEqual([false, 2]);
  await look.mock.results[1]!.value;
  expect(add()).toBe(true);
  await spool.flush();
});

it('a scan counts the files of this month that an importer has not taken', async () => {
  const names: [string, number][] = [
    [`${NOW}-aaaaaaaaaaaa-0-3.ndjson`, 1],
    [`${Date.parse('2026-05-01T00:00:00.000Z')}-aaaaaaaaaaaa-12-20.ndjson`, 4096],
    [`${Date.parse('2026-04-30T23:59:59.999Z')}-aaaaaaaaaaaa-2-100.ndjson`, 4097],
    [`${NOW + 1}-aaaaaaaaaaaa-3-100.ndjson`, 0],
    ['foreign.ndjson', 1],
    [`x${NOW}-aaaaaaaaaaaa-9-100.ndjson`, 0],
    [`.${NOW}-aaaaaaaaaaaa-4-100.ndjson.part`, 1],
    [`${NOW}-aaaaaaaaaaaa-5-100.ndjson.gz`, 1],
  ];
  for (const [name, size] of names) await addFile('acme', name, size);
  await addFile('acme/done', `${NOW}-aaaaaaaaaaaa-6-100.ndjson`, 50_000);
  await addFile('other', `${NOW}-aaaaaaaaaaaa-7-5.ndjson`, 10_000);
  await writeFile(join(folder, `${NOW}-aaaaaaaaaaaa-8-100.ndjson`), 'x');
  const { spool } = create();
  expect(Object.fromEntries(await spool.look())).toEqual({ acme: 23, other: 5 });
  expect(spool.waiting).toBe(4096 * (1 + 1 + 2 + 0 + 1 + 1 + 1) + 12_288);
});

/** Removes a path at the moment when its entry in a list is looked at. */
function removeOnceListed(path: string, check: 'isFile' | 'isDirectory'): void {
  const { [check]: real } = Dirent.prototype;
  vi.spyOn(Dirent.prototype, check).mockImplementation(function (this: Dirent) {
    if (join(this.parentPath, this.name) === path) rmSync(path, { recursive: true });
    return real.call(this);
  });
}

it.each([
  ['file', 'acme/b.ndjson', 'isFile', 4096],
  ['folder of an account', 'acme', 'isDirectory', 0],
] as const)('a %s that another program removes during a scan takes no room', async (_, gone, check, left) => {
  for (const name of ['a.ndjson', 'b.ndjson']) await addFile('acme', name, 1);
  await addFile('other', `${NOW}-aaaaaaaaaaaa-7-5.ndjson`, 10_000);
  removeOnceListed(join(folder, gone), check);
  const { spool } = create();
  expect((await spool.look()).get('other')).toBe(5);
  expect(spool.waiting).toBe(left + 12_288);
});

it('an incomplete file that another process completes or removes does not stop the start', async () => {
  await addFile('acme', '.1-x-1-1.ndjson.part', 1);
  removeOnceListed(join(folder, 'acme/.1-x-1-1.ndjson.part'), 'isFile');
  const { spool } = create();
  await spool.open();
  expect(await readdir(join(folder, 'acme'))).toEqual([]);
  expect(await spool.findProblem()).toBeUndefined();
});

it('at its start, a spool removes incomplete files of any account, and nothing else', async () => {
  const kept = [
    'acme/1-x-0-1.ndjson',
    'acme/x.part',
    'acme/x.y.part',
    'acme/.x.part.old',
    'acme/.hidden',
    'acme/done/2-x-0-1.ndjson',
  ];
  const removed = ['acme/.1-x-1-1.ndjson.part', 'acme/done/.2-x-1-1.ndjson.part', '.x-3.part'];
  for (const path of [...kept, ...removed]) await addFile(join(path, '..'), path.split('/').at(-1)!, 1);
  await mkdir(join(folder, 'acme/.folder.part'));
  const { spool } = create();
  await spool.open();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  expect(files.sort()).toEqual(kept.map(path => join(folder, path)).sort());
});

it('a file is named by time, process, number and counted reports, and its lines have unique ids', async () => {
  const { spool, written } = create();
  const ends: [string, boolean][] = [];
  const onEnd = (name: string) => (isOnDisk: boolean) => void ends.push([name, isOnDisk]);
  spool.add('acme', [Buffer.from('a'), Buffer.from('b\n')], {
    types: ['csp', 'nel'],
    counted: 2,
    onEnd: onEnd('first'),
  });
  spool.add('acme', [Buffer.from('c\n')], { types: ['csp'], counted: 1, onEnd: onEnd('second') });
  spool.add('other', [Buffer.from('d\n')]);
  await spool.flush();
  expect(written.sort()).toEqual([
    ['acme', '[["csp",2],["nel",1]]', undefined],
    ['other', '[]', undefined],
  ]);
  expect(ends).toEqual([
    ['first', true],
    ['second', true],
  ]);
  const [name] = await readdir(join(folder, 'acme'));
  const [, run] = /^1780271999999-([0-9a-f]{12})-\d-3\.ndjson$/.exec(name!) ?? [];
  expect(await readFile(join(folder, 'acme', name!), 'utf8')).toBe('ab\nc\n');
  expect((await readdir(join(folder, 'other')))[0]).toMatch(
    new RegExp(`^1780271999999-${run}-\\d-0\\.ndjson$`),
  );
  const ids = Array.from({ length: 37 }, () => spool.nextId());
  expect([ids[0], ids[10], ids[36]]).toEqual([`${run}-0`, `${run}-a`, `${run}-10`]);
  expect(create().spool.nextId()).not.toBe(`${run}-0`);
});

it('a file that cannot be written frees its room, and the next test needs as much', async () => {
  const { spool, written } = create(100_000);
  await spool.open();
  await writeFile(join(folder, 'acme'), '');
  const ends: boolean[] = [];
  const line = Buffer.alloc(50_000, 0x20);
  spool.add('acme', [line], { types: ['csp'], counted: 7, onEnd: isOnDisk => void ends.push(isOnDisk) });
  expect(spool.waiting).toBe(50_000);
  await spool.flush();
  expect([written, ends, spool.waiting]).toEqual([[['acme', '[["csp",1]]', 'EEXIST']], [false], 0]);
  await rm(join(folder, 'acme'));
  expect(Object.fromEntries(await spool.look())).toEqual({});
  const sizes: number[] = [];
  const watched = vi.spyOn(Buffer, 'alloc').mockImplementation(((size: number) => {
    sizes.push(size);
    return Buffer.allocUnsafe(size);
  }) as typeof Buffer.alloc);
  for (let time = 0; time < 2; time++) {
    clock += 1000;
    expect(await spool.findProblem()).toBeUndefined();
  }
  // Another failure is followed by a file that is written, so that a test needs no more room.
  await writeFile(join(folder, 'other'), '');
  spool.add('other', [line]);
  await spool.flush();
  spool.add('acme', [line]);
  await spool.flush();
  clock += 1000;
  expect(await spool.findProblem()).toBeUndefined();
  watched.mockRestore();
  expect(sizes).toEqual([50_000, 4096, 4096]);
});

it('a file that cannot be completed is removed, and the next one is written', async () => {
  const { spool, written } = create();
  await spool.open();
  await writeFile(join(folder, 'other'), '');
  const handle = await open(join(folder, 'other'));
  const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync');
  await handle.close();
  sync.mockRejectedValueOnce(Object.assign(new Error('full'), { code: 'ENOSPC' }));
  for (const files of [0, 1]) {
    spool.add('acme', [Buffer.from('{}\n')], { types: ['csp'], counted: 1 });
    await spool.flush();
    expect(await readdir(join(folder, 'acme'))).toHaveLength(files);
  }
  expect(written.map(([, , error]) => error)).toEqual(['ENOSPC', undefined]);
});

it('a file of tokens is extended after a cut line, and each of its fields is checked', async () => {
  const path = join(folder, 'tokens');
  const first = await createToken(path, { account: 'a' }, new Date(NOW));
  const whole = await readFile(path, 'utf8');
  const { sha256, ...rest } = JSON.parse(whole);
  expect(rest).toEqual({ account: 'a', hosts: [], sampling: {}, created: '2026-05-31T23:59:59.999Z' });
  expect(first).toMatch(/^[0-9A-Za-z]{22}$/);
  await writeFile(path, whole.trimEnd());
  const second = await createToken(path, { account: 'a', hosts: ['A_b.Example'] });
  const third = await createToken(path, { account: 'b', sampling: { csp: 1 } });
  expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(4);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const tokens = new Tokens(path);
  await tokens.refresh(true);
  expect([first, second, third].map(token => tokens.find(token)?.hosts)).toEqual([[], ['a_b.example'], []]);
  expect([tokens.accounts, tokens.find(third)?.sampling]).toEqual([2, { csp: 1 }]);
  expect([first.slice(1), `${first}0`, ''].map(token => tokens.find(token))).toEqual(
    Array(3).fill(undefined),
  );

  const base = { sha256, account: 'a', created: '2026-05-31T00:00:00Z' };
  const messages: string[] = [];
  for (const change of [
    { sha256: 7 },
    { sha256: undefined },
    { account: '.x' },
    { account: 'a/b' },
    { account: undefined },
    { created: 'today' },
    { created: undefined },
    { hosts: ['a..b'] },
    { hosts: ['*.a'] },
    { hosts: 'a' },
    { sampling: { csp: 0 } },
    { sampling: { csp: 101 } },
    { sampling: { csp: 0.5 } },
    { host: 'a' },
  ]) {
    await writeFile(path, `\n  \n${JSON.stringify({ ...base, ...change })}\n`);
    const error = await new Tokens(path).refresh(true).catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(TokenFileError);
    messages.push(`${JSON.stringify(change)} ${(error as Error).message}`);
  }
  expect(messages.join('\n')).toMatchInlineSnapshot(`
    "{"sha256":7} Line 3 of the tokens: sha256 Invalid input: expected string, received number
    {} Line 3 of the tokens: sha256 Invalid input: expected string, received undefined
    {"account":".x"} Line 3 of the tokens: account must be usable as the name of a folder
    {"account":"a/b"} Line 3 of the tokens: account must be usable as the name of a folder
    {} Line 3 of the tokens: account Invalid input: expected string, received undefined
    {"created":"today"} Line 3 of the tokens: created Invalid ISO datetime
    {} Line 3 of the tokens: created Invalid input: expected string, received undefined
    {"hosts":["a..b"]} Line 3 of the tokens: hosts must be host names
    {"hosts":["*.a"]} Line 3 of the tokens: hosts must be host names
    {"hosts":"a"} Line 3 of the tokens: hosts Invalid input: expected array, received string
    {"sampling":{"csp":0}} Line 3 of the tokens: sampling must be percents
    {"sampling":{"csp":101}} Line 3 of the tokens: sampling must be percents
    {"sampling":{"csp":0.5}} Line 3 of the tokens: sampling must be percents
    {"host":"a"} Line 3 of the tokens: it has the unknown field "host""
  `);
  await writeFile(path, `${JSON.stringify(base)}\r\n{"sha256"`);
  await expect(tokens.refresh(true)).rejects.toThrow(
    'Line 2 of the tokens: it is not a complete JSON object',
  );
  // The previous tokens stay valid.
  expect(tokens.find(third)?.account).toBe('b');
  await rm(path);
  await expect(tokens.refresh()).rejects.toThrow(
    /^The file of tokens cannot be read: create it with "sightline collect token create" \(ENOENT/,
  );
});
