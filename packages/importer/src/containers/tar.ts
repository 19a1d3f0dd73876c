import { pipeline, Readable } from 'node:stream';
import { type Entry, extract } from 'tar-stream';
import type { Bounds } from '../bounds.ts';
import type { Content } from '../content.ts';
import { isAbort, toUnreadable, Unreadable } from '../unreadable.ts';
import { isHiddenMember, toShownName } from './member-name.ts';

/** A file in a tar archive. Its content must be read before the next file is requested. */
export interface TarMember {
  /** The name for messages. It is never used as a path. */
  name: string;
  content: Content;
}

const BLOCK = 512;

/** Recognises the header of a tar file (POSIX.1-2001 and older) by its checksum. */
export function isTar(head: Buffer): boolean {
  if (head.length < BLOCK || head[0] === 0) return false;
  const written = /^[ \0]*([0-7]{1,6})[ \0]/.exec(head.toString('latin1', 148, 156))?.[1];
  if (written === undefined) return false;
  let sum = 8 * 0x20;
  for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += head[at]!;
  return sum === Number.parseInt(written, 8);
}

/**
 * Yields the files of a tar archive, except hidden ones.
 * @throws {Unreadable} after the readable part
 */
export async function* tarMembers(content: Content, bounds: Bounds): AsyncGenerator<TarMember> {
  const entries = extract();
  // The iteration below throws errors of the content and the archive.
  pipeline(Readable.from(content), entries, () => {});
  let members = 0;
  try {
    for await (const entry of entries) {
      const { name, type } = entry.header;
      if (type === 'directory' || isHiddenMember(name)) entry.resume();
      else {
        if (++members > bounds.members)
          throw new Unreadable('has too many members', `over ${bounds.members}`);
        yield { name: toShownName(name), content: type === 'file' ? toContent(entry) : refuse(entry) };
        entry.resume();
      }
    }
  } catch (error) {
    if (error instanceof Unreadable || isAbort(error)) throw error;
    throw new Unreadable('is a broken tar', toUnreadable(error).detail);
  }
  if (members === 0) throw new Unreadable('is an empty tar');
}

async function* toContent(entry: Entry): Content {
  for await (const chunk of entry) yield chunk as Uint8Array;
}

// biome-ignore lint/correctness/useYield: it has no content
async function* refuse(entry: Entry): Content {
  entry.resume();
  throw new Unreadable('is no regular file', entry.header.type ?? '');
}
