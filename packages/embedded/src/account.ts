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

/** A user of the system, to run a process as. */
export interface Account {
  uid: number;
  gid: number;
}

/** The user that initdb runs as where the server's has no name, which initdb asks for. */
export const NOBODY: Account = { uid: 65_534, gid: 65_534 };

/**
 * A user of the server's own, without a name: no other process runs as it, unlike "nobody", and may enter the folder
 * of the socket. The number is one that systems leave free (systemd's UIDS-GIDS: 60578 to 61183).
 */
const OWN: Account = { uid: 60_754, gid: 60_754 };

export function isNameless({ uid }: Account): boolean {
  return uid === OWN.uid;
}

/**
 * Whom the server runs as: undefined for ourselves, unless we are root, which PostgreSQL refuses. Then it is the
 * owner of the folder, so that the owner can start it later, too, or else a user of its own.
 */
export function serverAccount(folder: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(nearestExisting(folder)).uid;
  const accounts = readAccounts();
  const account = accounts.find(({ uid, name }) => uid === owner && uid !== 0 && name !== 'nobody');
  if (account) return account;
  const isFree = accounts.every(({ uid }) => uid !== OWN.uid);
  if (isFree && canBecome(OWN)) return OWN;
  return accounts.find(({ name }) => name === 'nobody') ?? NOBODY;
}

/** A container may know fewer users than there are numbers. */
function canBecome(account: Account): boolean {
  return spawnSync('/bin/sh', ['-c', ':'], { ...account, cwd: '/' }).error === undefined;
}

/** Gives the folder, with all that is in it, to the account. */
export function handOver(folder: string, { uid, gid }: Account): void {
  if (statSync(folder).uid === uid) return;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    lchownSync(join(entry.parentPath, entry.name), uid, gid);
  }
  // Last, so that one that was interrupted is begun again.
  chownSync(folder, uid, gid);
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

function readAccounts(): (Account & { name: string })[] {
  if (!existsSync('/etc/passwd')) return [];
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'))
    .filter(fields => fields.length >= 4)
    .map(([name, , uid, gid]) => ({ name: name!, uid: toId(uid), gid: toId(gid) }));
}

/** macOS writes -2 for what the system calls take as an unsigned number. */
function toId(text: string | undefined): number {
  return Number(text) >>> 0;
}

/** Tells whether the account may enter the folder, or run the program: the system decides, on the whole path. */
export function canReach(path: string, account: Account): boolean {
  const { status, error } = spawnSync('/bin/sh', ['-c', 'test -x "$0"', path], { ...account, cwd: '/' });
  if (error) {
    throw new EmbeddedDatabaseError(
      `PostgreSQL does not run as root, and root may not start a process as another user here ` +
        `(${error.message}): start as an ordinary user, or ${USE_DATABASE_URL}.`,
    );
  }
  return status === 0;
}

const SYSTEM_FOLDER = '/var/lib/sightline';

/** The folder of root for files that the server's account could not reach below the project. */
export function systemFolder(): string {
  mkdirSync(SYSTEM_FOLDER, { recursive: true });
  // Root's umask may be stricter.
  chmodSync(SYSTEM_FOLDER, 0o755);
  return SYSTEM_FOLDER;
}
