import { BROWSER_TYPES, type KnownTypes, readAgain } from '@sightline/importer';
import type { CommandConnection } from '@sightline/pg-client';
import type { Announcer } from '../../sql/changes/announcer.ts';
import { accountsWithOthers, otherReports } from '../../sql/maintenance/other-reports.ts';
import { loadFeed } from './load.ts';

/**
 * Reads reports again that were stored before their type was known. Each step is a load; unreadable reports stay
 * unchanged. Returns the number of reports that now have their type.
 */
export async function readOthersAgain(
  sql: CommandConnection,
  announcer: Announcer,
  types: KnownTypes = BROWSER_TYPES,
): Promise<number> {
  let read = 0;
  for (const account of await accountsWithOthers(sql)) {
    for await (const reports of otherReports(sql, account, Object.keys(types))) {
      const lines = reports.flatMap(report => readAgain(report, types) ?? []);
      if (lines.length === 0) continue;
      const content = lines.map(line => Buffer.from(line));
      await loadFeed(sql, announcer, [{ name: 'reports of other types', content }]);
      read += lines.length;
    }
  }
  return read;
}
