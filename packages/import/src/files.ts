import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { SpoolFile } from '@sightline/spool';
import { openRegular, readSmallFile, regularContent, type SmallFile } from '@sightline/spool/regular-file';
import { type Beside, type Item, OUTERMOST } from './item.ts';

/** Bytes up to which a file is read as a whole, and those of a part of a longer one. */
const SMALL = 1024 * 1024;
const CHUNK = 64 * 1024;

/** Told of every part that is read. */
export type OnBytes = (bytes: number) => void;

/** Standard input as an item. */
export function standardInput(now: number, onBytes: OnBytes): Item {
  const content = counted(process.stdin, onBytes);
  return { place: '-', name: '', content, modified: now, nesting: OUTERMOST };
}

/**
 * The files below a path, in the order of their names. It leaves out hidden files, symbolic links below the path,
 * and unfinished mails of a maildir (`tmp`). The files that certspotter writes beside a certificate come with the
 * certificate. A file that cannot be read fails when it is read.
 */
export async function* filesBelow(path: string, onBytes: OnBytes): AsyncGenerator<Item> {
  const status = await stat(path).catch((error: Error) => error);
  if (status instanceof Error) yield failing(path, status);
  else if (!status.isDirectory()) yield fileItem(path, status.mtimeMs, named(path), onBytes, undefined);
  else yield* filesIn(path, onBytes);
}

async function* filesIn(folder: string, onBytes: OnBytes): AsyncGenerator<Item> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: Error) => error);
  if (entries instanceof Error) {
    yield failing(folder, entries);
    return;
  }
  const seen = entries.filter(entry => !entry.name.startsWith('.'));
  const names = new Set(seen.map(({ name }) => name));
  const isMaildir = ['cur', 'new', 'tmp'].every(name => names.has(name));
  for (const entry of seen.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!(isMaildir && entry.name === 'tmp')) yield* filesIn(path, onBytes);
    } else if (entry.isFile() && !isBeside(entry.name, names)) {
      const file = readHere(path);
      if (file instanceof Error) yield failing(path, file);
      else yield fileItem(path, file.modified, contentOf(path, file), onBytes, await besideOf(path, names));
    }
  }
}

/** `x.v1.json` and `x.txt` beside `x.pem`. */
function isBeside(name: string, names: ReadonlySet<string>): boolean {
  const stem = name.replace(/\.(?:v1\.json|txt)$/, '');
  return stem !== name && names.has(`${stem}.pem`) && names.has(`${stem}.v1.json`);
}

async function besideOf(path: string, names: ReadonlySet<string>): Promise<Beside | undefined> {
  const stem = basename(path, '.pem');
  if (!path.endsWith('.pem') || !names.has(`${stem}.v1.json`)) return undefined;
  const read = (end: string) => textOf(path.replace(/\.pem$/, end)).catch(() => '');
  return { json: await read('.v1.json'), text: names.has(`${stem}.txt`) ? await read('.txt') : '' };
}

async function textOf(path: string): Promise<string> {
  await using handle = await openRegular(path);
  return await handle.readFile('utf8');
}

/** A file that waits in a spool. */
export function spooledFile({ path, source, size, modified }: SpoolFile, onBytes: OnBytes): Item {
  return fileItem(path, modified, regularContent(source, chunkOf(size)), onBytes, undefined);
}

function fileItem(
  path: string,
  modified: number,
  content: AsyncIterable<Uint8Array>,
  onBytes: OnBytes,
  beside: Beside | undefined,
): Item {
  return {
    place: path,
    name: basename(path),
    content: counted(content, onBytes),
    modified,
    nesting: OUTERMOST,
    ...(beside && { beside }),
  };
}

/** The operator names this path, so it may be a pipe or a link. */
async function* named(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: CHUNK });
}

function readHere(path: string): SmallFile | Error {
  try {
    return readSmallFile(path, SMALL);
  } catch (error) {
    return error as Error;
  }
}

async function* contentOf(path: string, { bytes }: SmallFile): AsyncGenerator<Uint8Array> {
  if (bytes) yield bytes;
  else yield* regularContent(path, CHUNK);
}

/** A small file has room for itself, and no more: a maildir has many, and each room is memory that is asked for. */
function chunkOf(size: number): number {
  return size <= SMALL ? size + 1 : CHUNK;
}

async function* counted(content: AsyncIterable<Uint8Array>, onBytes: OnBytes): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    onBytes(chunk.length);
    yield chunk;
  }
}

function failing(path: string, error: Error): Item {
  // biome-ignore lint/correctness/useYield: it fails before it has anything
  const content = (async function* (): AsyncGenerator<Uint8Array> {
    throw error;
  })();
  return { place: path, name: basename(path), content, modified: 0, nesting: OUTERMOST };
}
