// @module-tag slow
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceVersion } from '../../src/observability/version.ts';
import { IN_EARNEST } from '../faults/scale.ts';
import { builtAt } from '../support/built.ts';
import { createBareDatabase, createDatabase, type TestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { keepAliveAgent } from '../support/keep-alive.ts';
import { Load } from '../support/load.ts';
import { freePort } from '../support/network.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { type ServiceProcess, serve } from '../support/served.ts';
import { exitCode, sightline, sightlineHere } from '../support/sightline.ts';
import { openStock, type Stock } from '../support/stock.ts';
import { until } from '../support/until.ts';

const PROCESSES = 2;

/** The request limit of a key per window, and the number of requests sent with each key. */
const MAX = 40;
const ASKED = 100;
const LIMITED = { RATE_LIMIT_MAX: String(MAX), RATE_LIMIT_WINDOW: '1h' };

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

/** Returns a key below its limit. Keys are reused until they reach it. */
function keyWithinLimit(): Promise<string> {
  if (given++ % MAX === 0) within = newKey();
  return within;
}

const serveByMany = (env: Record<string, string> = {}) =>
  serve(database.url, { WEB_CONCURRENCY: String(PROCESSES), ...env });

/** Resolves with the complete response. */
function ask(url: string, key: string, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${key}` } }, response => {
      response.resume().on('end', () => resolve(response));
    }).on('error', reject);
  });
}

/** Sends the same request on a new connection. */
const answer = async (url: string) => ask(url, await keyWithinLimit(), new Agent());
const status = async (url: string) => (await answer(url)).statusCode!;

/** Returns the status of a request with the key, and the remaining limit from its headers. */
async function decision(url: string, key: string, agent: Agent): Promise<{ status: number; left: number }> {
  const { statusCode, headers } = await ask(`${url}/v1/me`, key, agent);
  return { status: statusCode!, left: leftIn(headers.ratelimit) };
}

const leftIn = (header: unknown) => Number(/;r=(\d+);/.exec(String(header))?.[1]);

/** Returns the ids of the serving processes. */
async function pids(service: ServiceProcess): Promise<number[]> {
  const requested = Array.from({ length: 8 * PROCESSES }, () => answer(`${service.url}/v1/me`));
  const ids = new Set((await Promise.all(requested)).map(({ headers }) => String(headers['x-request-id'])));
  // A request's log line follows its response, among other lines.
  const lines = () => service.requests.filter(({ requestId }) => ids.has(requestId));
  await until(() => lines().length === requested.length);
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
  let service: ServiceProcess;
  beforeAll(async () => {
    await stock.sql.query(`create role ${role} nologin in role sightline_reader`);
    service = await serveByMany({ SHUTDOWN_GRACE: '10s', DATABASE_ROLE: role });
  });
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
    await stock.sql.query(`drop role ${role}`);
  });

  it('all serve requests and share their metrics', async () => {
    const found = await pids(service);
    expect(found).toHaveLength(PROCESSES);
    expect(found).not.toContain(service.child.pid);
    const series = 'sightline_request_duration_seconds_count{route="/v1/me",status="200"}';
    await until(async () => (await service.metric(series)) === 8 * PROCESSES);
    expect(await service.metric('sightline_database_pool_size')).toBe(4 * PROCESSES);
    expect(await service.metric('sightline_database_up')).toBe(1);
    const { node } = process.versions;
    const version = serviceVersion();
    expect(await service.metric(`sightline_build_info{version="${version}",node="${node}"}`)).toBe(1);
  });

  it('use the connection hand-over that this Node version supports', async () => {
    await pids(service);
    expect(service.log.join('')).not.toContain('a process that is killed loses new ones');
  });

  // Two more processes start.
  it.runIf(IN_EARNEST)('are replaced one after another on SIGHUP without losing a request', async () => {
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

  it('keep running if their replacements cannot serve', async () => {
    const before = await pids(service);
    // The service never uses a role with write access.
    await stock.sql.query(`grant insert on account to ${role}`);
    service.child.kill('SIGHUP');
    await until(() => service.log.join('').includes('the reload was abandoned'));
    await stock.sql.query(`revoke insert on account from ${role}`);
    // No process is replaced needlessly: the existing ones keep serving.
    expect(before.filter(isThere)).toHaveLength(PROCESSES);
    expect(service.child.exitCode).toBeNull();
  });

  it('shut down gracefully on SIGTERM', async () => {
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

  it('are not started if none could serve, with a single error message', async () => {
    const bare = await createBareDatabase();
    const env = { DATABASE_URL: bare.url, PORT: '0', WEB_CONCURRENCY: String(PROCESSES) };
    const { code, stderr } = await sightline(['serve'], { env });
    await bare.drop();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The database lacks migration .*\n$/);
  });
});

describe('several processes on one port that share a rate limit', () => {
  let installed: string;
  let adminPort: string;
  let service: ServiceProcess;
  beforeAll(async () => {
    installed = makeFolder();
    cpSync(builtAt(), installed, { recursive: true });
    adminPort = String(await freePort());
    const env = { ...LIMITED, WEB_CONCURRENCY: String(PROCESSES), ADMIN_PORT: adminPort };
    service = await serve(database.url, env, join(installed, 'bin/sightline.js'));
  });
  afterAll(() => service?.[Symbol.asyncDispose]());

  it('count the requests of a key together without Redis, and return the remaining limit', async () => {
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
    // The log line of a request follows its response.
    await until(() => new Set(service.requests.map(({ pid }) => pid)).size === PROCESSES);
  });

  it('count separately while the counting process is suspended, and together afterwards', async () => {
    const key = await newKey();
    // Uses an existing connection, because the suspended process would distribute new ones.
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
    // Requests that arrived in the meantime are counted late, but only once.
    expect(await left()).toBe(MAX - 3);
    connection.close();
  });

  it('enforce the limit of a key separately after a reload across incompatible internal messages', async () => {
    const before = await pids(service);
    changeMessages(installed);
    service.child.kill('SIGHUP');
    const version = JSON.parse(readFileSync('package.json', 'utf8')).version;
    await until(() => service.log.some(line => line.includes(`"version":"${version}","msg":"reloaded"`)));
    await until(() => !before.some(isThere));

    const key = await newKey();
    const decisions = [];
    for (let requested = 0; requested < MAX + 10; requested++) {
      decisions.push(await decision(service.url, key, new Agent()));
    }
    expect(decisions.every(({ left }) => Number.isInteger(left))).toBe(true);
    // New connections go to the other process in turn.
    expect(decisions.map(({ status }) => status)).toEqual([...Array(MAX).fill(200), ...Array(10).fill(429)]);
    expect(service.log.filter(line => line.includes('runs an incompatible release'))).toHaveLength(PROCESSES);
    const env = { DATABASE_URL: database.url, ADMIN_PORT: adminPort };
    const { stdout } = await sightlineHere(['doctor'], env);
    expect(stdout).toMatch(/^warning {2}rate limit: .*\n {9}remedy: .*systemctl restart sightline/m);
  });
});

// Each of these restarts one or two processes.
if (IN_EARNEST)
  describe('several processes that are killed', () => {
    let service: ServiceProcess;
    beforeAll(async () => {
      // A fixed port, to be opened again after all processes have ended.
      service = await serveByMany({ PORT: String(await freePort()), ...LIMITED });
    });
    afterAll(() => service?.[Symbol.asyncDispose]());

    it('are replaced when killed, losing only the requests on their own connections', async () => {
      const [victim] = await serving(service);
      let failed: number[] = [];
      const outcomes = await whileConnecting(service, async () => {
        failed = await whileAsking(service, async () => {
          process.kill(victim!, 'SIGKILL');
          await serving(service);
        });
      });
      expectSettled(outcomes);
      // Each client has at most one request at the killed process. About half of them had one.
      expect(Math.max(...failed)).toBeLessThanOrEqual(1);
      expect(failed).toContain(0);
      expect(await pids(service)).not.toContain(victim);
      expect(service.log.join('')).toContain('a process ended and is restarted');
      expect(service.child.exitCode).toBeNull();
    });

    it('take over connections that a killed process had not accepted', async () => {
      const [victim] = await serving(service);
      process.kill(victim!, 'SIGSTOP');
      const requested = Array.from({ length: 6 }, () => status(`${service.url}/v1/me`));
      await sleep(300);
      process.kill(victim!, 'SIGKILL');
      expect(await Promise.all(requested)).toEqual(Array(6).fill(200));
    });

    it('close a new connection without a response if no process is left to serve it', async () => {
      const outcomes = await whileConnecting(service, async () => {
        for (const pid of await serving(service)) process.kill(pid, 'SIGKILL');
        await serving(service);
      });
      expectSettled(outcomes);
    });

    it('end when their parent process is killed', async () => {
      const found = await serving(service);
      service.child.kill('SIGKILL');
      await exitCode(service.child);
      await until(() => !found.some(isThere));
      expect(found.length).toBeGreaterThan(1);
    });
  });

/** Changes the internal messages of an installed service, so that they look like those of another release. */
function changeMessages(installed: string): void {
  const version = /\bMESSAGE_VERSION=1\b/;
  const files = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' });
  const scripts = files.filter(name => name.endsWith('.js')).map(name => join(installed, 'dist', name));
  const [file, ...others] = scripts.filter(name => version.test(readFileSync(name, 'utf8')));
  expect(others).toEqual([]);
  writeFileSync(file!, readFileSync(file!, 'utf8').replace(version, 'MESSAGE_VERSION=2'));
}

/** Returns the ids of the serving processes once all are running. */
function serving(service: ServiceProcess): Promise<number[]> {
  return until(async () => {
    const found = await pids(service);
    return found.length === PROCESSES && found;
  }, 100);
}

/** Keeps opening new connections, and returns how each one ended: a status or an error code. */
async function whileConnecting(
  { url }: ServiceProcess,
  work: () => Promise<unknown>,
): Promise<ReadonlySet<number | string>> {
  const outcomes: Promise<number | string>[] = [];
  let open = 0;
  const connecting = setInterval(async () => {
    // Limits the load on busy machines.
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
  // Waits until every request has settled.
  return new Set(await Promise.all(outcomes));
}

function expectSettled(outcomes: ReadonlySet<number | string>): void {
  expect(outcomes).toContain(200);
  // Which error an aborted connection gets depends on timing.
  for (const outcome of outcomes) expect([200, ...Object.keys(constants.errno)]).toContain(outcome);
}

/** Sends requests over persistent connections and returns the number of failures on each. */
async function whileAsking(service: ServiceProcess, work: () => Promise<void>): Promise<number[]> {
  let isOver = false;
  const client = async () => {
    const agent = keepAliveAgent({ maxSockets: 1 });
    let failures = 0;
    for (let requested = 0; !isOver; requested++) {
      const key = await keyWithinLimit();
      const code = await new Promise<number | undefined>(resolve => {
        const headers = { authorization: `Bearer ${key}` };
        get(`${service.url}/v1/me?n=${requested}`, { agent, headers }, response => {
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
