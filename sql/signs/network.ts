import type { AccountId } from '../account-id.ts';
import type { Database, OwnedRow } from '../client.ts';
import type { Stretch } from './hourly.ts';

/** One of the reports of an error on a host within an hour, in the order of time. */
export interface ErrorPlace {
  host: string;
  error: string;
  /** The first instant of the hour, ISO 8601. */
  hour: string;
  /** Its number among them, from 0 on. */
  index: number;
}

interface PlaceRow extends OwnedRow {
  number: number;
  second: number;
}

/** Seconds since 1970 of these reports. A jump may be days long: only the hours in which they are get read. */
export async function momentsOf(
  db: Database,
  { account }: Stretch & { account: AccountId },
  places: readonly ErrorPlace[],
): Promise<Map<ErrorPlace, number>> {
  if (places.length === 0) return new Map();
  const column = (name: 'host' | 'error' | 'hour') => places.map(place => place[name]);
  const rows = await db.owned<PlaceRow>(
    account,
    `select account_id, number::int, extract(epoch from date)::bigint as second
    from unnest($2::text[], $3::text[], $4::timestamptz[], $5::int[]) with ordinality
        as wanted (host, error, hour, index, number)
      cross join lateral (
        select account_id, date from (
          -- Fenced, so that the hour's range is read, and not all that the host's index has.
          select account_id, date, host_reversed, nel_type from report
          where account_id = $1 and type = 'nel' and date >= wanted.hour and date < wanted.hour + interval '1 hour'
          offset 0) as hour
        where host_reversed = reverse(wanted.host) and nel_type = wanted.error
        order by date offset wanted.index limit 1) as report`,
    [account, column('host'), column('error'), column('hour'), places.map(({ index }) => String(index))],
    { prepare: false },
  );
  return new Map(rows.objects().map(({ number, second }) => [places[number - 1]!, second]));
}
