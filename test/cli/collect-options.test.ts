import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandFailed } from '@sightline/tools';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startCollecting } from '../../src/cli/dev-collect.ts';
import { freePort } from '../support/network.ts';
import { sightlineHere } from '../support/sightline.ts';

/** Options, settings and files of `collect`. Its port is in use, so that a valid start ends with that error. */

let folder: string;
let server: Server;
let port: number;
let env: Record<string, string>;
const file = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-test-collect-options-'));
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  await sightlineHere(['collect', 'token', 'create', '--account', 'acme'], {
    COLLECT_TOKENS: file('tokens'),
  });
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  env = {
    COLLECT_SPOOL: file('spool'),
    COLLECT_TOKENS: file('tokens'),
    COLLECT_PORT: String(port),
    LOG_LEVEL: 'silent',
  };
});

const STARTED = /^Port \d+ of 127\.0\.0\.1 is in use: .* choose another port with COLLECT_PORT\.\n$/;

async function outcome(args: readonly string[] = [], more: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await sightlineHere(['collect', ...args], { ...env, ...more });
  expect([code, stdout]).toEqual([1, '']);
  return STARTED.test(stderr) ? 'started' : stderr.replaceAll(`${folder}/`, '').trimEnd();
}

it.each([
  ['acme svc_t_1', 'started'],
  ['', 'started'],
  ['\n  acme \t svc_d_1  \r\n\nother svc_t_2\n\n', 'started'],
  ['acme svc_t_1\n\nother\n', 'Line 3 of COLLECT_FILTERS_KEYS is not an account and a key'],
  ['acme svc_i_1\n', 'Line 1 of COLLECT_FILTERS_KEYS is not an account and a key'],
  ['acme svc_t_', 'Line 1 of COLLECT_FILTERS_KEYS is not an account and a key'],
  ['svc_t_1', 'Line 1 of COLLECT_FILTERS_KEYS is not an account and a key'],
  ['acme svc_t_1 more', 'Line 1 of COLLECT_FILTERS_KEYS is not an account and a key'],
  [undefined, "COLLECT_FILTERS_KEYS cannot be read: ENOENT: no such file or directory, open 'keys'"],
])('the keys for filters %j: %s', async (content, expected) => {
  rmSync(file('keys'), { force: true });
  if (content !== undefined) writeFileSync(file('keys'), content);
  const away = `http://127.0.0.1:${await freePort()}`;
  const settings = { COLLECT_FILTERS_URL: away, COLLECT_FILTERS_KEYS: file('keys') };
  expect(await outcome([], settings)).toBe(expected);
  // Without both settings, no filters are requested.
  expect(await outcome([], { COLLECT_FILTERS_KEYS: file('keys') })).toBe('started');
});

const OWN = 'The address to forward to is that of this collector: use another one';
const SECRET = 'The address to forward to cannot have a user or a password';

it.each<[args: string[], settings: Record<string, string>, expected: string]>([
  [[], { COLLECT_FORWARD_URL: 'https://user@reports.example/r/x' }, SECRET],
  [[], { COLLECT_FORWARD_URL: 'https://:secret@reports.example' }, SECRET],
  [[], { COLLECT_FORWARD_URL: 'https://reports.example/r/x@y' }, 'started'],
  [[], { COLLECT_FORWARD_URL: 'https://here.example/r/x', COLLECT_URL: 'https://here.example/' }, OWN],
  [[], { COLLECT_FORWARD_URL: 'https://here.example/r/x' }, 'started'],
  [['--forward', 'https://here.example'], { COLLECT_URL: 'https://here.example' }, OWN],
  [['--forward', 'https://here.example.net/'], { COLLECT_URL: 'https://here.example' }, 'started'],
  [
    ['--forward', 'https://other.example/r/x'],
    { COLLECT_URL: 'https://here.example', COLLECT_FORWARD_URL: 'https://here.example/r/x' },
    'started',
  ],
])('forwarding with %j and %j: %s', async (args, settings, expected) => {
  expect(await outcome(args, settings)).toBe(expected);
});

it('options take precedence over settings', async () => {
  const [free, admin] = [await freePort(), await freePort()].map(String);
  const options = ['--spool', file('other-spool'), '--tokens', file('tokens')];
  expect(await outcome(options, { COLLECT_TOKENS: file('nowhere') })).toBe('started');
  expect(existsSync(file('other-spool'))).toBe(true);
  expect(await outcome(['--port', String(port)], { COLLECT_PORT: free! })).toBe('started');
  const taken = ['--port', free!, '--admin-port', String(port)];
  expect(await outcome(taken, { COLLECT_ADMIN_PORT: admin! })).toMatch(
    new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is in use: .* with COLLECT_ADMIN_PORT\\.$`),
  );
  expect(await outcome(['--host', '256.0.0.1'])).toMatch(/^256\.0\.0\.1 is not an address of this machine/);
});

describe('new tokens', () => {
  const create = async (...args: string[]) => {
    const { code, stdout, stderr } = await sightlineHere(['collect', 'token', 'create', ...args], env);
    expect(code).toBe(0);
    return { address: stdout.trim().replace(/\w{22}$/, 'TOKEN'), stderr };
  };
  const stored = (name: string) =>
    readFileSync(file(name), 'utf8')
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
      .map(({ account, hosts, sampling }) => ({ account, hosts, sampling }));

  it('are appended to the file, which only its owner can read', async () => {
    const tokens = ['--tokens', file('new-tokens')];
    expect(await create('--account', 'acme', ...tokens)).toEqual({
      address: `http://127.0.0.1:${port}/r/TOKEN`,
      stderr: 'Created an address for account acme. It is shown only once:\n',
    });
    const hosts = ['--host', 'A.example', 'b.example'];
    const sample = ['--sample', 'nel=10', 'csp=100', '--sample', 'nel=1'];
    await create('--account', 'other', ...tokens, ...hosts, ...sample);
    expect(stored('new-tokens')).toEqual([
      { account: 'acme', hosts: [], sampling: {} },
      { account: 'other', hosts: ['a.example', 'b.example'], sampling: { nel: 1, csp: 100 } },
    ]);
    expect(statSync(file('new-tokens')).mode & 0o777).toBe(0o600);
    expect(stored('tokens')).toHaveLength(1);
  });

  it.each<[settings: Record<string, string>, args: string[], address: string]>([
    [{ COLLECT_HOST: '0.0.0.0', COLLECT_PORT: '4010' }, [], 'http://127.0.0.1:4010/r/TOKEN'],
    [{ COLLECT_HOST: '::', COLLECT_PORT: '4010' }, [], 'http://[::1]:4010/r/TOKEN'],
    [{ COLLECT_URL: 'https://r.example/under//' }, [], 'https://r.example/under/r/TOKEN'],
    [{ COLLECT_URL: 'https://r.example' }, ['--url', 'https://s.example//'], 'https://s.example/r/TOKEN'],
  ])('have the address of browsers: %j %j', async (settings, args, address) => {
    Object.assign(env, settings, { COLLECT_TOKENS: file('addresses') });
    expect((await create('--account', 'acme', ...args)).address).toBe(address);
  });
});

it.each([
  ['/r/TOKEN', true],
  ['/r/TOKEN/', true],
  ['/r/TOKEN/enforce', false],
  ['/under/r/TOKEN', false],
  ['/r/', false],
  ['/r/AAAAAAAAAAAAAAAAAAAAAA', false],
])('the headers are printed for an address with the path %s: %s', async (path, isFound) => {
  const created = await sightlineHere(['collect', 'token', 'create', '--account', 'acme'], env);
  const token = created.stdout.trim().split('/').at(-1)!;
  const url = `https://r.example${path.replace('TOKEN', token)}`;
  const { code, stdout, stderr } = await sightlineHere(
    ['collect', 'headers', '--account', 'acme', '--url', url],
    env,
  );
  expect([code, stdout === '']).toEqual(isFound ? [0, false] : [1, true]);
  if (!isFound) expect(stderr).toBe('This is not an address of account acme\n');
});

it('a collector of "sightline dev" that ends without a word is reported, and keeps its token', async () => {
  const [, program] = process.argv;
  const script = file('ends.cjs');
  writeFileSync(script, 'process.exit(1);');
  process.argv[1] = script;
  const dataDirectory = file('data');
  const collect = { host: '127.0.0.1', port, proxies: '127.0.0.1' };
  const start = () =>
    startCollecting({ dataDirectory, collect } as never, 'postgres://nobody@127.0.0.1:1/nothing', 'acme');
  try {
    await expect(start()).rejects.toThrow(new CommandFailed('The collector has ended'));
    const tokens = () => readFileSync(join(dataDirectory, 'collect-tokens.ndjson'), 'utf8');
    const before = tokens();
    await expect(start()).rejects.toThrow('The collector has ended');
    expect(tokens()).toBe(before);
  } finally {
    process.argv[1] = program!;
  }
});

it('the collector starts with the settings, and with the filters and quotas of accounts', async () => {
  let given: Record<string, unknown> = {};
  vi.doMock('@sightline/collector', async original => ({
    ...(await original<object>()),
    startCollector: async (settings: typeof given) => {
      given = settings;
      throw Object.assign(new Error('not started'), { code: 'ETEST' });
    },
  }));
  const off = { browserExtensions: false, unactionableReports: false, inlineEval: false };
  const filters = {
    global: { sites: [], removeReferrer: false, removeQueryString: false },
    advanced: { ...off, blockedHosts: [], blockedSchemes: [], pagePaths: [] },
    samplingRates: { csp: 5 },
  };
  const asked: unknown[] = [];
  const answer: RequestListener = ({ url, headers }, response) => {
    asked.push([url, headers.authorization]);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(url === '/v1/filters' ? filters : { used: 1, limit: 2 }));
  };
  server.on('request', answer);
  writeFileSync(file('keys'), 'acme svc_t_1\n');
  const own = {
    COLLECT_FORWARD_URL: 'https://here.example/r/x',
    COLLECT_FORWARD_HOSTS: 'C.example, d.example',
  };
  try {
    const url = `http://127.0.0.1:${port}`;
    const settings = { COLLECT_FILTERS_URL: url, COLLECT_FILTERS_KEYS: file('keys'), ...own };
    const options = ['--forward', 'https://other.example/r/x', '--forward-host', 'Shop.EXAMPLE', 'b.example'];
    expect(await outcome(options, { ...settings, COLLECT_PROXIES: '10.0.0.0/8' })).toBe('not started');
    expect(given.forward).toEqual({ url: 'https://other.example/r/x', hosts: ['shop.example', 'b.example'] });
    const proxies = given.proxies as BlockList;
    expect(['10.1.2.3', '11.1.2.3', '127.0.0.1'].map(one => proxies.check(one))).toEqual([
      true,
      false,
      false,
    ]);
    const { ask, listFilters, findQuota } = given as Record<string, (account?: string) => unknown>;
    await ask!();
    expect(asked).toEqual(['/v1/filters', '/v1/quota'].map(path => [path, 'Bearer svc_t_1']));
    expect(listFilters!('acme')).toMatchObject({ sampling: { csp: 5 } });
    expect(findQuota!('acme')).toMatchObject({ used: 1, limit: 2 });
    expect(await outcome([], own)).toBe('not started');
    expect(given.forward).toEqual({ url: own.COLLECT_FORWARD_URL, hosts: ['c.example', 'd.example'] });
    expect(await outcome()).toBe('not started');
    expect([given.forward, given.listFilters, given.findQuota, given.ask]).toEqual(Array(4).fill(undefined));
  } finally {
    server.off('request', answer);
    vi.doUnmock('@sightline/collector');
  }
});
