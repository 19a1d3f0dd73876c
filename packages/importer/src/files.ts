import { createReadStream, type Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { openRegular, readSmallFile, regularContent, type SmallFile } from '@sightline/feed/read';
import { type Item, OUTERMOST, type Sibling } from './item.ts';
import type { SpoolFile } from './spool/watch.ts';
import { Unreadable } from './unreadable.ts';

/** Maximum size of a file that is read at once, and chunk size for larger files, in bytes. */
const SMALL = 1024 * 1024;
const CHUNK = 64 * 1024;

/** Called after each chunk with its size. */
export type OnBytes = (bytes: number) => void;

/** Returns standard input as an item. */
export function standardInput(now: number, onBytes: OnBytes): Item {
  const content = countContent(process.stdin, onBytes);
  return { place: '-', name: '', content, modified: now, nesting: OUTERMOST };
}

/**
 * Lists the files below a path, sorted by name. Skips hidden files, hidden folders except those of a mailbox
 * (Maildir++), symbolic links below the path, and unfinished mails of a maildir (`tmp`). Files that certspotter writes
 * next to a certificate are returned together with it. An unreadable file causes an error only when it is read.
 */
export async function* filesBelow(path: string, onBytes: OnBytes): AsyncGenerator<Item> {
  const status = await stat(path).catch((error: Error) => error);
  if (status instanceof Error) yield toFailingItem(path, status);
  else if (!status.isDirectory())
    yield fileItem(path, status.mtimeMs, readNamedPath(path), onBytes, undefined);
  else yield* filesIn(path, onBytes);
}

async function* filesIn(folder: string, onBytes: OnBytes): AsyncGenerator<Item> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: Error) => error);
  if (entries instanceof Error) {
    yield toFailingItem(folder, entries);
    return;
  }
  const names = new Set(entries.map(({ name }) => name).filter(name => !name.startsWith('.')));
  const isMaildir = MAILDIR.some(name => names.has(name)) && entries.some(isMailFolder);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) {
      if (entry.isDirectory()) yield* hiddenFilesIn(path, isMaildir, onBytes);
    } else if (entry.isDirectory()) {
      if (!(isMaildir && entry.name === 'tmp')) yield* filesIn(path, onBytes);
    } else if (
      entry.isFile() &&
      !isCompanion(entry.name, names) &&
      !(isMaildir && OF_SERVERS.test(entry.name))
    ) {
      const file = readHere(path);
      if (file instanceof Error) yield toFailingItem(path, file);
      else
        yield fileItem(
          path,
          file.modified,
          toContent(path, file),
          onBytes,
          await findCompanions(path, names),
        );
    }
  }
}

/** Folders of a maildir that contain mails, and state files of mail servers. */
const MAILDIR = ['cur', 'new'];
const OF_SERVERS = /^(?:maildirfolder|maildirsize|subscriptions|courier[\w.-]*|dovecot[\w.-]*|uidvalidity)$/;

const isMailFolder = (entry: Dirent) => entry.isDirectory() && MAILDIR.includes(entry.name);

/** Lists the mails in a hidden folder, if it is a subfolder of a mailbox (Maildir++). */
async function* hiddenFilesIn(path: string, isInMaildir: boolean, onBytes: OnBytes): AsyncGenerator<Item> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const isFolder = (entry: Dirent) =>
    isMailFolder(entry) || (entry.isDirectory() && entry.name.startsWith('.'));
  if (entries.some(isMailFolder) || (isInMaildir && entries.some(isFolder))) yield* filesIn(path, onBytes);
  else if (isInMaildir)
    yield toFailingItem(path, new Unreadable('is a hidden folder without mails, and was skipped'));
}

/** Checks whether a file accompanies a certificate, such as `x.v1.json` and `x.txt` next to `x.pem`. */
function isCompanion(name: string, names: ReadonlySet<string>): boolean {
  const stem = name.replace(/\.(?:v1\.json|txt)$/, '');
  return stem !== name && names.has(`${stem}.pem`) && names.has(`${stem}.v1.json`);
}

async function findCompanions(path: string, names: ReadonlySet<string>): Promise<Sibling | undefined> {
  const stem = basename(path, '.pem');
  if (!path.endsWith('.pem') || !names.has(`${stem}.v1.json`)) return undefined;
  const read = (end: string) => toText(path.replace(/\.pem$/, end)).catch(() => '');
  return { json: await read('.v1.json'), text: names.has(`${stem}.txt`) ? await read('.txt') : '' };
}

async function toText(path: string): Promise<string> {
  await using handle = await openRegular(path);
  return await handle.readFile('utf8');
}

/** Returns a file of a spool as an item. */
export function spooledFile({ path, source, size, modified }: SpoolFile, onBytes: OnBytes): Item {
  return fileItem(path, modified, regularContent(source, chooseChunkSize(size)), onBytes, undefined);
}

function fileItem(
  path: string,
  modified: number,
  content: AsyncIterable<Uint8Array>,
  onBytes: OnBytes,
  sibling: Sibling | undefined,
): Item {
  return {
    place: path,
    name: basename(path),
    content: countContent(content, onBytes),
    modified,
    nesting: OUTERMOST,
    ...(sibling && { sibling: sibling }),
  };
}

/** Reads a path that the operator has named, which can be a pipe or a link. */
async function* readNamedPath(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: CHUNK });
}

function readHere(path: string): SmallFile | Error {
  try {
    return readSmallFile(path, SMALL);
  } catch (error) {
    return error as Error;
  }
}

async function* toContent(path: string, { bytes }: SmallFile): AsyncGenerator<Uint8Array> {
  if (bytes) yield bytes;
  else yield* regularContent(path, CHUNK);
}

/**
 * Returns a buffer size for a file. A maildir contains many small files, so their buffers are only as large as needed.
 */
function chooseChunkSize(size: number): number {
  return size <= SMALL ? size + 1 : CHUNK;
}

async function* countContent(
  content: AsyncIterable<Uint8Array>,
  onBytes: OnBytes,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    onBytes(chunk.length);
    yield chunk;
  }
}

function toFailingItem(path: string, error: Error): Item {
  // biome-ignore lint/correctness/useYield: it fails before it has anything
  const content = (async function* (): AsyncGenerator<Uint8Array> {
    throw error;
  })();
  return { place: path, name: basename(path), content, modified: 0, nesting: OUTERMOST };
}
