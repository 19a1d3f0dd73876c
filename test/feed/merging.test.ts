import { MS_PER_DAY } from '@sightline/reports';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Announcer } from '../../sql/changes/announcer.ts';
import { LOCK_REPORTS } from '../../sql/feed/lock.ts';
import { loadFeed } from '../../src/feed/load.ts';
import { connectOperator } from '../support/operator.ts';
import {
  account,
  apiKey,
  auditEvent,
  CERTIFICATE,
  createFeedDatabase,
  type FeedDatabase,
  finding,
  type Line,
  plan,
  report,
  toText,
  watch,
} from './lines.ts';

let database: FeedDatabase;
beforeEach(async () => {
  database = await createFeedDatabase();
});
afterEach(() => database[Symbol.asyncDispose]());

/** Lines of several kinds for the account `a`. */
function belongings(): Line[] {
  return [plan('a'), watch('a'), finding('a'), apiKey('k', 'a'), auditEvent('e', 'a'), report('r')];
}

async function counts(): Promise<Record<string, number>> {
  const rows = await database.rows(`
    select account_id, type, day::text, directive, total from daily_count order by 1, 2, 3, 4`);
  return Object.fromEntries(
    rows.map(row => [`${row.account_id} ${row.type} ${row.day} ${row.directive}`.trim(), Number(row.total)]),
  );
}

async function values(statement: string): Promise<unknown[]> {
  return (await database.rows(statement)).map(row => Object.values(row)[0]);
}

async function versions(): Promise<Record<string, number>> {
  const rows = await database.rows('select id, version from account');
  return Object.fromEntries(rows.map(({ id, version }) => [String(id), Number(version)]));
}

const removal = (line: Line, ...key: string[]): Line => ({
  ...Object.fromEntries(['kind', ...key].map(name => [name, line[name]])),
  deleted: true,
});

describe('reports that a load replaces', () => {
  it('take no longer if many others have the same date, as the rows of a DMARC report do', {
    tags: 'slow',
  }, async () => {
    const reports = (prefix: string, toDate: (index: number) => string, count: number) =>
      Array.from({ length: count === 1 ? 4000 : 1000 }, (_, index) =>
        report(`${prefix}-${index}`, { date: toDate(index), count }),
      );
    await database.load(account('a'));
    const kinds = {
      different: (index: number) => new Date(Date.parse('2026-05-10T00:00:00Z') + index * 1000).toISOString(),
      same: () => '2026-05-10T23:59:59Z',
    };
    const least = { different: Number.POSITIVE_INFINITY, same: Number.POSITIVE_INFINITY };
    for (let version = 1; version <= 3; version++)
      for (const kind of ['different', 'same'] as const) {
        const lines = reports(kind, kinds[kind], version);
        const started = performance.now();
        await database.load(...lines);
        if (version > 1) least[kind] = Math.min(least[kind], performance.now() - started);
      }
    expect(await values(`select count(*) from report where count = 3`)).toEqual(['2000']);
    expect(least.same).toBeLessThan(8 * least.different);
  });
});

describe('a line of the feed', () => {
  it('replaces the entire record with the same key, and of a watch, keeps the findings of the feed', async () => {
    await database.load(account('a'), watch('a', { webhookTarget: 'https://hook.example' }), finding('a'));
    await database.load(watch('a', { site: 'WWW.example.org', alertThreshold: 9 }));
    expect(await database.rows('select site, alert_threshold, webhook_target from watch')).toEqual([
      { site: 'WWW.example.org', alert_threshold: '9', webhook_target: null },
    ]);
    expect(await values('select subject from watch_finding')).toEqual(['https://cdn.example/x.js']);
  });

  it('overrides earlier lines of the same load, which are counted by type or kind', async () => {
    const deleted = removal(report('deleted'), 'accountId', 'type', 'id');
    const { records, superseded } = await database.load(
      account('a'),
      report('r', { count: 1, uri: 'https://first.example/' }),
      report('r', { count: 2 }),
      plan('a', { name: 'First' }),
      plan('a', { name: 'Second' }),
      report('deleted'),
      deleted,
      deleted,
    );
    expect({ records, superseded }).toEqual({
      records: { account: 1, report: 5, plan: 2 },
      superseded: { csp: 1, plan: 1 },
    });
    expect(await database.rows('select count, uri from report')).toEqual([{ count: '2', uri: null }]);
    expect(await values('select name from plan')).toEqual(['Second']);
    expect(await counts()).toEqual({ 'a csp 2026-05-10': 2 });
  });

  it('can precede the account that it belongs to', async () => {
    await database.load(report('r'), plan('a'), finding('a'), watch('a'), apiKey('k', 'a'), account('a'));
    expect(await values('select count(*)::int from report')).toEqual([1]);
  });

  it('can be a finding without a watch', async () => {
    await database.load(account('a'), finding('a'));
    expect(await values('select site_key from watch_finding')).toEqual(['www.example.org']);
  });

  it('that is loaded twice changes no rows and is reported as repeated', async () => {
    const feed = [account('a'), ...belongings()];
    const state = async () => {
      const tables = [
        'plan',
        'watch',
        'watch_finding',
        'api_key',
        'audit_event',
        'report',
        'daily_count',
        'report_locator',
      ];
      const rows = (table: string) => database.rows(`select xmin, to_jsonb(t) as row from ${table} t`);
      return Promise.all(tables.map(rows));
    };
    await database.load(...feed);
    const once = await state();
    const { records, repeated } = await database.load(...feed);
    expect(await state()).toEqual(once);
    expect(Object.values(records)).toEqual(feed.map(() => 0));
    expect(repeated).toEqual(
      Object.fromEntries(feed.map(({ kind, type }) => [kind === 'report' ? type : kind, 1])),
    );
  });
});

describe('a report', () => {
  it('moves with its counts when it is replaced with another date', async () => {
    await database.load(
      account('a'),
      report('r', { count: 5, directive: 'img-src' }),
      report('s', { count: 1 }),
    );
    await database.load(report('r', { count: 3, directive: 'font-src', date: '2026-11-30T23:59:59-01:00' }));
    expect(await values('select date from report order by date')).toEqual([
      new Date('2026-05-10T12:00:00Z'),
      new Date('2026-12-01T00:59:59Z'),
    ]);
    expect(await counts()).toEqual({ 'a csp 2026-05-10': 1, 'a csp 2026-12-01 font-src': 3 });
  });

  it('is counted by directive only if its type is csp', async () => {
    await database.load(
      account('a'),
      report('r', { directive: 'img-src' }),
      report('r', { type: 'coep', count: 2 }),
    );
    expect(await counts()).toEqual({ 'a csp 2026-05-10 img-src': 1, 'a coep 2026-05-10': 2 });
  });

  it('is distinguished by type, account and id, including the case of the id', async () => {
    const lines = [report('r'), report('R'), report('r', { type: 'coep' }), report('r', { accountId: 'b' })];
    await database.load(account('a'), account('b'), ...lines);
    await database.load(...lines, removal(report('R'), 'accountId', 'type', 'id'));
    await database.load(report('r', { date: '2026-06-01T00:00:00Z', count: 4 }));
    expect(await counts()).toEqual({ 'a csp 2026-06-01': 4, 'a coep 2026-05-10': 1, 'b csp 2026-05-10': 1 });
    expect(await values('select count(*)::int from report_locator')).toEqual([3]);
  });

  it('is subtracted from the counts when it is deleted, and empty days disappear', async () => {
    await database.load(account('a'), report('r'), report('s', { count: 2 }));
    await database.load(removal(report('r'), 'accountId', 'type', 'id'));
    expect(await counts()).toEqual({ 'a csp 2026-05-10': 2 });
    await database.load(removal(report('s'), 'accountId', 'type', 'id'));
    expect(await database.rows('select * from daily_count')).toEqual([]);
    expect(await database.rows('select * from report_locator')).toEqual([]);
  });

  it('creates the missing partition of its month', async () => {
    const lines = [
      account('a'),
      report('r', { date: '1999-12-31T23:59:59.999999Z' }),
      report('s', { date: '2000-01-01T00:00:00Z' }),
    ];
    await database.loadText(toText(lines), { now: new Date('2000-01-01T00:00:00Z') });
    const made = `select inhrelid::regclass::text from pg_inherits where inhparent = 'report'::regclass order by 1`;
    expect(await values(made)).toEqual(['report_y1999m12', 'report_y2000m01']);
  });

  it('is rejected when it would raise the total of a day above 2^53-1', async () => {
    await database.load(account('a'), report('known'));
    await database.rows(`update daily_count set total = ${Number.MAX_SAFE_INTEGER - 5}`);
    const lines = [
      report('fits', { count: 2 }),
      report('first', { count: 4 }),
      report('r', { count: 3 }),
      report('other day', { date: '2026-05-11T00:00:00Z', count: 9 }),
      report('r', { count: 4 }),
      report('fits', { deleted: true }),
      report('r', { count: 5 }),
      report('r', { date: '2026-05-12T00:00:00Z' }),
      report('last', { count: 6 }),
      report('known'),
    ];
    const reason = 'would raise the total of its day above 2^53-1';
    const badLines = [2, 5, 9].map(line => ({ source: 'feed', line, field: 'count', reason }));
    await expect(database.load(...lines)).rejects.toMatchObject({ badLines });
    const rejects: Uint8Array[] = [];
    let progress: object | undefined;
    const summary = await database.loadText(toText(lines), {
      rejects: bytes => rejects.push(bytes),
      onProgress: ({ lines, bytes }) => {
        progress = { lines, bytes };
      },
    });
    // All lines are read again without those that exceed the total, and counted once.
    expect(summary).toMatchObject({ badLines, rejected: 3, records: { report: 6 } });
    expect([summary.superseded, summary.repeated]).toEqual([{ csp: 2 }, { csp: 1 }]);
    expect(progress).toEqual({ lines: lines.length, bytes: toText(lines).length });
    expect(Buffer.concat(rejects).toString()).toBe(toText([lines[1]!, lines[4]!, lines[8]!]));
    expect(await counts()).toEqual({
      'a csp 2026-05-10': Number.MAX_SAFE_INTEGER - 5,
      'a csp 2026-05-11': 9,
      'a csp 2026-05-12': 1,
    });
    // Without a stored line, the account's version remains.
    const refused = await database.loadText(toText([report('last', { count: 6 })]), { rejects: () => {} });
    expect([refused.rejected, refused.hasChanged]).toEqual([1, false]);
  });

  it('frees its share of a full day when it shrinks, moves or is deleted', async () => {
    await database.load(
      account('a'),
      report('shrinks', { count: 5 }),
      report('moves', { count: 3 }),
      report('goes'),
    );
    await database.rows(`update daily_count set total = ${Number.MAX_SAFE_INTEGER}`);
    const lines = [
      report('shrinks', { count: 2 }),
      report('moves', { date: '2026-05-11T00:00:00Z', count: 3 }),
      removal(report('goes'), 'accountId', 'type', 'id'),
      report('fits', { count: 7 }),
      report('shrinks', { count: 2, uri: 'https://www.example.org/' }),
      report('one too many'),
    ];
    const { badLines } = await database.loadText(toText(lines), { rejects: () => {} });
    expect(badLines.map(({ line }) => line)).toEqual([6]);
    expect(await counts()).toEqual({ 'a csp 2026-05-10': Number.MAX_SAFE_INTEGER, 'a csp 2026-05-11': 3 });
  });

  it('is rejected when it moves from a full day to another one', async () => {
    const onNext = { date: '2026-05-11T00:00:00Z' };
    await database.load(account('a'), report('moves', { count: 4 }), report('stays', onNext));
    await database.rows(`update daily_count set total = ${Number.MAX_SAFE_INTEGER}`);
    const lines = [
      report('too many', { count: 9 }),
      report('moves', { ...onNext, count: 4 }),
      report('still too many', { count: 4 }),
    ];
    const { badLines } = await database.loadText(toText(lines), { rejects: () => {} });
    expect(badLines.map(({ line }) => line)).toEqual([1, 2, 3]);
    expect(await counts()).toEqual({
      'a csp 2026-05-10': Number.MAX_SAFE_INTEGER,
      'a csp 2026-05-11': Number.MAX_SAFE_INTEGER,
    });
  });
});

describe('a deletion', () => {
  const listOwned = () => [
    ...belongings(),
    { kind: 'policy', accountId: 'a', id: 'p', name: 'P', policy: 'x' },
    { kind: 'wizard', accountId: 'a', active: true, policy: 'x' },
    { kind: 'filters', accountId: 'a' },
    { kind: 'usage', accountId: 'a', type: 'csp', date: '2026-05-10', filtered: 1, sampled: 1, rejected: 1 },
  ];

  it('of an account deletes all its data and nothing else', async () => {
    await database.load(
      account('a'),
      account('b'),
      ...listOwned(),
      plan('b'),
      report('r', { accountId: 'b' }),
    );
    await database.load(removal(account('a'), 'id'));
    const tables = await values(`
      select table_name from information_schema.columns where column_name = 'account_id' and table_schema = 'public'`);
    for (const table of tables) {
      expect(await database.rows(`select * from ${table} where account_id = 'a'`), String(table)).toEqual([]);
    }
    expect(await values('select id from account')).toEqual(['b']);
    expect(await counts()).toEqual({ 'b csp 2026-05-10': 1 });
  });

  it('of an account that is added again in the same load keeps only lines after the deletion', async () => {
    await database.load(account('a'), ...listOwned());
    await database.load(report('old'), removal(account('a'), 'id'), report('new'), account('a'));
    expect(await values('select id from report')).toEqual(['new']);
    expect(await counts()).toEqual({ 'a csp 2026-05-10': 1 });
    expect(await database.rows('select * from api_key')).toEqual([]);
  });

  it('of a watch deletes its findings, but neither those of other watches nor later ones', async () => {
    await database.load(account('a'), watch('a'), finding('a'), finding('a', { site: 'other.example' }));
    await database.load(
      finding('a', { uri: 'https://before.example' }),
      removal(watch('a', { site: 'WWW.EXAMPLE.ORG' }), 'accountId', 'product', 'site'),
      finding('a', { uri: 'https://after.example' }),
    );
    expect(await values('select subject from watch_finding order by subject')).toEqual([
      'https://after.example',
      'https://cdn.example/x.js',
    ]);
  });

  it('of a single record leaves other records unchanged, and is no error for an unknown record', async () => {
    await database.load(account('a'), ...listOwned());
    const all: [Line, ...string[]][] = [
      [plan('a'), 'accountId'],
      [finding('a'), 'accountId', 'product', 'site', 'uri'],
      [apiKey('k', 'a'), 'id'],
      [auditEvent('e', 'a'), 'accountId', 'id'],
      [{ kind: 'usage', accountId: 'a', type: 'csp', date: '2026-05-10' }, 'accountId', 'type', 'date'],
      [report('unknown'), 'accountId', 'type', 'id'],
      [plan('unknown'), 'accountId'],
      [account('unknown'), 'id'],
    ];
    await database.load(...all.map(([line, ...key]) => removal(line, ...key)));
    for (const table of ['plan', 'watch_finding', 'api_key', 'audit_event', 'report_usage']) {
      expect(await database.rows(`select * from ${table}`), table).toEqual([]);
    }
    expect(await values('select count(*)::int from watch')).toEqual([1]);
  });
});

describe('the version of an account', () => {
  it('increases by one with each load that changes the account, and with no other load', async () => {
    await database.load(account('a'), account('b'));
    const lines = [
      account('a', { email: 'else@example.org' }),
      ...belongings(),
      removal(report('r'), 'accountId', 'type', 'id'),
      removal(apiKey('k', 'a'), 'id'),
      removal(auditEvent('e', 'a'), 'accountId', 'id'),
      removal(finding('a'), 'accountId', 'product', 'site', 'uri'),
      removal(watch('a'), 'accountId', 'product', 'site'),
      // A finding can exist without a watch, but is deleted together with it.
      finding('a'),
      removal(watch('a'), 'accountId', 'product', 'site'),
      removal(plan('a'), 'accountId'),
    ];
    for (const line of lines) {
      const before = await versions();
      const moved = { a: before.a! + 1, b: before.b };
      await database.load(line);
      expect(await versions(), JSON.stringify(line)).toEqual(moved);
      await database.load(line);
      expect(await versions(), `${JSON.stringify(line)} again`).toEqual(moved);
    }
  });

  it('increases when a certificate is loaded that a report of the account refers to', async () => {
    const { sha256 } = CERTIFICATE;
    await database.load(
      account('a'),
      account('b'),
      report('r', { type: 'certificate_transparency', sha256 }),
    );
    const before = await versions();
    await database.load({ kind: 'certificate', ...CERTIFICATE });
    expect(await versions()).toEqual({ a: before.a! + 1, b: before.b });
  });

  it('increases with a certificate that a report of ten years ago or of this moment refers to', async () => {
    const { sha256 } = CERTIFICATE;
    const dates = [Date.now() - 3650 * MS_PER_DAY, Date.now()];
    const ids = ['a', 'b', 'c'];
    const seen = ids.slice(0, 2).map((accountId, index) =>
      report('r', {
        ...{ accountId, type: 'certificate_transparency', sha256 },
        date: new Date(dates[index]!).toISOString(),
      }),
    );
    await database.loadText(toText([...ids.map(id => account(id)), ...seen]), { now: new Date() });
    const before = await versions();
    await database.load({ kind: 'certificate', ...CERTIFICATE });
    expect(await versions()).toEqual({ a: before.a! + 1, b: before.b! + 1, c: before.c });
  });

  it('increases for both accounts when a key moves from one to the other', async () => {
    await database.load(account('a'), account('b'), account('c'), apiKey('k', 'a'));
    const before = await versions();
    await database.load(apiKey('k', 'b'));
    expect(await versions()).toEqual({ a: before.a! + 1, b: before.b! + 1, c: before.c });
  });

  it('never repeats after the account is deleted and created again', async () => {
    await database.load(account('a'));
    await database.load(plan('a'), plan('a'));
    const before = await versions();
    await database.load(removal(account('a'), 'id'));
    await database.load(account('a'));
    expect((await versions()).a).toBeGreaterThan(before.a!);
  });
});

describe('concurrent loads', () => {
  it('wait for each other and keep the counts exact', async () => {
    await database.load(account('a'));
    const others = [1, 2, 3].map(() => connectOperator(database.url));
    const feed = toText([
      report('same', { count: 2 }),
      report('same', { type: 'nel', statusCode: 0, count: 3 }),
    ]);
    const loads: Promise<unknown>[] = [];
    await database.sql.transaction(async holder => {
      await holder.query(LOCK_REPORTS);
      const waiting = others.map(
        sql =>
          new Promise<void>(onWait => {
            loads.push(loadFeed(sql, new Announcer(sql, 0), [{ name: 'feed', content: [feed] }], { onWait }));
          }),
      );
      await Promise.all(waiting);
    });
    await Promise.all(loads);
    await Promise.all(others.map(sql => sql.end()));
    expect(await counts()).toEqual({ 'a csp 2026-05-10': 2, 'a nel 2026-05-10': 3 });
  });

  it('stop waiting when they are aborted', async () => {
    const interruption = new AbortController();
    const other = connectOperator(database.url);
    await database.sql.transaction(async holder => {
      await holder.query(LOCK_REPORTS);
      const load = loadFeed(
        other,
        new Announcer(other, 0),
        [{ name: 'feed', content: [toText([account('a')])] }],
        {
          signal: interruption.signal,
          onWait: () => interruption.abort(),
        },
      );
      await expect(load).rejects.toThrow(/abort/);
    });
    expect(await other`select * from account`).toEqual([]);
    await other.end();
  });
});
