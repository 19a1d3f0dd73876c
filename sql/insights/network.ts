import type { AccountId } from '../account-id.ts';
import type { Database, TenantRow } from '../client.ts';
import { toSeconds } from '../seconds.ts';
import type { SearchWindow } from './hourly.ts';

/** A report of an error on a host, identified by its position within an hour. */
export interface ErrorPlace {
  host: string;
  error: string;
  /** The start of the hour, ISO 8601. */
  hour: string;
  /** The index within the hour, from 0, in order of time. */
  index: number;
}

interface PlaceRow extends TenantRow {
  number: number;
  second: number;
}

/**
 * Returns the times of these reports, in seconds since 1970. A spike can last for days, so only the hours that are
 * asked for are read.
 */
export async function listMoments(
  db: Database,
  { account }: SearchWindow & { account: AccountId },
  places: readonly ErrorPlace[],
): Promise<Map<ErrorPlace, number>> {
  if (places.length === 0) return new Map();
  const column = (name: 'host' | 'error' | 'hour') => places.map(place => place[name]);
  const rows = await db.queryTenant<PlaceRow>(
    account,
    `select account_id, number::int, ${toSeconds('date')} as second
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

/** The network with the most reports of an error. */
export interface ErrorNetwork {
  organisation: string;
  /** The network's share of the reports, from 0 to 1. */
  share: number;
}

/** The maximum number of reports read. */
const MOST_READ = 5000;

/** Finds the main network between two instants in seconds since 1970. Returns undefined if no report names one. */
export async function findErrorNetwork(
  db: Database,
  { account }: SearchWindow & { account: AccountId },
  { hosts, error, first, last }: { hosts: readonly string[]; error: string; first: number; last: number },
): Promise<ErrorNetwork | undefined> {
  const rows = await db.queryTenant<ErrorNetwork & TenantRow>(
    account,
    `select account_id, organisation, count(*)::float8 / sum(count(*)) over () as share
    from (
      select account_id, host_reversed, nel_type, coalesce(organisation, '') as organisation from report
      where account_id = $1 and type = 'nel' and date >= to_timestamp($2::float8) and date < to_timestamp($3::float8)
      order by date limit ${MOST_READ}) as read
    where nel_type = $4 and reverse(host_reversed) = any($5::text[])
    group by account_id, organisation order by 3 desc, organisation limit 1`,
    [account, String(first), String(last + 1), error, hosts],
    { prepare: false },
  );
  const [found] = rows.objects();
  return found && found.organisation !== '' ? found : undefined;
}
