import { constants, type Stats } from 'node:fs';
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder that others may write into, who could plant files in it, and anything else in their place. */
export class SharedFolder extends Error {
  override name = 'SharedFolder';

  constructor(path: string) {
    super(`${path} may be written by others: change its mode or its owner, or allow it by --shared`);
  }
}

/** A place for a folder of a spool has something else, such as a link to one. */
export class NoFolder extends Error {
  override name = 'NoFolder';
}

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY;
const [GROUP_WRITES, OTHERS_WRITE] = [0o020, 0o002];

/** A folder that stays the same one, whatever its path becomes. */
export class OpenFolder implements AsyncDisposable {
  /** The path of the folder itself, while it is open. */
  readonly path: string;
  /** For people. */
  readonly #name: string;
  readonly #handle: FileHandle | undefined;

  private constructor(name: string, path: string, handle?: FileHandle) {
    this.#name = name;
    this.path = path;
    this.#handle = handle;
  }

  /** @throws {SharedFolder} where others than its owner may write into it, or its owner is another one */
  static async open(path: string, isShared: boolean): Promise<OpenFolder> {
    // Links in the path that the operator names are the operator's.
    return OpenFolder.#of(path, path, await open(path, FLAGS), isShared);
  }

  /** A folder in it, which is made where it is not there. @throws {NoFolder | SharedFolder} */
  async inside(name: string, isShared: boolean): Promise<OpenFolder> {
    const [shown, path] = [join(this.#name, name), join(this.path, name)];
    await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    const handle = await open(path, FLAGS | constants.O_NOFOLLOW).catch(error => {
      const { code } = error as NodeJS.ErrnoException;
      throw code === 'ENOTDIR' || code === 'ELOOP' ? new NoFolder(`${shown} is no folder`) : error;
    });
    return OpenFolder.#of(shown, path, handle, isShared);
  }

  static async #of(name: string, path: string, handle: FileHandle, isShared: boolean): Promise<OpenFolder> {
    try {
      if (!isShared && isOthers(await handle.stat())) throw new SharedFolder(name);
      // Elsewhere than on Linux a descriptor has no path.
      const byDescriptor = `/proc/self/fd/${handle.fd}`;
      if (await isFolder(byDescriptor)) return new OpenFolder(name, byDescriptor, handle);
      await handle.close();
      return new OpenFolder(name, path);
    } catch (error) {
      await handle.close().catch(() => {});
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle?.close();
  }
}

/** Tells whether others than the user of this process, and root, may write into it. */
function isOthers({ mode, uid, gid }: Stats): boolean {
  const own = process.getuid?.();
  // Windows has no such modes.
  if (own === undefined) return false;
  // A group that has the number of its user is that user's alone.
  const isOwnGroup = gid === 0 || (gid === uid && gid === process.getgid?.());
  const isOwned = uid === own || uid === 0;
  return !isOwned || (mode & OTHERS_WRITE) !== 0 || ((mode & GROUP_WRITES) !== 0 && !isOwnGroup);
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
