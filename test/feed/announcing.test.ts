import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AnnouncementFailed, Announcer, LONGEST_LEASE } from '../../sql/changes/announcer.ts';
import { maintain } from '../../sql/maintenance/maintain.ts';
import { prune } from '../../sql/maintenance/prune.ts';
import { isDistributed } from '../../sql/operator/distribute.ts';
import { type LoadOptions, type LoadSummary, loadFeed } from '../../src/feed/load.ts';
import { freePort } from '../support/network.ts';
import { connectOperator, type Operator } from '../support/operator.ts';
import { simulatePauses } from '../support/simulated-pauses.ts';
import { until } from '../support/until.ts';
import {
  account,
  createFeedDatabase,
  type FeedDatabase,
  type Line,
  plan,
  report,
  toText,
  watch,
} from './lines.ts';

/** Checks that changes are announced to the services before they are committed. */
let database: FeedDatabase;
let second: Operator;

beforeEach(async () => {
  database = await createFeedDatabase();
  second = connectOperator(database.url);
});
afterEach(async () => {
  await second.end();
  await database[Symbol.asyncDispose]();
});

const load = (announcer: Announcer, ...lines: Line[]): Promise<LoadSummary> =>
  loadFeed(database.sql, announcer, [{ name: 'feed', content: [toText(lines)] }]);

interface SeenState {
  announced: number;
  ids: number[];
  email: string;
  at: number;
}

/** Records the visible state continuously while the work runs. */
async function watching(work: Promise<unknown>): Promise<SeenState[]> {
  const observer = connectOperator(database.url);
  const seen: SeenState[] = [];
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  over.catch(() => {});
  while (!isOver) {
    const [row] = await observer<Omit<SeenState, 'at'>[]>`
      select (select count(*)::int from announced_change) as announced,
        array_to_json(array(select id from announced_change)) as ids,
        (select email from account where id = 'a') as email`;
    seen.push({ ...row!, at: performance.now() });
  }
  await observer.end();
  await over;
  return seen;
}

const announced = async () => (await database.rows('select id from announced_change')).length;
const untilAnnounced = async () => {
  while ((await announcedBy(second)) === 0);
};
const announcedBy = async (sql: Operator) => (await sql`select id from announced_change`).length;

const getPid = async (sql: Operator) =>
  (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]!.pid;

describe('a load', () => {
  it('is announced for the duration of a lease before it becomes visible, and removes its announcement on commit', {
    tags: 'slow',
  }, async () => {
    await database.load(account('a', { email: 'old@example.org' }));
    const begin = performance.now();
    const seen = await watching(load(new Announcer(second), account('a', { email: 'new@example.org' })));
    const end = performance.now();
    const first = seen.findIndex(({ announced }) => announced > 0);
    const last = seen.findLastIndex(({ announced }) => announced > 0);
    const changed = seen.findIndex(({ email }) => email !== 'old@example.org');
    const isIn = changed >= 0 ? changed : seen.length;
    // The announcement came after the last query without the change, and the change before the first query with it.
    expect((seen[isIn]?.at ?? end) - (seen[first - 1]?.at ?? begin)).toBeGreaterThan(LONGEST_LEASE);
    expect(seen.slice(isIn).every(({ email }) => email === 'new@example.org')).toBe(true);
    // The servers commit one after the other. The announcement remains until all of them have.
    if (await isDistributed(second)) expect(isIn).toBeLessThanOrEqual(last + 1);
    else expect(isIn).toBe(last + 1);
    expect(await announced()).toBe(0);
  });

  it('waits only once, after all other work', { tags: 'slow' }, async () => {
    const begin = performance.now();
    const seen = await watching(load(new Announcer(second), account('a'), plan('a'), report('r')));
    expect(performance.now() - begin).toBeGreaterThan(LONGEST_LEASE);
    expect(new Set(seen.flatMap(({ ids }) => ids)).size).toBe(1);
  });

  it('of several batches is announced while the last batch is merged', { tags: 'slow' }, async () => {
    await database.load(account('a'));
    const locking = connectOperator(database.url);
    await locking.query('begin; lock table csp_wizard in access exclusive mode');
    const content = async function* () {
      yield toText(Array.from({ length: 2500 }, (_, number) => report(`r${number}`)));
      // The last statement that merges reports.
      await until(async () => {
        const [row] = await second`
          select from pg_stat_activity where datname = current_database()
            and state = 'idle in transaction' and query like '%from load_added where type in%'`;
        return row !== undefined;
      });
      yield toText([{ kind: 'wizard', accountId: 'a', active: true, policy: '' }]);
    };
    const loading = loadFeed(database.sql, new Announcer(second), [{ name: 'feed', content }]);
    await untilAnnounced();
    await locking.query('rollback');
    expect(await loading).toMatchObject({ records: { report: 2500, wizard: 1 } });
    expect(await announced()).toBe(0);
    await locking.end();
  });

  it('loads nothing and reports the cause when the change cannot be announced', async () => {
    await database.load(account('a', { email: 'old@example.org' }));
    const nowhere = connectOperator(`postgres://nobody@127.0.0.1:${await freePort()}/nothing`);
    const failing = load(new Announcer(nowhere), account('a', { email: 'new@example.org' }));
    await expect(failing).rejects.toThrow(AnnouncementFailed);
    await expect(failing).rejects.toThrow(/The change cannot be announced to the services: .*ECONNREFUSED/);
    await nowhere.end();
    expect(await database.rows('select email from account')).toEqual([{ email: 'old@example.org' }]);
  });

  it('is not announced when it is rejected', async () => {
    const rejected = load(new Announcer(second), account('a'), { kind: 'nothing' });
    const seen = await watching(expect(rejected).rejects.toThrow('The feed has a bad line'));
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.filter(({ announced }) => announced > 0)).toEqual([]);
  });

  it.each<[string, Line[], LoadOptions, scheduled: number, announced: number]>([
    ['new reports', [], {}, 1, 1],
    ['a bad line', [{ kind: 'nothing' }], {}, 0, 0],
    ['a bad line, which is collected', [{ kind: 'nothing' }], { rejects: () => {} }, 0, 1],
    ['a trial', [], { isTrial: true }, 0, 0],
  ])(
    'is announced before its last batch is merged only if it is certain: %s',
    async (_, more, options, ...times) => {
      await database.load(account('a'));
      // A removal is merged on its own, so the first report is merged before the last line is read.
      const lines = [report('1'), { ...watch('a'), deleted: true }, report('2'), ...more];
      const announcer = new Announcer(second, 1);
      const early = vi.spyOn(announcer, 'scheduleAnnouncement').mockImplementation(() => {});
      const late = vi.spyOn(announcer, 'announce').mockResolvedValue();
      await loadFeed(database.sql, announcer, [{ name: 'feed', content: [toText(lines)] }], options).catch(
        () => {},
      );
      expect([early, late].map(spy => spy.mock.calls.length)).toEqual(times);
      // A load whose lines are already stored changes nothing, so it announces nothing.
      late.mockClear();
      await loadFeed(database.sql, announcer, [{ name: 'feed', content: [toText(lines.slice(0, 1))] }]);
      const isStored = times[1] === 1;
      expect(late).toHaveBeenCalledTimes(isStored ? 0 : 1);
    },
  );

  it('is loaded that many milliseconds after its announcement that services reuse a lookup, and 20 more', async () => {
    await database.load(account('a'));
    const pauses: number[] = [];
    const restore = simulatePauses(async milliseconds => {
      pauses.push(milliseconds);
    });
    try {
      await load(new Announcer(second, 60_000), account('a', { email: 'new@example.org' }));
    } finally {
      restore();
    }
    expect(pauses).toHaveLength(1);
    expect(pauses[0]).toBeGreaterThan(30_000);
    expect(pauses[0]).toBeLessThanOrEqual(60_020);
  });

  it('withdraws its announcement when its connection is lost', async () => {
    await database.load(account('a'));
    const backend = await getPid(database.sql);
    const announcing = connectOperator(database.url);
    const failing = load(new Announcer(announcing), account('a', { email: 'new@example.org' }));
    failing.catch(() => {});
    await untilAnnounced();
    await second`select pg_terminate_backend(${backend}::int)`;
    await expect(failing).rejects.toThrow('The connection to the database was lost: nothing was loaded');
    expect(await announcedBy(second)).toBe(0);
    await announcing.end();
  });

  it('is rolled back when its announcement has been deleted', async () => {
    await database.load(account('a', { email: 'old@example.org' }));
    const failing = load(new Announcer(second), account('a', { email: 'new@example.org' }));
    failing.catch(() => {});
    const other = connectOperator(database.url);
    while ((await other`delete from announced_change returning id`).length === 0);
    await other.end();
    await expect(failing).rejects.toThrow('The announcement of the change was deleted');
    expect(await database.rows('select email from account')).toEqual([{ email: 'old@example.org' }]);
  });

  it('is announced anew after a rollback of the same command', async () => {
    const announcer = new Announcer(second);
    await database.sql.query('begin');
    await announcer.prepare(database.sql);
    announcer.scheduleAnnouncement();
    await untilAnnounced();
    await database.sql.query('rollback');
    await announcer.giveUp();
    expect(await announced()).toBe(0);
    await load(announcer, account('a', { email: 'new@example.org' }));
    expect(await database.rows('select email from account')).toEqual([{ email: 'new@example.org' }]);
    expect(await announced()).toBe(0);
  });

  it('deletes announcements of aborted loads, but not those of running loads', async () => {
    await database.rows('insert into announced_change (id) values (1), (2)');
    const atWork = connectOperator(database.url);
    await atWork.query('begin; select pg_advisory_xact_lock(744685844, 2)');
    await load(new Announcer(second), account('a'));
    expect(await database.rows('select id from announced_change')).toEqual([{ id: 2 }]);
    await atWork.query('commit');
    await load(new Announcer(second), account('a'));
    expect(await announced()).toBe(0);
    await atWork.end();
  });
});

describe('prune and maintain', () => {
  const old = () => database.load(account('a'), plan('a', { dataRetentionDays: 10 }), report('r'));
  const isThere = async () => (await second`select id from report`).length === 1;

  it.each([
    ['prune', (today: string) => prune(database.sql, new Announcer(second), today)],
    [
      'maintain, which drops the entire month',
      async (today: string) => {
        const lock = connectOperator(database.url);
        await maintain(database.sql, lock, { announcer: new Announcer(second), today, report() {} });
        await lock.end();
      },
    ],
  ])(
    'announce a removal, and neither announce nor wait when nothing is removed: %s',
    { tags: 'slow' },
    async (_, run) => {
      await old();
      const isAnnounced = ({ announced }: SeenState) => announced > 0;
      expect((await watching(run('2026-05-11'))).some(isAnnounced)).toBe(false);
      expect(await isThere()).toBe(true);
      const begin = performance.now();
      expect((await watching(run('2026-07-11'))).some(isAnnounced)).toBe(true);
      expect(performance.now() - begin).toBeGreaterThan(LONGEST_LEASE);
      expect(await isThere()).toBe(false);
      expect(await announced()).toBe(0);
    },
  );

  it('leave no announcement when they fail', async () => {
    await old();
    const announcing = connectOperator(database.url);
    const failing = prune(database.sql, new Announcer(announcing), '2026-07-11');
    failing.catch(() => {});
    await untilAnnounced();
    // The session is identified by its activity, because a pooler can assign another server process to this connection.
    const others = `from pg_stat_activity
      where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`;
    // For a moment after the commit, the session still seems to be in its transaction.
    await until(async () => (await second.query(`select ${others}`)).length === 1);
    await second.query(`select pg_terminate_backend(pid) ${others}`);
    await expect(failing).rejects.toThrow();
    expect(await announcedBy(second)).toBe(0);
    expect(await isThere()).toBe(true);
    await announcing.end();
  });
});
