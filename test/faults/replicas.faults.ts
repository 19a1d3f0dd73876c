import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { Load, type LoadResult } from '../support/load.ts';
import { type Served, serve } from '../support/served.ts';
import { sightlineHere } from '../support/sightline.ts';
import { type Primary, type Standby, startPrimary } from '../support/standby.ts';
import { until } from '../support/until.ts';
import { type Allowance, watchMachine } from '../support/yardstick.ts';
import { IN_EARNEST, LIMITS, PATIENCE, SECONDS } from './scale.ts';

/** Requests a second. */
const RATE = 200;
const PATHS = ['/v1/me?n=*', '/v1/last-seven-days?n=*', '/v1/watches/script?n=*', '/v1/usage-metrics?n=*'];
const FAILED = '500 {"error":"Internal server error"}';

let primary: Primary;
let standbys: Standby[];
let service: Served;
let key: string;

beforeAll(async () => {
  primary = await startPrimary();
  key = await primary.stock.account('a-1');
  standbys = await Promise.all([primary.standby(), primary.standby()]);
  service = await serveFrom(standbys);
});

afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  for (const standby of standbys ?? []) await standby[Symbol.asyncDispose]();
  await primary?.[Symbol.asyncDispose]();
});

function serveFrom(read: readonly Standby[], env: Record<string, string> = {}): Promise<Served> {
  const urls = read.map(({ url }) => url).join(',');
  return serve(primary.url, { DATABASE_READ_URL: urls, DATABASE_READ_MAX_LAG: '1s', ...LIMITS, ...env });
}

/** The server that requests read from. */
async function inUse(of = service): Promise<string> {
  return (await of.server())!;
}

/** Once one of the replicas is read from: that one. */
async function replicaInUse(): Promise<Standby> {
  return until(async () => {
    const [, number] = /^replica-(\d)$/.exec(await inUse()) ?? [];
    return number !== undefined && standbys[Number(number) - 1]!;
  });
}

/** A load of the account brings data, and with it the version. */
async function touch(email = 'a-1@example.com'): Promise<void> {
  await primary.stock.sql`update account set email = ${email}, version = version + 1 where id = 'a-1'`;
}

async function ask(of: Served, token: string, path = '/v1/me'): Promise<Response> {
  return fetch(of.url + path, { headers: { authorization: `Bearer ${token}` } });
}

interface Faulty extends LoadResult {
  standby: Standby;
  /** When it happened. */
  at: number;
  /** The server that is read from in the end. */
  next: string;
  machine: Allowance;
}

/**
 * Something happens to the replica that requests read from, while the account is written to. Answers when the service
 * reads from the server that it should read from then.
 */
async function tryFault(
  fault: (standby: Standby) => unknown,
  next: (standby: Standby) => string,
  heal?: (standby: Standby) => unknown,
): Promise<void> {
  const standby = await replicaInUse();
  await fault(standby);
  await until(async () => {
    await touch();
    return (await inUse()) === next(standby) && (await ask(service, key)).status === 200;
  });
  if (!heal) return;
  await heal(standby);
  await standby.untilCaughtUp();
}

/** The outcome of requests meanwhile. */
async function underLoad(
  fault: (standby: Standby) => unknown,
  heal?: (standby: Standby) => unknown,
): Promise<Faulty> {
  const standby = await replicaInUse();
  const machine = watchMachine();
  const load = new Load({ url: service.url, key, rate: RATE, paths: PATHS, patience: PATIENCE });
  await sleep(500);
  await fault(standby);
  const at = performance.now();
  while (performance.now() - at < SECONDS * 1000 + machine.over(2000)) {
    await touch();
    await sleep(200);
  }
  const result = { ...(await load.stop()), standby, at, machine };
  const next = await inUse();
  if (heal) {
    await heal(standby);
    await standby.untilCaughtUp();
    // The service has to look.
    await sleep(1000);
  }
  return { ...result, next };
}

/** @param allowed what may be answered within the first two seconds */
function expectAnswers(
  { failures, slowest, answeredSince, at, machine }: Faulty,
  allowed: readonly string[] = [],
): void {
  expect(failures.filter(failure => !allowed.includes(failure))).toEqual([]);
  expect(answeredSince(at + machine.over(2000))).toEqual([200]);
  expect(slowest).toBeLessThan(machine.over(3000));
}

describe('several servers', () => {
  it('are read from the nearest replica, however long the primary is idle', async () => {
    await replicaInUse();
    await sleep(1500);
    await replicaInUse();
    const series = (what: string, server: string) =>
      service.metric(`sightline_database_server_${what}{server="${server}"}`);
    await until(async () => (await series('in_use', await inUse())) === 1);
    expect(await series('in_use', 'primary')).toBe(0);
    for (const server of ['primary', 'replica-1', 'replica-2']) {
      await until(async () => (await series('up', server)) === 1);
      for (const name of ['lag_seconds', 'round_trip_seconds'])
        await until(async () => (await series(name, server)) < 1);
    }
  });

  it('have the same data: one of another installation is not read', async () => {
    const stranger = await createDatabase();
    await using other = await serve(primary.url, { DATABASE_READ_URL: stranger.url });
    await until(() => other.log.join('').includes('it holds other data than the primary'));
    expect(await inUse(other)).toBe('primary');
    await stranger.drop();
  });
});

describe.runIf(IN_EARNEST)('an entity tag', () => {
  it('is never given with two bodies, while the account changes and servers differ', async () => {
    const [near, far] = standbys as [Standby, Standby];
    await using one = await serveFrom([near], { DATABASE_READ_MAX_LAG: '4s' });
    await using other = await serveFrom([far, near], { ANSWER_CACHE_SIZE: '0' });
    const bodies = new Map<string, Set<string>>();
    let answers = 0;
    let isOver = false;
    const client = async (of: Served) => {
      while (!isOver) {
        const response = await ask(of, key);
        const body = await response.text();
        expect(response.status, body).toBe(200);
        const tag = response.headers.get('etag');
        if (!tag) continue;
        answers++;
        bodies.set(tag, (bodies.get(tag) ?? new Set()).add(body));
      }
    };
    const clients = [one, other, service].flatMap(of => [client(of), client(of)]);
    for (let load = 0; load < 14 * SECONDS; load++) {
      await touch(`n-${load}@example.com`);
      if (load % 5 === 1) await near.sql`select pg_wal_replay_pause()`;
      if (load % 5 === 4) await near.sql`select pg_wal_replay_resume()`;
      if (load % 7 === 3) far.freeze();
      if (load % 7 === 6) far.thaw();
      await sleep(40);
    }
    far.thaw();
    await near.sql`select pg_wal_replay_resume()`;
    isOver = true;
    await Promise.all(clients);
    expect([...bodies.values()].filter(({ size }) => size > 1)).toEqual([]);
    expect(answers).toBeGreaterThan(100);
    expect(bodies.size).toBeGreaterThan(5);
  });
});

describe('a revoked key', () => {
  it('is refused within the lag that is allowed, also where the replica has stopped replaying', async () => {
    const standby = await replicaInUse();
    const revoked = await primary.stock.key('personal', 'a-1');
    await Promise.all(standbys.map(({ untilCaughtUp }) => untilCaughtUp()));
    expect((await ask(service, revoked)).status).toBe(200);
    await standby.sql`select pg_wal_replay_pause()`;
    await primary.stock.sql`update api_key set revoked_at = now() where digest = sha256(${revoked}::bytea)`;
    const machine = watchMachine();
    const begin = performance.now();
    await until(async () => (await ask(service, revoked)).status === 401);
    if (IN_EARNEST) expect(performance.now() - begin).toBeLessThan(machine.over(2000));
    await standby.sql`select pg_wal_replay_resume()`;
  });
});

describe('doctor', () => {
  it('tells how far replicas are behind, and which is further than is allowed', async () => {
    const [near, far] = standbys as [Standby, Standby];
    await far.sql`select pg_wal_replay_pause()`;
    await touch();
    const { stdout } = await sightlineHere(['doctor'], {
      DATABASE_URL: primary.url,
      DATABASE_READ_URL: `${near.url},${far.url}`,
      DATABASE_READ_MAX_LAG: '1s',
    });
    await far.sql`select pg_wal_replay_resume()`;
    expect(stdout).toMatch(/^ok +replica-1: it is at most \d+ ms behind$/m);
    expect(stdout).toMatch(
      /^error +replica-2: it is more than DATABASE_READ_MAX_LAG behind .*\n +remedy: .*pg_stat_replication/m,
    );
  });
});

const nameOf = (standby: Standby) => `replica-${standbys.indexOf(standby) + 1}`;
const other = (standby: Standby) => nameOf(standbys.find(candidate => candidate !== standby)!);

describe.skipIf(IN_EARNEST)('the replica in use', () => {
  it('stops replaying, and goes on: another one is read', async () => {
    await tryFault(
      ({ sql }) => sql`select pg_wal_replay_pause()`,
      other,
      ({ sql }) => sql`select pg_wal_replay_resume()`,
    );
  });

  it('stands still with all of its connections, and goes on: another one is read', async () => {
    await tryFault(
      standby => standby.freeze(),
      other,
      standby => standby.thaw(),
    );
  });

  it('is stopped: another one is read', async () => {
    await tryFault(standby => standby.stop(), other);
  });

  it('is the last one, and stopped: the primary is read', async () => {
    await tryFault(
      standby => standby.stop(),
      () => 'primary',
    );
  });
});

describe.runIf(IN_EARNEST)('the replica in use, under load', () => {
  it('stops replaying: another one is read', async () => {
    const result = await underLoad(
      ({ sql }) => sql`select pg_wal_replay_pause()`,
      ({ sql }) => sql`select pg_wal_replay_resume()`,
    );
    expectAnswers(result);
    expect(result.next).toBe(other(result.standby));
  });

  it('is cut off from its primary without a word: another one is read', async () => {
    const result = await underLoad(
      standby => standby.network('halfOpen'),
      async standby => {
        await standby.network('reset');
        await standby.network('none');
      },
    );
    expectAnswers(result);
    expect(result.next).toBe(other(result.standby));
  });

  it('stands still with all of its connections: another one is read', async () => {
    const result = await underLoad(
      standby => standby.freeze(),
      standby => standby.thaw(),
    );
    // Its requests go to the other one all at once, which a busy machine may not answer in time.
    expectAnswers(result, [FAILED]);
    expect(result.next).toBe(other(result.standby));
  });

  it('is stopped: another one is read', async () => {
    const result = await underLoad(standby => standby.stop());
    expectAnswers(result);
    expect(result.next).toBe(other(result.standby));
  });

  it('is promoted, and goes on serving', async () => {
    const result = await underLoad(({ sql }) => sql`select pg_promote()`);
    expectAnswers(result);
    expect(result.next).toBe(nameOf(result.standby));
  });

  it('is the last one, and stopped: the primary is read', async () => {
    const result = await underLoad(standby => standby.stop());
    expectAnswers(result);
    expect(result.next).toBe('primary');
  });
});
