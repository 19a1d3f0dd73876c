import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linesIn, post, startTarget, violation } from '../../packages/collector/test/collecting.ts';
import { freePort } from '../support/network.ts';
import { exitCode, type Outcome, sightline, sightlineHere, startSightline } from '../support/sightline.ts';
import { until } from '../support/until.ts';

let folder: string;
let env: Record<string, string>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-test-collect-'));
  env = {
    COLLECT_SPOOL: join(folder, 'spool'),
    COLLECT_TOKENS: join(folder, 'tokens.ndjson'),
    COLLECT_PORT: '0',
    COLLECT_CLIENT_RATE: '1000000',
  };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const here = (...args: string[]): Promise<Outcome> => sightlineHere(['collect', ...args], env);

/** Creates a token, and returns the path that contains it. */
async function token(...args: string[]): Promise<string> {
  const { stdout } = await here('token', 'create', '--account', 'acme', ...args);
  return new URL(stdout.trim()).pathname;
}

interface RunningCollector extends AsyncDisposable {
  child: ChildProcess;
  url: string;
}

async function start(more: Record<string, string> = {}): Promise<RunningCollector> {
  const child = startSightline(['collect'], { env: { ...env, ...more } });
  const lines = createInterface({ input: child.stdout! });
  const [first] = await once(lines, 'line');
  return {
    child,
    url: JSON.parse(first).url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exitCode(child);
    },
  };
}

describe('sightline collect', () => {
  it('writes all acknowledged reports before it exits on SIGTERM', { tags: 'slow' }, async () => {
    const to = await token();
    await using collector = await start();
    let [answered, refused] = [0, 0];
    const senders = Array.from({ length: 4 }, async () => {
      while (refused === 0) {
        const status = await post(collector.url + to, violation()).then(
          answer => answer.status,
          () => 0,
        );
        if (status === 204) answered++;
        else refused++;
      }
    });
    await until(() => answered > 50);
    collector.child.kill('SIGTERM');
    expect(await exitCode(collector.child)).toBe(0);
    await Promise.all(senders);
    const written = (await linesIn(env.COLLECT_SPOOL!)).length;
    // A report is sent again if it was stored but its response was aborted.
    expect(written).toBeGreaterThanOrEqual(answered);
    expect(written).toBeLessThanOrEqual(answered + 4);
  });

  it('keeps the reports of earlier seconds when it is killed, and can be restarted', {
    tags: 'slow',
  }, async () => {
    const to = await token();
    await using collector = await start();
    for (let time = 0; time < 20; time++) await post(collector.url + to, violation());
    await until(async () => (await linesIn(env.COLLECT_SPOOL!)).length === 20);
    for (let time = 0; time < 20; time++) await post(collector.url + to, violation());
    collector.child.kill('SIGKILL');
    await exitCode(collector.child);
    expect((await linesIn(env.COLLECT_SPOOL!)).length).toBeGreaterThanOrEqual(20);
    await using restarted = await start();
    await post(restarted.url + to, violation());
    const before = (await linesIn(env.COLLECT_SPOOL!)).length;
    await until(async () => (await linesIn(env.COLLECT_SPOOL!)).length > before);
  });

  it('counts the unknown types of the day across restarts', { tags: 'slow' }, async () => {
    const to = await token();
    const unknown = (n: number) => ({
      type: `invented-${n}`,
      age: 1,
      url: 'https://acme.example/',
      body: {},
    });
    const send = async (url: string, ...numbers: number[]) =>
      expect((await post(url + to, JSON.stringify(numbers.map(unknown)))).status).toBe(204);
    const stored = async () =>
      (await linesIn(env.COLLECT_SPOOL!)).flatMap(({ body }) => body ?? []).map(({ type }) => type);
    const fifty = Array.from({ length: 50 }, (_, n) => n);
    for (const [name, ...again] of [
      [50, 0],
      [51, 49],
    ]) {
      await using collector = await start();
      await send(collector.url, ...(name === 50 ? fifty : []), ...again);
      await send(collector.url, name!, ...again);
      collector.child.kill('SIGTERM');
      expect(await exitCode(collector.child)).toBe(0);
    }
    const names = [...fifty, 0, 0, 49, 49].map(n => `invented-${n}`);
    expect((await stored()).sort()).toEqual(names.sort());
  });

  it('serves metrics and health on a separate port', { tags: 'slow' }, async () => {
    const to = await token();
    const port = await freePort();
    await using collector = await start({ COLLECT_ADMIN_PORT: String(port) });
    await post(collector.url + to, violation());
    const admin = `http://127.0.0.1:${port}`;
    await until(async () =>
      (await (await fetch(`${admin}/metrics`)).text()).includes('acme",outcome="accepted"} 1'),
    );
    expect((await fetch(`${admin}/healthz`)).status).toBe(200);
    expect((await fetch(`${collector.url}/metrics`)).status).toBe(404);
  });

  it('closes its port and ends if the port of its metrics is in use', { tags: 'slow' }, async () => {
    await token();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stdout, stderr } = await sightline(['collect'], {
      env: { ...env, COLLECT_ADMIN_PORT: String(port) },
    });
    other.close();
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: `Port ${port} of 127.0.0.1 is in use: stop the process that listens there, or choose another port with COLLECT_ADMIN_PORT.\n`,
    });
  });

  it('requires tokens and explains how to create one', async () => {
    const { code, stderr } = await here();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/tokens cannot be read: create it with .*token create/),
    });
  });
});

describe('sightline collect token create', () => {
  it('prints the address once, with the public host', async () => {
    const { code, stdout } = await here(
      'token',
      'create',
      '--account',
      'acme',
      '--url',
      'https://r.example/',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^https:\/\/r\.example\/r\/[0-9A-Za-z]{22}\n$/);
    env.COLLECT_URL = 'https://reports.example';
    expect((await here('token', 'create', '--account', 'acme')).stdout).toMatch(
      /^https:\/\/reports\.example\/r\//,
    );
  });

  it.each([
    [2, 'an invalid sample rate', ['--account', 'acme', '--sample', 'csp']],
    [1, 'a sample rate above 100 %', ['--account', 'acme', '--sample', 'csp=200']],
    [1, 'an invalid host', ['--account', 'acme', '--host', 'https://acme.example']],
    [1, 'an account name that cannot be a folder', ['--account', '../acme']],
    [2, 'a missing account', []],
  ])('exits with %i for %s', async (code, _, args) => {
    expect((await here('token', 'create', ...args)).code).toBe(code);
  });
});

describe('sightline collect headers', () => {
  it('prints the headers for the address of the account, one per line', async () => {
    const path = await token('--host', 'acme.example');
    const url = `https://reports.example${path}`;
    const { code, stdout, stderr } = await here('headers', '--account', 'acme', '--url', url);
    expect(code).toBe(0);
    const names = stdout
      .trimEnd()
      .split('\n')
      .map(line => line.split(':')[0]);
    expect(names).toEqual([
      'Reporting-Endpoints',
      'Content-Security-Policy-Report-Only',
      'Content-Security-Policy',
      'Report-To',
      'NEL',
    ]);
    expect(stdout).toContain(`report-to csp; report-uri ${url}/enforce`);
    expect(stderr).not.toContain('on a host that it monitors');
    for (const [host, isMonitored] of [
      ['acme.example', true],
      ['r.acme.example', true],
      ['notacme.example', false],
      ['acme.example.net', false],
    ] as const) {
      const other = await here('headers', '--account', 'acme', '--url', `https://${host}${path}`);
      expect(other.stderr.includes('on a host that it monitors'), host).toBe(isMonitored);
    }
  });

  it('prints only report-uri for an address without TLS, and explains why', async () => {
    const url = `http://127.0.0.1:4010${await token()}`;
    const { code, stdout, stderr } = await here('headers', '--account', 'acme', '--url', url);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toEqual([
      `Content-Security-Policy-Report-Only: default-src 'self'; script-src 'self' 'report-sha256'; report-uri ${url}/report`,
      `Content-Security-Policy: default-src 'self'; report-uri ${url}/enforce`,
    ]);
    expect(stderr).toContain('Without TLS, browsers use only report-uri');
  });

  it('rejects an address with the token of another account', async () => {
    const url = `https://reports.example${await token()}`;
    expect(await here('headers', '--account', 'other', '--url', url)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'This is not an address of account other\n',
    });
  });
});

describe('sightline collect --forward', () => {
  it('forwards the reports of a host written in any case, and of its subdomains', {
    tags: 'slow',
  }, async () => {
    await using other = await startTarget();
    const path = await token();
    await using collector = await start({
      COLLECT_FORWARD_URL: other.url,
      COLLECT_FORWARD_HOSTS: 'Shop.EXAMPLE',
    });
    const pages = ['https://other.example/', 'https://shop.example/a', 'https://www.shop.example/b'];
    for (const page of pages)
      await post(`${collector.url}${path}/enforce`, violation({ 'document-uri': page }));
    await until(() => other.got.length >= 2);
    const forwarded = other.got.map(({ body }) => JSON.parse(body)['csp-report']['document-uri']);
    expect(forwarded.sort()).toEqual(pages.slice(1));
  });

  it.each([
    ['a password', 'https://user:secret@reports.example/r/x', 'without a key'],
    ['its own address', 'https://here.example/r/x', 'is that of this collector'],
    ['another protocol', 'ftp://reports.example/', '--forward'],
  ])('rejects an address with %s', async (_, url, message) => {
    await token();
    env.COLLECT_URL = 'https://here.example';
    const { code, stderr } = await here('--forward', url);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(message);
  });
});
