import { Agent, get, type IncomingMessage } from 'node:http';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IN_EARNEST } from '../faults/scale.ts';
import { createBareDatabase, createDatabase, type TestDatabase } from '../support/database.ts';
import { keepAliveAgent } from '../support/keep-alive.ts';
import { Load } from '../support/load.ts';
import { freePort } from '../support/network.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { type Served, serve } from '../support/served.ts';
import { exitCode, sightline } from '../support/sightline.ts';
import { openStock, type Stock } from '../support/stock.ts';
import { until } from '../support/until.ts';

const PROCESSES = 2;

/** Requests of a key in a window, where they are counted; and how many are asked of one. */
const MAX = 120;
const ASKED = 300;

let database: TestDatabase;
let stock: Stock;
let key: string;

beforeAll(async () => {
  database = await createDatabase();
  stock = openStock(database.url);
  key = await stock.account('a-1');
});

afterAll(async () => {
  await stock?.close();
  await database?.drop();
});

const newKey = () => stock.key('personal', 'a-1');

let given = 0;
let within: Promise<string>;

/** A key that is within its limit: each is given out as often as it may ask. */
function keyWithinLimit(): Promise<string> {
  if (given++ % MAX === 0) within = newKey();
  return within;
}

const serveByMany = (env: Record<string, string> = {}) =>
  serve(database.url, { WEB_CONCURRENCY: String(PROCESSES), ...env });

/** The answer to a request, once all of it has come. */
function ask(url: string, key: string, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${key}` } }, response => {
      response.resume().on('end', () => resolve(response));
    }).on('error', reject);
  });
}

/** The same on a connection of its own. */
const answer = async (url: string) => ask(url, await keyWithinLimit(), new Agent());
const status = async (url: string) => (await answer(url)).statusCode!;

/** The outcome of a request with the key, and what its headers say is left. */
async function decision(url: string, key: string, agent: Agent): Promise<{ status: number; left: number }> {
  const { statusCode, headers } = await ask(`${url}/v1/me`, key, agent);
  return { status: statusCode!, left: leftIn(headers.ratelimit) };
}

const leftIn = (header: unknown) => Number(/;r=(\d+);/.exec(String(header))?.[1]);

/** The processes that serve. */
async function pids(service: Served): Promise<number[]> {
  const asked = Array.from({ length: 8 * PROCESSES }, () => answer(`${service.url}/v1/me`));
  const ids = new Set((await Promise.all(asked)).map(({ headers }) => String(headers['x-request-id'])));
  // The line of a request comes after its answer, and those of others between them.
  const lines = () => service.requests.filter(({ requestId }) => ids.has(requestId));
  await until(() => lines().length === asked.length);
  return [...new Set(lines().map(({ pid }) => pid))].filter(isThere);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('several processes on one port', () => {
  const role = `many_${process.pid}`;
  let service: Served;
  beforeAll(async () => {
    await stock.sql.query(`create role ${role} nologin in role sightline_reader`);
    service = await serveByMany({ SHUTDOWN_GRACE: '10s', DATABASE_ROLE: role });
  });
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
    await stock.sql.query(`drop role ${role}`);
  });

  it('all answer, with metrics for all of them', async () => {
    const found = await pids(service);
    expect(found).toHaveLength(PROCESSES);
    expect(found).not.toContain(service.child.pid);
    const series = 'sightline_request_duration_seconds_count{route="/v1/me",status="200"}';
    await until(async () => (await service.metric(series)) === 8 * PROCESSES);
    expect(await service.metric('sightline_database_pool_size')).toBe(4 * PROCESSES);
    expect(await service.metric('sightline_database_up')).toBe(1);
  });

  it('are handed connections as this Node is known to hand them out', async () => {
    await pids(service);
    expect(service.log.join('')).not.toContain('a process that is killed loses new ones');
  });

  // Two processes more start.
  it.runIf(IN_EARNEST)('are replaced on SIGHUP, one after the other, and no request is lost', async () => {
    const before = await pids(service);
    const load = new Load({ url: service.url, key, rate: 50, paths: ['/v1/me?n=*'] });
    await until(() => load.outcomes.length >= 20);
    service.child.kill('SIGHUP');
    await until(() => service.log.join('').includes('"reloaded"'));
    await until(() => !before.some(isThere));
    const { failures } = await load.stop();
    expect(failures).toEqual([]);
    expect(await pids(service)).toHaveLength(PROCESSES);
    expect(service.log.filter(line => line.includes('a process ended'))).toEqual([]);
  });

  it('stay where one that should take a place cannot serve', async () => {
    const before = await pids(service);
    // The service never runs with a role that may write.
    await stock.sql.query(`grant insert on account to ${role}`);
    service.child.kill('SIGHUP');
    await until(() => service.log.join('').includes('the reload was given up'));
    await stock.sql.query(`revoke insert on account from ${role}`);
    // Nor is one that ended by itself started in vain: those that serve do so.
    expect(before.filter(isThere)).toHaveLength(PROCESSES);
    expect(service.child.exitCode).toBeNull();
  });

  it('end in order on SIGTERM', async () => {
    const found = await pids(service);
    const load = new Load({ url: service.url, key, rate: 50, paths: ['/v1/me?n=*'] });
    await until(() => load.outcomes.length >= 20);
    const ended = service.end();
    const ready = () => Promise.all(Array.from({ length: 4 }, () => status(`${service.url}/readyz`)));
    await until(async () => (await ready()).every(found => found === 503));
    const { failures } = await load.stop();
    expect(failures).toEqual([]);
    expect(await ended).toBe(0);
    await until(() => !found.some(isThere));
  });

  it('are not started where none could serve, and that is said once', async () => {
    const bare = await createBareDatabase();
    const env = { DATABASE_URL: bare.url, PORT: '0', WEB_CONCURRENCY: String(PROCESSES) };
    const { code, stderr } = await sightline(['serve'], { env });
    await bare.drop();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The database lacks migration .*\n$/);
  });
});

describe('several processes on one port that count together', () => {
  let service: Served;
  beforeAll(async () => {
    service = await serveByMany({
      // A port that stays: when all of them are gone it is listened on anew.
      PORT: String(await freePort()),
      RATE_LIMIT_MAX: String(MAX),
      RATE_LIMIT_WINDOW: '1h',
    });
  });
  afterAll(() => service?.[Symbol.asyncDispose]());

  it('count the requests of a key together, without Redis, and tell each what is left', async () => {
    const key = await newKey();
    const agent = keepAliveAgent({ maxSockets: 50 });
    const decisions = await Promise.all(
      Array.from({ length: ASKED }, () => decision(service.url, key, agent)),
    );
    agent.destroy();
    const left = decisions.filter(({ status }) => status === 200).map(decision => decision.left);
    expect(left.sort((one, other) => one - other)).toEqual(Array.from({ length: MAX }, (_, i) => i));
    const refused = decisions.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(ASKED - MAX);
    for (const { status, left } of refused) expect([status, left]).toEqual([429, 0]);
    // The line of a request comes after its answer.
    await until(() => new Set(service.requests.map(({ pid }) => pid)).size === PROCESSES);
  });

  it('each count alone while the process that counts for all stands still, and together again', async () => {
    const key = await newKey();
    // One that is open already: the process that stands still would hand out new ones.
    const connection = new RawConnection(service.url);
    const left = async () => {
      connection.write(`GET /v1/me HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${key}\r\n\r\n`);
      const answer = await connection.read();
      expect(answer?.status).toBe(200);
      return leftIn(answer!.headers.get('ratelimit'));
    };
    expect(await left()).toBe(MAX - 1);
    service.child.kill('SIGSTOP');
    expect(await left()).toBe(MAX - 1);
    service.child.kill('SIGCONT');
    // Requests that came meanwhile are counted late, and counted once.
    expect(await left()).toBe(MAX - 3);
    connection.close();
  });

  // Each of these starts one or two processes anew.
  if (IN_EARNEST) {
    it('are replaced when they are killed; only requests on their own connections are lost', async () => {
      const [victim] = await serving(service);
      let failed: number[] = [];
      const outcomes = await whileConnecting(service, async () => {
        failed = await whileAsking(service, async () => {
          process.kill(victim!, 'SIGKILL');
          await serving(service);
        });
      });
      expectSettled(outcomes);
      // Each may have been asking the one that was killed, once; about half of them were.
      expect(Math.max(...failed)).toBeLessThanOrEqual(1);
      expect(failed).toContain(0);
      expect(await pids(service)).not.toContain(victim);
      expect(service.log.join('')).toContain('a process ended, and is started again');
      expect(service.child.exitCode).toBeNull();
    });

    it('pass on the connections that one did not come to take before it was killed', async () => {
      const [victim] = await serving(service);
      process.kill(victim!, 'SIGSTOP');
      const asked = Array.from({ length: 6 }, () => status(`${service.url}/v1/me`));
      await sleep(300);
      process.kill(victim!, 'SIGKILL');
      expect(await Promise.all(asked)).toEqual(Array(6).fill(200));
    });

    it('leave no new connection open without an answer, though nobody is left to pass it on to', async () => {
      const outcomes = await whileConnecting(service, async () => {
        for (const pid of await serving(service)) process.kill(pid, 'SIGKILL');
        await serving(service);
      });
      expectSettled(outcomes);
    });

    it('end when the process that started them is killed', async () => {
      const found = await serving(service);
      service.child.kill('SIGKILL');
      await exitCode(service.child);
      await until(() => !found.some(isThere));
    });
  }
});

/** The processes that serve, once there are all of them. */
function serving(service: Served): Promise<number[]> {
  return until(async () => {
    const found = await pids(service);
    return found.length === PROCESSES && found;
  }, 100);
}

/** Asks over new connections all the time, and tells how each of them ended: with a status, or an error's code. */
async function whileConnecting(
  { url }: Served,
  work: () => Promise<unknown>,
): Promise<ReadonlySet<number | string>> {
  const outcomes: Promise<number | string>[] = [];
  let open = 0;
  const connecting = setInterval(async () => {
    // A busy machine is not given more and more of them.
    if (open >= 20) return;
    open++;
    const outcome = status(`${url}/v1/me`).catch((error: NodeJS.ErrnoException) => error.code!);
    outcomes.push(outcome);
    await outcome;
    open--;
  }, 10);
  try {
    await work();
  } finally {
    clearInterval(connecting);
  }
  // All of them settle.
  return new Set(await Promise.all(outcomes));
}

function expectSettled(outcomes: ReadonlySet<number | string>): void {
  expect(outcomes).toContain(200);
  // The error of the system with which a connection ends depends on the moment.
  for (const outcome of outcomes) expect([200, ...Object.keys(constants.errno)]).toContain(outcome);
}

/** Asks over some connections that are kept, and tells how often each of them failed. */
async function whileAsking(service: Served, work: () => Promise<void>): Promise<number[]> {
  let isOver = false;
  const client = async () => {
    const agent = keepAliveAgent({ maxSockets: 1 });
    let failures = 0;
    for (let asked = 0; !isOver; asked++) {
      const key = await keyWithinLimit();
      const code = await new Promise<number | undefined>(resolve => {
        const headers = { authorization: `Bearer ${key}` };
        get(`${service.url}/v1/me?n=${asked}`, { agent, headers }, response => {
          response.resume().on('end', () => resolve(response.statusCode));
        }).on('error', () => resolve(undefined));
      });
      if (code !== 200) failures++;
      await sleep(25);
    }
    agent.destroy();
    return failures;
  };
  const clients = Array.from({ length: 8 }, client);
  await sleep(300);
  await work();
  await sleep(300);
  isOver = true;
  return Promise.all(clients);
}
