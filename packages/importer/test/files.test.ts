import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { filesBelow, spooledFile } from '../src/files.ts';
import { type Item, OUTERMOST } from '../src/item.ts';

const MODIFIED = Date.UTC(2026, 10, 20);
const LARGE = 1024 * 1024;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sightline-files-'));
  const files: Record<string, number | string> = {
    'tree/b.xml': 3,
    'tree/a.xml': 5,
    'tree/Z.xml': 1,
    'tree/empty.xml': 0,
    'tree/at-most.xml': LARGE,
    'tree/beyond.xml': LARGE + 1,
    'tree/.hidden.xml': 7,
    'tree/.git/config': 7,
    'tree/sub/deep/c.xml': 2,
    'tree/sub/tmp/d.xml': 2,
    'tree/sub/maildirsize': 2,
    'tree/cur.xml': 2,
    'tree/certs/x.pem': 'pem',
    'tree/certs/x.v1.json': 'json',
    'tree/certs/x.txt': 'text',
    'tree/certs/v.pem': 'pem',
    'tree/certs/v.txt': 'text',
    'tree/certs/y.txt': 'text',
    'tree/certs/w.pem': 'pem',
    'tree/certs/w.v1.json/x': 'x',
    'tree/certs/.z.pem': 'pem',
    'tree/certs/.z.v1.json': 'json',
    // A folder is a mailbox if it contains one of the folders of mails.
    'file-cur/cur': 1,
    'file-cur/tmp/x': 1,
    'only-new/new/1': 1,
    'only-new/tmp/x': 1,
    'only-new/.Sent/cur/2': 1,
    'only-new/.Sub/.Deep/new/3': 1,
    'only-new/.Trash/file': 1,
    'only-new/courier-imap': 1,
    'only-new/courier-imap.d/x': 1,
    'only-new/.maildirfolder': 1,
    'not-mail/.Sent/cur/2': 1,
    'not-mail/.Sub/.Deep/new/3': 1,
  };
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === 'string' ? content : 'x'.repeat(content));
    await utimes(path, MODIFIED / 1000, MODIFIED / 1000 + 0.5);
  }
  await symlink(join(root, 'tree/a.xml'), join(root, 'tree/link.xml'));
  await symlink(join(root, 'tree/sub'), join(root, 'tree/link'));
});
afterAll(() => rm(root, { recursive: true }));

/** Reads the items, and returns for each its place, time, size and companions. */
async function describeItems(items: AsyncIterable<Item> | Iterable<Item>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const { place, name, content, modified, nesting, sibling } of items) {
    expect(nesting).toBe(OUTERMOST);
    expect(place.endsWith(name)).toBe(true);
    let size = 0;
    const error = await (async () => {
      for await (const chunk of content) size += chunk.length;
    })().then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    );
    const time = modified === 0 ? 'never' : modified - MODIFIED;
    found.push([place.replace(root, ''), time, error ?? size, ...(sibling ? [sibling] : [])]);
  }
  return found;
}

const list = async (path: string) => {
  let bytes = 0;
  const count = (length: number) => {
    bytes += length;
  };
  return { items: await describeItems(filesBelow(join(root, path), count)), bytes };
};

it('the files below a folder are read in the order of their names, without hidden files and links', async () => {
  const { items, bytes } = await list('tree');
  expect(items).toEqual([
    ['/tree/Z.xml', 500, 1],
    ['/tree/a.xml', 500, 5],
    ['/tree/at-most.xml', 500, LARGE],
    ['/tree/b.xml', 500, 3],
    ['/tree/beyond.xml', 500, LARGE + 1],
    // A text belongs to a certificate only together with its JSON.
    ['/tree/certs/v.pem', 500, 3],
    ['/tree/certs/v.txt', 500, 4],
    // A companion that cannot be read is as good as an empty one.
    ['/tree/certs/w.pem', 500, 3, { json: '', text: '' }],
    ['/tree/certs/w.v1.json/x', 500, 1],
    ['/tree/certs/x.pem', 500, 3, { json: 'json', text: 'text' }],
    ['/tree/certs/y.txt', 500, 4],
    ['/tree/cur.xml', 500, 2],
    ['/tree/empty.xml', 500, 0],
    ['/tree/sub/deep/c.xml', 500, 2],
    ['/tree/sub/maildirsize', 500, 2],
    ['/tree/sub/tmp/d.xml', 500, 2],
  ]);
  expect(bytes).toBe(1 + 5 + LARGE + 3 + LARGE + 1 + 3 + 4 + 3 + 1 + 3 + 4 + 2 + 2 + 2 + 2);
});

it('a folder is a mailbox only if it contains a folder of mails', async () => {
  expect((await list('file-cur')).items.map(item => (item as string[])[0])).toEqual([
    '/file-cur/cur',
    '/file-cur/tmp/x',
  ]);
  const mailbox = (await list('only-new')).items;
  expect(mailbox).toContainEqual([
    '/only-new/.Trash',
    'never',
    'is a hidden folder without mails, and was skipped',
  ]);
  expect(mailbox.map(item => (item as string[])[0])).toEqual([
    '/only-new/.Sent/cur/2',
    '/only-new/.Sub/.Deep/new/3',
    '/only-new/.Trash',
    '/only-new/courier-imap.d/x',
    '/only-new/new/1',
  ]);
  expect((await list('not-mail')).items.map(item => (item as string[])[0])).toEqual([
    '/not-mail/.Sent/cur/2',
  ]);
});

it('a file, a link and a hidden file are read if they are named', async () => {
  for (const [name, size] of [
    ['a.xml', 5],
    ['link.xml', 5],
    ['.hidden.xml', 7],
    ['beyond.xml', LARGE + 1],
  ] as const)
    expect(await list(`tree/${name}`)).toEqual({ items: [[`/tree/${name}`, 500, size]], bytes: size });
  expect((await list('tree/link')).items.map(item => (item as string[])[0])).toEqual([
    '/tree/link/deep/c.xml',
    '/tree/link/maildirsize',
    '/tree/link/tmp/d.xml',
  ]);
});

it('a missing path fails when it is read', async () => {
  expect(await list('missing')).toEqual({ items: [['/missing', 'never', 'ENOENT']], bytes: 0 });
});

it('what is removed after its folder was listed fails when it is read, and the rest is read', async () => {
  for (const name of ['a', 'gone', 'sub/b', 'z']) {
    await mkdir(dirname(join(root, 'changing', name)), { recursive: true });
    await writeFile(join(root, 'changing', name), 'x');
    await utimes(join(root, 'changing', name), MODIFIED / 1000, MODIFIED / 1000);
  }
  const removing = (async function* () {
    for await (const item of filesBelow(join(root, 'changing'), () => {})) {
      yield item;
      for (const name of ['gone', 'sub'])
        await rm(join(root, 'changing', name), { recursive: true, force: true });
    }
  })();
  expect(await describeItems(removing)).toEqual([
    ['/changing/a', 0, 1],
    ['/changing/gone', 'never', 'ENOENT'],
    ['/changing/sub', 'never', 'ENOENT'],
    ['/changing/z', 0, 1],
  ]);
});

it.each([5, LARGE, LARGE + 1])('a file of a spool of %i bytes is read from its source', async size => {
  const source = join(root, `spooled-${size}`);
  await writeFile(source, 'x'.repeat(size));
  let bytes = 0;
  const file = { name: 'r.xml', path: join(root, 'spool/r.xml'), source, size, modified: MODIFIED + 7 };
  const item = spooledFile(file, length => {
    bytes += length;
  });
  expect(await describeItems([item])).toEqual([['/spool/r.xml', 7, size]]);
  expect(bytes).toBe(size);
});
