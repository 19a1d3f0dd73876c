import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { IN_EARNEST } from '../faults/scale.ts';
import { contract } from '../support/contract.ts';
import { createBareDatabase, createDatabase, type TestDatabase } from '../support/database.ts';
import { createNetwork } from '../support/network.ts';
import {
  exitCode,
  type Outcome,
  program,
  sightline,
  sightlineHere,
  startSightline,
} from '../support/sightline.ts';
import { until } from '../support/until.ts';

interface RunningServer {
  child: ChildProcess;
  url: string;
  /** All log lines so far. */
  log: string[];
}

/** An address without a database. */
const NOWHERE = 'postgres://sightline@127.0.0.1:1/nowhere';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});

afterAll(() => database?.drop());

function serve(env: Record<string, string>, start?: string): Promise<RunningServer> {
  const settings = { PORT: '0', SHUTDOWN_GRACE: '0', ...env };
  return listening(startSightline(['serve'], { env: settings, ...(start !== undefined && { start }) }));
}

/** Resolves once the service listens. */
async function listening(child: ChildProcess): Promise<RunningServer> {
  const log: string[] = [];
  const lines = createInterface({ input: child.stdout! });
  lines.on('line', line => log.push(line));
  for (;;) {
    await once(lines, 'line');
    const { msg, url } = JSON.parse(log.at(-1)!);
    if (msg === 'listening') return { child, url, log };
  }
}

async function status(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}

/** Returns the output of the health command for the service at this address. */
function health(url: string): Promise<Outcome> {
  return sightlineHere(['health'], { PORT: new URL(url).port });
}

describe('serve', () => {
  describe('with a database', () => {
    let running: RunningServer;
    beforeAll(async () => {
      const copy = mkdtempSync(join(tmpdir(), 'sightline-version-'));
      const isNeeded = (path: string) => !path.endsWith('.map');
      cpSync(dirname(dirname(program())), copy, { recursive: true, filter: isNeeded });
      running = await serve({ DATABASE_URL: database.url }, join(copy, 'bin/sightline.js'));
      rmSync(copy, { recursive: true });
    });
    afterAll(() => void running?.child.kill('SIGKILL'));

    it('serves from it', async () => {
      const { url } = running;
      expect(await status(`${url}/healthz`)).toBe(200);
      await until(async () => (await status(`${url}/readyz`)) === 200);
      expect(await health(url)).toEqual({ code: 0, stdout: 'Ready\n', stderr: '' });
      expect(await status(`${url}/v1/me`)).toBe(401);
    });

    it('continues to serve its pages after its files were removed', async () => {
      const { url } = running;
      for (const path of ['/docs', '/app', '/openapi.yaml', '/openapi.json', '/llms.txt'])
        expect([path, await status(url + path)]).toEqual([path, 200]);
      for (const path of ['/docs', '/app']) {
        const html = await (await fetch(url + path)).text();
        const [, script] = /<script [^>]*src="([^"]+)"/.exec(html)!;
        expect(await status(new URL(script!, url).href)).toBe(200);
      }
    });

    it('serves the description of the API as JSON, with its address', async () => {
      const { url } = running;
      const answer = await fetch(`${url}/openapi.json`);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      const servers = [{ url, description: 'The service that serves this document.' }];
      expect(await answer.json()).toEqual({ ...contract, servers });
    });

    it('exits with 0 on SIGTERM, even if that is repeated', async () => {
      running.child.kill('SIGTERM');
      running.child.kill('SIGTERM');
      expect(await exitCode(running.child)).toBe(0);
    });
  });

  describe('before its database is available', () => {
    let running: RunningServer;
    afterAll(() => void running?.child.kill('SIGKILL'));

    it('starts, and serves once that is available', async () => {
      const network = await createNetwork(database.url);
      running = await serve({ DATABASE_URL: network.url, SHUTDOWN_GRACE: '10s' });
      const { url } = running;
      expect(await status(`${url}/healthz`)).toBe(200);
      expect(await status(`${url}/readyz`)).toBe(503);
      await network.putUp();
      await until(async () => (await status(`${url}/readyz`)) === 200);
      const page = await fetch(`${url}/graphql`, { headers: { accept: 'text/html' } });
      expect(await page.text()).toContain('Sightline GraphiQL');
    });

    it('is not ready after SIGTERM but serves requests during the grace period', async () => {
      const { child, url } = running;
      child.kill('SIGTERM');
      await until(async () => (await status(`${url}/readyz`)) === 503);
      expect(await health(url)).toMatchObject({ code: 1, stderr: `Not ready: ${url}/readyz answers 503\n` });
      expect(await status(`${url}/healthz`)).toBe(200);
      expect(child.exitCode).toBeNull();
    });
  });

  // Compiling the sources takes long.
  it.runIf(IN_EARNEST)('exits together with the npm shell, which does not forward signals', async () => {
    // From the sources: no other test runs "npm start" as in a checkout.
    const command = `"${process.execPath}" bin/sightline.js serve; true`;
    const env = { PATH: process.env.PATH, PORT: '0', npm_lifecycle_event: 'start', DATABASE_URL: NOWHERE };
    const running = await listening(spawn('sh', ['-c', command], { env }));
    onTestFinished(() => void running.child.kill('SIGKILL'));
    running.child.kill('SIGTERM');
    // The log is complete once no process has the file open.
    await once(running.child.stdout!, 'close');
    expect(running.log.filter(line => line.includes('"SIGTERM"'))).toHaveLength(1);
  });

  it('refuses a database without migrations and names the command to run', async () => {
    const bare = await createBareDatabase();
    const outcome = await sightlineHere(['serve'], { DATABASE_URL: bare.url, PORT: '0' });
    await bare.drop();
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(/^The database lacks migration 0001_\w+\.sql: run "sightline migrate"\n$/);
  });

  it('refuses a role with write access', async () => {
    const env = { DATABASE_URL: database.url, DATABASE_ROLE: '', PORT: '0' };
    const { code, stderr } = await sightlineHere(['serve'], env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The login \w+ can write to account, .*DATABASE_ROLE=sightline_reader/);
  });

  it('reports that it cannot switch to its role', async () => {
    const settings = { DATABASE_URL: database.directUrl, DATABASE_PREPARE: 'true', PORT: '0' };
    const env = { ...settings, DATABASE_ROLE: 'nobody_such' };
    const { code, stderr } = await sightlineHere(['serve'], env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The service cannot switch to DATABASE_ROLE=nobody_such/);
  });

  it('refuses a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const env = { DATABASE_URL: database.url, PORT: String(port) };
    const { code, stderr } = await sightlineHere(['serve'], env);
    other.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is in use: .*\n$`));
  });

  it('leaves its connection to Redis and ends if the file of accounts cannot be read', {
    tags: 'slow',
  }, async () => {
    const redis = createTcpServer().listen(0, '127.0.0.1');
    onTestFinished(() => void redis.close());
    await once(redis, 'listening');
    const { code, stderr } = await sightline(['serve'], {
      env: {
        DATABASE_URL: NOWHERE,
        REDIS_URL: `redis://127.0.0.1:${(redis.address() as AddressInfo).port}`,
        PAGE_LOGIN: 'proxy',
        PAGE_LOGIN_PEERS: '127.0.0.1',
        PAGE_LOGIN_SECRET: 's'.repeat(40),
        PAGE_LOGIN_ACCOUNTS: '/nowhere/accounts',
        BASE_URL: 'https://reports.example.com',
      },
    });
    expect([code, stderr]).toEqual([
      1,
      'PAGE_LOGIN_ACCOUNTS names /nowhere/accounts, which cannot be read (ENOENT)\n',
    ]);
  });

  it('refuses to run without DATABASE_URL', async () => {
    const { code, stderr } = await sightlineHere(['serve'], {});
    expect(code).toBe(1);
    expect(stderr).toContain('DATABASE_URL is not set');
  });
});
