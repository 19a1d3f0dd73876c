import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import type { Announcer } from '../../sql/changes/announcer.ts';
import { hasNoAccounts, lackKeys } from '../../sql/operator/first-start.ts';
import { dayOf } from '../demo/calendar.ts';
import { demoFeed } from '../demo/feed.ts';
import { DEMO_DEFAULTS, DEMO_PERSONAL, DEMO_TEAM } from '../demo/options.ts';
import { loadFeed } from '../feed/load.ts';
import { issueKey } from '../keys/issue.ts';
import { say } from './output.ts';

/** The keys of the demo, in full. */
export interface DemoKeys {
  personal: string;
  team: string;
  internal: string;
}

/** The private file in which the demo's keys are kept, `NAME=key` a line. */
export function demoKeysFile(dataDirectory: string): string {
  return join(dataDirectory, 'demo-keys.env');
}

/** The demo's personal key, as an earlier start has kept it. */
export function keptPersonalKey(dataDirectory: string): string | undefined {
  const file = demoKeysFile(dataDirectory);
  return existsSync(file) ? /^PERSONAL_KEY=(\S+)$/m.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
}

/** Loads the demo into an empty database, and answers with its keys when it made them. */
export async function fillWithDemo(
  sql: Sql,
  announcer: Announcer,
  dataDirectory: string,
): Promise<DemoKeys | undefined> {
  if (await hasNoAccounts(sql)) {
    say('Loading demo data');
    await loadFeed(sql, announcer, [
      { name: 'demo', content: () => demoFeed({ ...DEMO_DEFAULTS, today: dayOf(Date.now()) }) },
    ]);
  }
  // Also where a start was ended between the two.
  if (!(await lackKeys(sql, [DEMO_PERSONAL, DEMO_TEAM]))) return undefined;
  return makeKeys(sql, dataDirectory);
}

/** The file is written before the keys become good, so that no good key is lost. */
function makeKeys(sql: Sql, dataDirectory: string): Promise<DemoKeys> {
  return sql.begin(async transaction => {
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
  await mkdir(dataDirectory, { recursive: true });
  const lines = [`PERSONAL_KEY=${personal}`, `TEAM_KEY=${team}`, `INTERNAL_KEY=${internal}`];
  const file = demoKeysFile(dataDirectory);
  // A file that is there keeps its mode when it is written to.
  await rm(file, { force: true });
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
}
