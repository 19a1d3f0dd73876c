import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnnouncementFailed, Announcer, LONGEST_LEASE } from '../../sql/changes/announcer.ts';
import { maintain } from '../../sql/maintenance/maintain.ts';
import { prune } from '../../sql/maintenance/prune.ts';
import { isDistributed } from '../../sql/operator/distribute.ts';
import { type LoadSummary, loadFeed } from '../../src/feed/load.ts';
import { freePort } from '../support/network.ts';
import { connectOperator, type Operator } from '../support/operator.ts';
import { until } from '../support/until.ts';
import { account, createFeedDatabase, type FeedDatabase, type Line, plan, report, toText } from './lines.ts';

/** Changes of what answers are made of are announced to the services. */
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

interface Seen {
  announced: number;
  ids: number[];
  email: string;
  at: number;
}

/** The state that anybody sees while the work goes on, as often as it can be asked. */
async function watching(work: Promise<unknown>): Promise<Seen[]> {
  const observer = connectOperator(database.url);
  const seen: Seen[] = [];
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  over.catch(() => {});
  while (!isOver) {
    const [row] = await observer<Omit<Seen, 'at'>[]>`
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

const pidOf = async (sql: Operator) => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]!.pid;

describe('a load', () => {
  it('is announced for the time of a lease before it is seen, and goes with its announcement', async () => {
    await database.load(account('a', { email: 'old@example.org' }));
    const begin = performance.now();
    const seen = await watching(load(new Announcer(second), account('a', { email: 'new@example.org' })));
    const end = performance.now();
    const first = seen.findIndex(({ announced }) => announced > 0);
    const last = seen.findLastIndex(({ announced }) => announced > 0);
    const changed = seen.findIndex(({ email }) => email !== 'old@example.org');
    const isIn = changed >= 0 ? changed : seen.length;
    // It came after the last look without it, and the change before the first look with that.
    expect((seen[isIn]?.at ?? end) - (seen[first - 1]?.at ?? begin)).toBeGreaterThan(LONGEST_LEASE);
    expect(seen.slice(isIn).every(({ email }) => email === 'new@example.org')).toBe(true);
    // Servers commit one after the other: there the announcement stays until all have.
    if (await isDistributed(second)) expect(isIn).toBeLessThanOrEqual(last + 1);
    else expect(isIn).toBe(last + 1);
    expect(await announced()).toBe(0);
  });

  it('waits once, when all else is done', async () => {
    const begin = performance.now();
    const seen = await watching(load(new Announcer(second), account('a'), plan('a'), report('r')));
    expect(performance.now() - begin).toBeGreaterThan(LONGEST_LEASE);
    expect(new Set(seen.flatMap(({ ids }) => ids)).size).toBe(1);
  });

  it('of several batches is announced while the last one is merged', async () => {
    await database.load(account('a'));
    const locking = connectOperator(database.url);
    await locking.query('begin; lock table csp_wizard in access exclusive mode');
    const content = async function* () {
      yield toText(Array.from({ length: 2500 }, (_, number) => report(`r${number}`)));
      await until(async () => {
        const [row] = await second`
          select from pg_stat_activity where datname = current_database()
            and state = 'idle in transaction' and query like 'truncate load_report%'`;
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

  it('that cannot be announced loads nothing, and says why', async () => {
    await database.load(account('a', { email: 'old@example.org' }));
    const nowhere = connectOperator(`postgres://nobody@127.0.0.1:${await freePort()}/nothing`);
    const failing = load(new Announcer(nowhere), account('a', { email: 'new@example.org' }));
    await expect(failing).rejects.toThrow(AnnouncementFailed);
    await expect(failing).rejects.toThrow(/The change cannot be announced to the services: .*ECONNREFUSED/);
    await nowhere.end();
    expect(await database.rows('select email from account')).toEqual([{ email: 'old@example.org' }]);
  });

  it('that is refused is not announced', async () => {
    const seen = await watching(
      load(new Announcer(second), account('a'), { kind: 'nothing' }).catch(() => {}),
    );
    expect(seen.filter(({ announced }) => announced > 0)).toEqual([]);
  });

  it('whose connection is lost meanwhile takes its announcement back', async () => {
    await database.load(account('a'));
    const backend = await pidOf(database.sql);
    const announcing = connectOperator(database.url);
    const failing = load(new Announcer(announcing), account('a', { email: 'new@example.org' }));
    failing.catch(() => {});
    await untilAnnounced();
    await second`select pg_terminate_backend(${backend}::int)`;
    await expect(failing).rejects.toThrow('The connection to the database was lost: nothing was loaded');
    expect(await announcedBy(second)).toBe(0);
    await announcing.end();
  });

  it('does not come where somebody took its announcement back', async () => {
    await database.load(account('a', { email: 'old@example.org' }));
    const failing = load(new Announcer(second), account('a', { email: 'new@example.org' }));
    failing.catch(() => {});
    const other = connectOperator(database.url);
    while ((await other`delete from announced_change returning id`).length === 0);
    await other.end();
    await expect(failing).rejects.toThrow('Somebody took the announcement of the change back');
    expect(await database.rows('select email from account')).toEqual([{ email: 'old@example.org' }]);
  });

  it('removes what one that ended without a word left behind, and nothing of one at work', async () => {
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
      'maintain, which drops the whole month',
      async (today: string) => {
        const lock = connectOperator(database.url);
        await maintain(database.sql, lock, { announcer: new Announcer(second), today, tell() {} });
        await lock.end();
      },
    ],
  ])('%s announces what it removes, and waits for nothing where that is nothing', async (_, run) => {
    await old();
    const isAnnounced = ({ announced }: Seen) => announced > 0;
    expect((await watching(run('2026-05-11'))).some(isAnnounced)).toBe(false);
    expect(await isThere()).toBe(true);
    const begin = performance.now();
    expect((await watching(run('2026-07-11'))).some(isAnnounced)).toBe(true);
    expect(performance.now() - begin).toBeGreaterThan(LONGEST_LEASE);
    expect(await isThere()).toBe(false);
    expect(await announced()).toBe(0);
  });

  it('leave no announcement behind when they fail', async () => {
    await old();
    const announcing = connectOperator(database.url);
    const failing = prune(database.sql, new Announcer(announcing), '2026-07-11');
    failing.catch(() => {});
    await untilAnnounced();
    // It is known by what it does: with a pooler, the server's process that answered a moment ago may be this
    // connection's now.
    const others = `from pg_stat_activity
      where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`;
    // The session that announced can be seen in its transaction for a moment after it has committed.
    await until(async () => (await second.query(`select ${others}`)).length === 1);
    await second.query(`select pg_terminate_backend(pid) ${others}`);
    await expect(failing).rejects.toThrow();
    expect(await announcedBy(second)).toBe(0);
    expect(await isThere()).toBe(true);
    await announcing.end();
  });
});
