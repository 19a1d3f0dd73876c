import type { AccountId } from '../account-id.ts';
import type { Database, OwnedRow } from '../client.ts';
import type { Stretch } from './hourly.ts';

/** An error on a host within some hours. */
export interface ErrorHours {
  host: string;
  error: string;
  /** The first instant, and the first one behind the last, ISO 8601. */
  from: string;
  until: string;
}

interface MinuteRow extends OwnedRow {
  number: number;
  first: number;
  last: number;
}

/** Seconds since 1970 between which nine tenths of the reports lie: what is usual surrounds what is not. */
export async function minutesOf(
  db: Database,
  { account }: Stretch & { account: AccountId },
  errors: readonly ErrorHours[],
): Promise<Map<ErrorHours, { first: number; last: number }>> {
  if (errors.length === 0) return new Map();
  const column = (name: keyof ErrorHours) => errors.map(error => error[name]);
  const rows = await db.owned<MinuteRow>(
    account,
    `select account_id, number::int,
      extract(epoch from percentile_disc(0.05) within group (order by date))::bigint as first,
      extract(epoch from percentile_disc(0.95) within group (order by date))::bigint as last
    from unnest($2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[]) with ordinality
        as wanted (host, error, from_date, until_date, number)
      cross join lateral (
        select account_id, date from report
        where account_id = $1 and type = 'nel' and host_reversed = reverse(wanted.host)
          and nel_type = wanted.error and date >= wanted.from_date and date < wanted.until_date) as report
    group by account_id, number`,
    [account, column('host'), column('error'), column('from'), column('until')],
    { prepare: false },
  );
  return new Map(rows.objects().map(({ number, first, last }) => [errors[number - 1]!, { first, last }]));
}
