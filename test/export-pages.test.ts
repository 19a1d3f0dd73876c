import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountId } from '../sql/account-id.ts';
import type { Database } from '../sql/client.ts';
import { type Cursor, readCursor, START } from '../sql/export/cursor.ts';
import { arrivals } from '../sql/export/pages.ts';
import { lastPosition, toLastRowReader } from '../sql/export/positions.ts';
import { auditSource, findingSource, reportSource, verdictSource } from '../sql/export/sources.ts';
import { everything, streamArrivals } from '../sql/export/stream.ts';
import { exchange } from './support/exchange.ts';
import { NOW, open, personal, plan, report, THREAT_INTELLIGENCE } from './support/fixtures.ts';
import { connectOperator, type Operator } from './support/operator.ts';
import { startService, type TestService } from './support/service.ts';

/** More rows and bytes than PostgreSQL sorts in memory by default. */
const REPORTS = 6000;
const LIMIT = 2500;

let service: TestService;
let operator: Operator;
let key: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  operator = connectOperator(service.databaseUrl);
});
afterAll(async () => {
  await operator?.end();
  await service?.close();
});

/** The reports of one load. A few have such long texts that they end a page. */
async function addLoad(account: string, position: number, reports: number): Promise<void> {
  await operator.query(`begin; set local sightline.position = '${position}';
    insert into report (account_id, type, date, id, count, raw, browser)
    select '${account}', 'csp', timestamptz '2026-05-20' + interval '1 s' * (n * 7919 % 86400), '${position}-' || n, 1,
      repeat('x', case when n in (1000, 2000, 3000) then 3000000 else 1000 end), case n when 7 then 'Opera' else 'Firefox' end
    from generate_series(1, ${reports}) n; commit`);
  await operator.query('analyze report');
}

const PERIOD = { from: '2026-01-01T00:00:00Z', until: '2027-01-01T00:00:00Z' };

const toReportSource = (account: string, filters: Record<string, string> = {}) =>
  reportSource({
    ...PERIOD,
    account: account as AccountId,
    type: 'csp',
    filters,
    not: {},
    threatIntelligence: false,
  });

interface Walk {
  ids: string[];
  /** Lines in query plans that mention a temporary file. */
  spills: string[];
}

async function walk(account: string, limit: number, filters: Record<string, string> = {}): Promise<Walk> {
  const spills: string[] = [];
  const explained = {
    async queryTenant(owner, text, parameters, how) {
      const rows = await operator.query(`explain (analyze, buffers) ${text}`, parameters as never);
      spills.push(...rows.map(row => String(row['QUERY PLAN'])).filter(line => line.includes('temp ')));
      return service.database.queryTenant(owner, text, parameters, how);
    },
  } as Pick<Database, 'queryTenant'> as Database;
  const source = toReportSource(account, filters);
  const last = await lastPosition(toLastRowReader(explained, source.account, {}), source);
  const ids: string[] = [];
  for (let cursor = START; ; ) {
    const { rows, until } = await arrivals(explained, source, cursor, last, {
      limit,
      withCursors: false,
    });
    ids.push(...rows.objects().map(row => (row as unknown as { id: string }).id));
    const final = rows.last();
    if (final && (rows.length === limit || final.hasNext)) cursor = readCursor(source, final.cursor!)!;
    else if (until === last) return { ids, spills };
    else cursor = { position: until };
  }
}

describe('pages of exported reports', () => {
  beforeAll(async () => {
    key = await open(service, personal('large'), plan('large'));
    // This creates the partition.
    await service.load(report('large', 'nel', 'first', { date: NOW }));
    await addLoad('large', 10, 3);
    await addLoad('large', 20, REPORTS);
    await addLoad('large', 30, 2);
  });

  it('are read without temporary files, even from a large load', { tags: 'slow' }, async () => {
    const { ids, spills } = await walk('large', LIMIT);
    expect(spills).toEqual([]);
    expect(ids.length).toBe(REPORTS + 5);
    const [first, large, last] = [ids.slice(0, 3), ids.slice(3, -2), ids.slice(-2)];
    expect(first.toSorted()).toEqual(['10-1', '10-2', '10-3']);
    expect(new Set(large).size).toBe(REPORTS);
    expect(large.every(id => id.startsWith('20-'))).toBe(true);
    expect(last.toSorted()).toEqual(['30-1', '30-2']);
  });

  it('continue after loads in which the filter matches nothing', { tags: 'slow' }, async () => {
    await open(service, personal('rare'), plan('rare'));
    for (let position = 40; position < 46; position++) await addLoad('rare', position, 50);
    await operator.query(
      `update report set browser = 'Opera Mini' where account_id = 'rare' and id = '45-49'`,
    );
    const { ids } = await walk('rare', 100, { browser: 'Opera Mini' });
    expect(ids).toEqual(['45-49']);
  });

  it('are in the order of positions, whatever number of digits these have', async () => {
    await open(service, personal('digits'), plan('digits'));
    for (const position of [9, 10, 100]) await addLoad('digits', position, 2);
    const { ids } = await walk('digits', 2);
    expect(ids.map(id => id.split('-')[0])).toEqual(['9', '9', '10', '10', '100', '100']);
    const source = toReportSource('digits');
    const readLast = () => lastPosition(toLastRowReader(service.database, source.account, {}), source);
    // The position of a removed report.
    await operator.query(`insert into removed_position values ('digits', 'csp', 20, '2026-05-01', 'x')`);
    expect(await readLast()).toBe('100');
    await operator.query(`update removed_position set position = 1000 where account_id = 'digits'`);
    expect(await readLast()).toBe('1000');
  });

  it('continue after small loads in which the filter matches nothing, and before others', async () => {
    await open(service, personal('seldom'), plan('seldom'));
    for (const position of [40, 41, 42, 43]) await addLoad('seldom', position, position === 42 ? 8 : 3);
    const source = toReportSource('seldom', { browser: 'Opera' });
    // Only the last page is empty.
    const page = await arrivals(service.database, source, START, '43', { limit: 2, withCursors: false });
    expect(page.rows.objects()).toMatchObject([{ id: '42-7' }]);
    expect((await walk('seldom', 2, { browser: 'Opera' })).ids).toEqual(['42-7']);
  });

  it('end with a cursor for the next page', { tags: 'slow' }, async () => {
    const path = `/export/reports/csp?after=&limit=10000&from=2026-05-20&to=2026-05-21`;
    const seen: string[] = [];
    for (let next = path; ; ) {
      // Other tests check such answers against the description, which takes long for this many records.
      const answer = await exchange(service.url + next, { headers: { authorization: `Bearer ${key}` } });
      const ids = answer.text
        .split('\n')
        .slice(0, -1)
        .map(line => JSON.parse(line).id);
      seen.push(...ids);
      if (ids.length === 0) break;
      next = `/export/reports/csp?after=${answer.headers.get('sightline-cursor')}&limit=10000&from=2026-05-20&to=2026-05-21`;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBe(REPORTS + 5);
  });
});

describe('a page of long texts', () => {
  /** Four rows of 3 MiB each. */
  const LONG = `repeat('x', 3 * 1024 * 1024)`;
  it.each([
    [
      'audit events',
      auditSource,
      `insert into audit_event select 'long', n::text, '2026-05-20', 'e', ${LONG}, '', '', '' from generate_series(1, 4) n`,
    ],
    [
      'findings',
      findingSource,
      `insert into watch_finding (account_id, product, site_key, subject_sha256, subject, count, first_seen, last_seen, source)
       select 'long', 'script', 'a.example', int4send(n), ${LONG}, 1, '2026-05-20', '2026-05-20', 'csp' from generate_series(1, 4) n`,
    ],
    [
      'verdicts',
      verdictSource,
      `insert into verdict (account_id, subject_kind, site_key, subject, verdict, reason, hashes, decided_by, decided_at)
       select 'long', 'sender', '', n::text, 'mine', ${LONG}, '[]', '', '2026-05-20' from generate_series(1, 4) n`,
    ],
  ])('of %s ends after 8 MiB', async (_, toSource, insert) => {
    // The size of an audit event is that of its compressed texts.
    await operator.query('alter table audit_event alter column message set storage external');
    await operator.query(insert);
    const source = toSource('long' as AccountId, PERIOD);
    const last = await lastPosition(toLastRowReader(service.database, source.account, {}), source);
    const size = { limit: 10, withCursors: false };
    const { rows } = await arrivals(service.database, source, START, last, size);
    expect([rows.length, rows.last()!.hasNext]).toEqual([3, true]);
    const rest = await arrivals(
      service.database,
      source,
      readCursor(source, rows.last()!.cursor!)!,
      last,
      size,
    );
    expect([rest.rows.length, rest.rows.last()!.hasNext]).toEqual([1, false]);
  });
});

describe('a stream of more rows than one statement returns', () => {
  /** More than 10,000 events in one position, in groups of the same time with microseconds, and one later. */
  const EVENTS = 10_003;
  const source = auditSource('streamed' as AccountId, PERIOD);
  let expected: string[];
  beforeAll(async () => {
    await operator.query(`insert into audit_event select 'streamed', lpad((n * 7919 % 10007)::text, 5, '0'),
      timestamptz '2026-05-20' + n / 4 * interval '1500 microseconds', 'e', '', '', '', '', 5 from generate_series(1, ${EVENTS}) n`);
    const rows = await operator.query<{ id: string }>(
      `select id from audit_event where account_id = 'streamed' order by timestamp, id`,
    );
    expected = rows.map(({ id }) => id);
    await operator.query(
      `insert into audit_event values ('streamed', 'last', '2026-05-19', 'e', '', '', '', '', 6)`,
    );
  });
  const toIds = (rows: { objects(): readonly object[] }) =>
    rows.objects().map(row => (row as { id: string }).id);

  it('contains each once, the newest first', async () => {
    const snapshot = service.database.snapshot();
    const ids: string[] = [];
    for await (const rows of everything(snapshot, source)) ids.push(...toIds(rows as never));
    snapshot.close();
    expect(ids).toEqual([...expected.toReversed(), 'last']);
  });

  it('contains each once in the order of arrival, from any place', async () => {
    const snapshot = service.database.snapshot();
    const ids: string[] = [];
    const places: Cursor[] = [];
    for await (const { rows, place } of streamArrivals(snapshot, source, START)) {
      if (rows) ids.push(...toIds(rows as never));
      places.push(place());
    }
    expect(ids).toEqual([...expected, 'last']);
    expect(places.at(-1)).toEqual({ position: '6' });
    const middle = places[0]!;
    const after: string[] = [];
    for await (const { rows } of streamArrivals(snapshot, source, middle))
      if (rows) after.push(...toIds(rows as never));
    snapshot.close();
    expect(after).toEqual(ids.slice(ids.indexOf(middle.seen!.id) + 1));
  });
});

describe('the page after a full one', () => {
  const ids = (text: string) =>
    text
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line).id);
  const load = (account: string, ...names: string[]) =>
    service.load(
      ...names.map(name => report(account, 'csp', name, { date: NOW, policyIocHosts: ['bad.example'] })),
    );
  const read = (after: string | null, key: string) =>
    service.get(`/export/reports/csp?after=${after}&limit=2`, key);

  it('contains reports that arrive after the full one was read', async () => {
    const key = await open(service, personal('growing'), plan('growing'));
    await load('growing', 'a', 'b', 'c');
    const first = await read('', key);
    expect(ids(first.text)).toEqual(['a', 'b']);
    await load('growing', 'd', 'e');
    const cursor = first.headers.get('sightline-cursor');
    const second = await read(cursor, key);
    expect(ids(second.text)).toEqual(['c']);
    expect(ids((await read(second.headers.get('sightline-cursor'), key)).text)).toEqual(['d', 'e']);
    // The same page can be requested again.
    expect((await read(cursor, key)).text).toBe(second.text);
  });

  it('shows what the plan allows when it is requested', async () => {
    const key = await open(service, personal('changing'), plan('changing', {}, THREAT_INTELLIGENCE));
    await load('changing', 'a', 'b', 'c', 'd', 'e');
    const hosts = (text: string) =>
      text
        .split('\n')
        .slice(0, -1)
        .map(line => JSON.parse(line).policyIocHosts);
    const first = await read('', key);
    expect(hosts(first.text)).toEqual([['bad.example'], ['bad.example']]);
    await service.load(plan('changing'));
    const second = await read(first.headers.get('sightline-cursor'), key);
    expect(hosts(second.text)).toEqual(hosts((await read('', key)).text));
    expect(hosts(second.text)).not.toEqual(hosts(first.text));
  });

  it('belongs to the account that requests it', async () => {
    const [one, other] = [
      await open(service, personal('one'), plan('one')),
      await open(service, personal('other'), plan('other')),
    ];
    await load('one', '1', '2', '3', '4');
    await load('other', '5', '6', '7', '8');
    const cursor = (await read('', one)).headers.get('sightline-cursor');
    await read('', other);
    const foreign = await read(cursor, other);
    expect(foreign.text).not.toContain('"3"');
    expect(ids((await read(cursor, one)).text)).toEqual(['3', '4']);
  });

  it('continues exactly behind it, to the end', async () => {
    const key = await open(service, personal('chain'), plan('chain'));
    const names = Array.from({ length: 9 }, (_, index) => `r${index}`);
    await load('chain', ...names);
    const seen: string[] = [];
    for (let after: string | null = ''; ; ) {
      const answer = await read(after, key);
      const found = ids(answer.text);
      if (found.length === 0) break;
      seen.push(...found);
      after = answer.headers.get('sightline-cursor');
    }
    expect(seen).toEqual(names);
  });
});
