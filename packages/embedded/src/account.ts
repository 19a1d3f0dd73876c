import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { EmbeddedDatabaseError, USE_DATABASE_URL } from './error.ts';

/** A system user that a process can run as. */
export interface SystemUser {
  uid: number;
  gid: number;
}

/** The user that runs initdb if the server's user has no name, because initdb requires one. */
export const NOBODY: SystemUser = { uid: 65_534, gid: 65_534 };

/**
 * A dedicated user id without a name. Other processes can run as "nobody" and could then enter the socket's folder. The
 * id is in a range that systems leave free (systemd's UIDS-GIDS: 60578 to 61183).
 */
const OWN: SystemUser = { uid: 60_754, gid: 60_754 };

export function isNameless({ uid }: SystemUser): boolean {
  return uid === OWN.uid;
}

/**
 * Returns the user that runs the server; undefined for the current user. PostgreSQL refuses to run as root, so root
 * runs it as the owner of the folder or as a dedicated user.
 */
export function serverAccount(folder: string): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(nearestExisting(folder)).uid;
  const accounts = readAccounts();
  const account = accounts.find(({ uid, name }) => uid === owner && uid !== 0 && name !== 'nobody');
  if (account) return account;
  const isFree = accounts.every(({ uid }) => uid !== OWN.uid);
  if (isFree && canBecome(OWN)) return OWN;
  return accounts.find(({ name }) => name === 'nobody') ?? NOBODY;
}

/** Checks whether this process can run programs as the user. A container may have fewer user ids. */
function canBecome(account: SystemUser): boolean {
  return spawnSync('/bin/sh', ['-c', ':'], { ...account, cwd: '/' }).error === undefined;
}

/** Makes the account the owner of a folder and its content. */
export function handOver(folder: string, { uid, gid }: SystemUser): void {
  if (statSync(folder).uid === uid) return;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    lchownSync(join(entry.parentPath, entry.name), uid, gid);
  }
  // Changed last, so that an interrupted change is repeated.
  chownSync(folder, uid, gid);
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

function readAccounts(): (SystemUser & { name: string })[] {
  if (!existsSync('/etc/passwd')) return [];
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'))
    .filter(fields => fields.length >= 4)
    .map(([name, , uid, gid]) => ({ name: name!, uid: toId(uid), gid: toId(gid) }));
}

/** Parses a user id. macOS prints -2 for an id that system calls treat as unsigned. */
function toId(text: string | undefined): number {
  return Number(text) >>> 0;
}

/** Checks whether the user can enter the folder or run the program, including all parent folders. */
export function canReach(path: string, account: SystemUser): boolean {
  const { status, error } = spawnSync('/bin/sh', ['-c', 'test -x "$0"', path], { ...account, cwd: '/' });
  if (error) {
    throw new EmbeddedDatabaseError(
      `PostgreSQL does not run as root, and root cannot start a process as another user here ` +
        `(${error.message}): start as an ordinary user, or ${USE_DATABASE_URL}.`,
    );
  }
  return status === 0;
}

const SYSTEM_FOLDER = '/var/lib/sightline';

/** Creates a folder of root for files that the server's account cannot access in the project. */
export function systemFolder(): string {
  mkdirSync(SYSTEM_FOLDER, { recursive: true });
  // The mode is set explicitly, because root's umask can be stricter.
  chmodSync(SYSTEM_FOLDER, 0o755);
  return SYSTEM_FOLDER;
}
