import { DEFAULT_RETENTION, RETENTION } from '../account.ts';
import type { LoadSession } from './session.ts';

/** As `prune` has it. */
const keptSince = (days: string) => `(now() at time zone 'UTC')::date - ${days}::int`;
const COUNT = 'select coalesce(sum(s.reports), 0)::int as count from load_added s';
/** Apart, since Citus joins a temporary table with a distributed one in few ways. */
const OF_PLANS = `${COUNT} join plan p on p.account_id = s.account_id where s.day < ${keptSince(RETENTION)}`;
const OF_OTHERS = `${COUNT} where s.day < ${keptSince(String(DEFAULT_RETENTION))}
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
