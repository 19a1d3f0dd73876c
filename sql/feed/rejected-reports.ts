import type { ReportType } from '@sightline/reports';
import { LISTED, type LoadSession, toTextList } from './session.ts';

const AT_ONCE = 10_000;

const TODAY = `(now() at time zone 'UTC')::date`;

/**
 * Counts reports that an import of the account rejected, each once. They are recorded as imported mails without a
 * record, as long as they keep arriving.
 * @param rejected their types by digest in base64
 */
export async function countRejected(
  session: LoadSession,
  accountId: string,
  rejected: ReadonlyMap<string, ReportType>,
): Promise<void> {
  const counts = new Map<ReportType, number>();
  const digests = [...rejected.keys()];
  for (let start = 0; start < digests.length; start += AT_ONCE) {
    for (const digest of await newOnes(session, accountId, digests.slice(start, start + AT_ONCE))) {
      const type = rejected.get(digest)!;
      counts.set(type, (counts.get(type) ?? 0) + 1);
    }
  }
  if (counts.size === 0) return;
  for (const [type, count] of counts) await add(session, accountId, type, count);
  session.touched.add(accountId);
}

async function newOnes(
  session: LoadSession,
  accountId: string,
  digests: readonly string[],
): Promise<string[]> {
  const given = [toTextList(digests), accountId];
  const rows = await session.query<{ digest: string }>(
    `insert into imported_mail (account_id, digest, records)
     select $2, decode(item.digest, 'base64'), 0 from (${LISTED} as digest) item
     on conflict (account_id, digest) do nothing returning encode(digest, 'base64') as digest`,
    given,
  );
  if (rows.length < digests.length)
    await session.query(
      `update imported_mail set imported_on = ${TODAY} where account_id = $2 and imported_on < ${TODAY}
         and digest in (select decode(item.digest, 'base64') from (${LISTED} as digest) item)`,
      given,
    );
  return rows.map(({ digest }) => digest);
}

async function add(session: LoadSession, accountId: string, type: ReportType, count: number): Promise<void> {
  await session.query(
    `insert into report_usage as known (account_id, type, date, filtered, sampled, rejected)
     values ($1, $2::text::report_type, ${TODAY}, 0, 0, $3::text::bigint)
     on conflict (account_id, type, date) do update set rejected = known.rejected + excluded.rejected`,
    [accountId, type, String(count)],
  );
}
