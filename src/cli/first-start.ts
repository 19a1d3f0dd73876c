import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DEMO_DEFAULTS, DEMO_PERSONAL, DEMO_TEAM, demoFeed, demoToday } from '@sightline/demo';
import type { CommandConnection } from '@sightline/pg-client';
import { CommandFailed, say } from '@sightline/tools';
import type { Announcer } from '../../sql/changes/announcer.ts';
import { missingAccount } from '../../sql/operator/accounts.ts';
import { hasNoAccounts, lackKeys } from '../../sql/operator/first-start.ts';
import { loadFeed } from '../feed/load.ts';
import { issueKey } from '../keys/issue.ts';
import { newKey } from './account-key.ts';
import { accountLines, asFeed, OWN_RETENTION } from './account-lines.ts';

/** The complete keys of the demo. */
export interface DemoKeys {
  personal: string;
  team: string;
  internal: string;
}

/** The private file that stores the demo's keys, one `NAME=key` per line. */
export function demoKeysFile(dataDirectory: string): string {
  return join(dataDirectory, 'demo-keys.env');
}

/** Reads the demo's personal key that an earlier start stored in the file. */
export function readStoredKey(file: string): string | undefined {
  return existsSync(file) ? /^(?:PERSONAL|OWN)_KEY=(\S+)$/m.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
}

/** The account of a start without the demo. */
export const OWN_ACCOUNT = 'own';

/** The private file that contains its key. */
export function ownKeyFile(dataDirectory: string): string {
  return join(dataDirectory, 'own-key.env');
}

/**
 * Creates an account with a key in an empty database, and returns the key if it was created.
 * @throws {CommandFailed} if there is another account
 */
export async function makeOwnAccount(
  sql: CommandConnection,
  announcer: Announcer,
  dataDirectory: string,
): Promise<string | undefined> {
  if (!(await hasNoAccounts(sql))) {
    if ((await missingAccount(sql, [OWN_ACCOUNT])) === undefined) return undefined;
    throw new CommandFailed(
      `The database already has accounts, but none is "${OWN_ACCOUNT}": name another folder with DATA_DIRECTORY, or start without --empty`,
    );
  }
  const now = new Date().toISOString();
  const account = { id: OWN_ACCOUNT, type: 'team', emails: [], hosts: [], retention: OWN_RETENTION } as const;
  const { key, line } = newKey(account, now);
  // The file is written before the key becomes valid, so a valid key is never lost.
  await writePrivate(ownKeyFile(dataDirectory), [`OWN_KEY=${key}`]);
  const text = asFeed([...accountLines(account, now), line]);
  await loadFeed(sql, announcer, [{ name: OWN_ACCOUNT, content: [text] }]);
  return key;
}

/** Loads the demo into an empty database, and returns its keys if it created them. */
export async function fillWithDemo(
  sql: CommandConnection,
  announcer: Announcer,
  dataDirectory: string,
  reports?: number,
): Promise<DemoKeys | undefined> {
  if (await hasNoAccounts(sql)) {
    say('Loading demo data');
    const options = { ...DEMO_DEFAULTS, ...demoToday(Date.now()) };
    // A requested number of reports is exact.
    const size = reports === undefined ? { incidents: true } : { reports };
    await loadFeed(sql, announcer, [{ name: 'demo', content: () => demoFeed({ ...options, ...size }) }]);
  }
  // Also creates the keys if a previous start was interrupted after loading the demo.
  if (!(await lackKeys(sql, [DEMO_PERSONAL, DEMO_TEAM]))) return undefined;
  return makeKeys(sql, dataDirectory);
}

/** The file is written before the keys become valid, so a valid key is never lost. */
function makeKeys(sql: CommandConnection, dataDirectory: string): Promise<DemoKeys> {
  return sql.transaction(async transaction => {
    const holder = { name: 'demo', expiresAt: null };
    const personal = await issueKey(transaction, 'personal', { ...holder, accountId: DEMO_PERSONAL });
    const team = await issueKey(transaction, 'team', { ...holder, accountId: DEMO_TEAM });
    const internal = await issueKey(transaction, 'internal', { ...holder, accountId: null });
    const keys = { personal: personal.key, team: team.key, internal: internal.key };
    await writeKeys(keys, dataDirectory);
    return keys;
  });
}

async function writeKeys({ personal, team, internal }: DemoKeys, dataDirectory: string): Promise<void> {
  const lines = [`PERSONAL_KEY=${personal}`, `TEAM_KEY=${team}`, `INTERNAL_KEY=${internal}`];
  await writePrivate(demoKeysFile(dataDirectory), lines);
}

/** Creates a file that only its owner can read. */
export async function writePrivate(file: string, lines: readonly string[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  // An existing file keeps its mode when it is overwritten.
  await rm(file, { force: true });
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
}
