import { Announcer } from '../../sql/changes/announcer.ts';
import { maintain } from '../../sql/maintenance/maintain.ts';
import { NOW } from './fixtures.ts';
import { connectOperator } from './operator.ts';

/** Maintains a test database as of `NOW`, so that its rollups are complete. */
export async function maintainDatabase(databaseUrl: string): Promise<void> {
  const [sql, lock] = [connectOperator(databaseUrl), connectOperator(databaseUrl)];
  await maintain(sql, lock, { announcer: new Announcer(lock, 0), today: NOW.slice(0, 10), report: () => {} });
  await Promise.all([sql.end(), lock.end()]);
}
