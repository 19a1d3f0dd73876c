import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Neither follows a link nor waits for another end: whoever may write into a folder chooses what stands there. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** What stands under a name in a folder that others may write into is no file. */
export class NoRegularFile extends Error {
  override name = 'NoRegularFile';
}

/**
 * Opens a file where it lies, and nothing that stands in its place.
 * @throws {NoRegularFile} for a link, a pipe, a device or a folder
 */
export async function openRegular(path: string): Promise<FileHandle> {
  const handle = await open(path, FLAGS).catch(error => {
    const { code } = error as NodeJS.ErrnoException;
    // Of a link, and of a socket.
    throw code === 'ELOOP' || code === 'ENXIO' ? new NoRegularFile(`${path} is no regular file`) : error;
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new NoRegularFile(`${path} is no regular file`);
}

/** Its bytes, in parts; it is opened when they are read. @throws {NoRegularFile} */
export async function* regularContent(path: string, highWaterMark: number): AsyncGenerator<Buffer> {
  const handle = await openRegular(path);
  yield* handle.createReadStream({ highWaterMark });
}
