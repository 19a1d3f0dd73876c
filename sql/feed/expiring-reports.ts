import { DEFAULT_RETENTION, RETENTION } from '../account.ts';
import type { LoadSession } from './session.ts';

/** The same expression as in `prune`. */
const toRetentionStart = (days: string) => `(now() at time zone 'UTC')::date - ${days}::int`;
const COUNT = 'select coalesce(sum(s.reports), 0)::int as count from load_added s';
/** Separate, because Citus supports few joins of a temporary table with a distributed one. */
const OF_PLANS = `${COUNT} join plan p on p.account_id = s.account_id where s.day < ${toRetentionStart(RETENTION)}`;
const OF_OTHERS = `${COUNT} where s.day < ${toRetentionStart(String(DEFAULT_RETENTION))}
  and not exists (select from plan p where p.account_id = s.account_id)`;

/** Counts the staged reports that are new, and that `prune` will remove for their age. */
export async function countExpiring(session: LoadSession): Promise<number> {
  let expiring = 0;
  for (const statement of [OF_PLANS, OF_OTHERS]) {
    const [row] = await session.query<{ count: number }>(statement);
    expiring += row!.count;
  }
  return expiring;
}
