import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { Load, type LoadResult } from '../support/load.ts';
import { type ServiceProcess, serve } from '../support/served.ts';
import { sightlineHere } from '../support/sightline.ts';
import { type Primary, type Standby, startPrimary } from '../support/standby.ts';
import { until } from '../support/until.ts';
import { type RequestAllowance, watchMachine } from '../support/yardstick.ts';
import { IN_EARNEST, LIMITS, PATIENCE, SECONDS } from './scale.ts';

/** In requests per second. */
const RATE = 200;
const PATHS = ['/v1/me?n=*', '/v1/last-seven-days?n=*', '/v1/watches/script?n=*', '/v1/usage-metrics?n=*'];
const FAILED = '500 {"error":"Internal server error"}';

let primary: Primary;
let standbys: Standby[];
let service: ServiceProcess;
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

function serveFrom(read: readonly Standby[], env: Record<string, string> = {}): Promise<ServiceProcess> {
  const urls = read.map(({ url }) => url).join(',');
  return serve(primary.url, { DATABASE_READ_URL: urls, DATABASE_READ_MAX_LAG: '1s', ...LIMITS, ...env });
}

/** Returns the server from which requests currently read. */
async function inUse(of = service): Promise<string> {
  return (await of.server())!;
}

/** Returns the replica that serves reads, once there is one. */
async function replicaInUse(): Promise<Standby> {
  return until(async () => {
    const [, number] = /^replica-(\d)$/.exec(await inUse()) ?? [];
    return number !== undefined && standbys[Number(number) - 1]!;
  });
}

/** Loads new data for the account, which changes its version. */
async function touch(email = 'a-1@example.com'): Promise<void> {
  await primary.stock.sql`update account set email = ${email}, version = version + 1 where id = 'a-1'`;
}

async function ask(of: ServiceProcess, token: string, path = '/v1/me'): Promise<Response> {
  return fetch(of.url + path, { headers: { authorization: `Bearer ${token}` } });
}

interface Faulty extends LoadResult {
  standby: Standby;
  /** When the fault began. */
  at: number;
  /** The server that serves reads after the fault. */
  next: string;
  machine: RequestAllowance;
}

/**
 * Causes a fault of the current replica while data is written. Returns once the service reads from the expected server.
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

/** Returns the outcome of the requests during the fault. */
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
    // The service needs time to detect it.
    await sleep(1000);
  }
  return { ...result, next };
}

/** @param allowed failures that can occur within the first two seconds */
function expectAnswers(
  { failures, slowest, answeredSince, at, machine }: Faulty,
  allowed: readonly string[] = [],
): void {
  expect(failures.filter(failure => !allowed.includes(failure))).toEqual([]);
  expect(answeredSince(at + machine.over(2000))).toEqual([200]);
  expect(slowest).toBeLessThan(machine.over(3000));
}

describe('the selection of a read server', () => {
  it('prefers the nearest replica, even while the primary is idle', async () => {
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

  it('excludes a server with the data of another installation', async () => {
    const foreign = await createDatabase();
    await using other = await serve(primary.url, { DATABASE_READ_URL: foreign.url });
    await until(() => other.log.join('').includes('it holds other data than the primary'));
    expect(await inUse(other)).toBe('primary');
    await foreign.drop();
  });
});

describe.runIf(IN_EARNEST)('an entity tag', () => {
  it('never belongs to two different bodies while data changes and servers differ', async () => {
    const [near, far] = standbys as [Standby, Standby];
    await using one = await serveFrom([near], { DATABASE_READ_MAX_LAG: '4s' });
    await using other = await serveFrom([far, near], { ANSWER_CACHE_SIZE: '0' });
    const bodies = new Map<string, Set<string>>();
    let answers = 0;
    let isOver = false;
    const client = async (of: ServiceProcess) => {
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
  it('is rejected within the allowed lag, even if the replica has stopped replaying', async () => {
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
  it('reports the lag of each replica and an error for one beyond the allowed lag', async () => {
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

const getName = (standby: Standby) => `replica-${standbys.indexOf(standby) + 1}`;
const other = (standby: Standby) => getName(standbys.find(candidate => candidate !== standby)!);

describe.skipIf(IN_EARNEST)('the current replica', () => {
  it('is replaced by another while its replay is paused', async () => {
    await tryFault(
      ({ sql }) => sql`select pg_wal_replay_pause()`,
      other,
      ({ sql }) => sql`select pg_wal_replay_resume()`,
    );
  });

  it('is replaced by another while all of its processes are suspended', async () => {
    await tryFault(
      standby => standby.freeze(),
      other,
      standby => standby.thaw(),
    );
  });

  it('is replaced by another after it stopped', async () => {
    await tryFault(standby => standby.stop(), other);
  });

  it('is replaced by the primary if it was the last one and stopped', async () => {
    await tryFault(
      standby => standby.stop(),
      () => 'primary',
    );
  });
});

describe.runIf(IN_EARNEST)('the current replica under load', () => {
  it('is replaced by another while its replay is paused', async () => {
    const result = await underLoad(
      ({ sql }) => sql`select pg_wal_replay_pause()`,
      ({ sql }) => sql`select pg_wal_replay_resume()`,
    );
    expectAnswers(result);
    expect(result.next).toBe(other(result.standby));
  });

  it('is replaced by another after silently losing the connection to its primary', async () => {
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

  it('is replaced by another while all of its processes are suspended', async () => {
    const result = await underLoad(
      standby => standby.freeze(),
      standby => standby.thaw(),
    );
    // All requests move to the other replica at once. On a busy machine, it may not answer them in time.
    expectAnswers(result, [FAILED]);
    expect(result.next).toBe(other(result.standby));
  });

  it('is replaced by another after it stopped', async () => {
    const result = await underLoad(standby => standby.stop());
    expectAnswers(result);
    expect(result.next).toBe(other(result.standby));
  });

  it('continues to serve after its promotion', async () => {
    const result = await underLoad(({ sql }) => sql`select pg_promote()`);
    expectAnswers(result);
    expect(result.next).toBe(getName(result.standby));
  });

  it('is replaced by the primary if it was the last one and stopped', async () => {
    const result = await underLoad(standby => standby.stop());
    expectAnswers(result);
    expect(result.next).toBe('primary');
  });
});
