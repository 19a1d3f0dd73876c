import { constants, type Stats } from 'node:fs';
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Other users can write to the folder, and so could add or replace files. */
export class SharedFolder extends Error {
  override name = 'SharedFolder';

  constructor(path: string) {
    super(`${path} can be written by others: change its mode or owner, or allow it with --shared`);
  }
}

/** The path of a spool folder is not a folder but, for example, a link. */
export class NoFolder extends Error {
  override name = 'NoFolder';
}

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY;
const [GROUP_WRITES, OTHERS_WRITE] = [0o020, 0o002];

/** An open folder, which stays the same even if its path is renamed. */
export class OpenFolder implements AsyncDisposable {
  /** The path of the folder while it is open. */
  readonly path: string;
  /** The name shown in messages. */
  readonly #name: string;
  readonly #handle: FileHandle | undefined;

  private constructor(name: string, path: string, handle?: FileHandle) {
    this.#name = name;
    this.path = path;
    this.#handle = handle;
  }

  /**
   * Opens a folder.
   * @throws {SharedFolder} if the folder belongs to another user, or other users can write to it
   */
  static async open(path: string, isShared: boolean): Promise<OpenFolder> {
    // Links in the path that the operator names are trusted.
    return OpenFolder.#of(path, path, await open(path, FLAGS), isShared);
  }

  /**
   * Opens a subfolder, and creates it if it is missing.
   * @throws {NoFolder | SharedFolder}
   */
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
      // Only Linux provides paths for open descriptors.
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

/** True if users other than root and the one of this process can write to it. */
function isOthers({ mode, uid, gid }: Stats): boolean {
  const own = process.getuid?.();
  // Windows has no such permissions.
  if (own === undefined) return false;
  // A group with the same id as its user is normally private to that user.
  const isOwnGroup = gid === 0 || (gid === uid && gid === process.getgid?.());
  const isTrusted = uid === own || uid === 0;
  return !isTrusted || (mode & OTHERS_WRITE) !== 0 || ((mode & GROUP_WRITES) !== 0 && !isOwnGroup);
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
