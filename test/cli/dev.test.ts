import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findEmbedded } from '@sightline/embedded';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { IN_EARNEST } from '../faults/scale.ts';
import { freshCluster } from '../support/cluster.ts';
import { createDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { freePort } from '../support/network.ts';
import { exitCode, type Outcome, program, sightlineHere, startSightline } from '../support/sightline.ts';
import { until } from '../support/until.ts';

const shell = promisify(execFile);

/** In test:faults, all reports of the demo. Loading them takes most of the processor time of a first start. */
const DEMO = IN_EARNEST ? [] : ['--reports', '500'];

interface RunningService {
  child: ChildProcess;
  url: string;
  /** All output so far. */
  greeting: string;
}

let folder: string;
/** With a space and a quote, which occur in real paths. */
let directory: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  folder = makeFolder();
  directory = join(folder, "Ada's data");
  // In npm test, only the tests of the embedded database create clusters from scratch.
  if (!IN_EARNEST) await freshCluster(directory);
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await until(() => !findEmbedded(directory));
  rmSync(folder, { recursive: true, force: true });
});

/** Resolves once the instructions for stopping it, its last message, have been printed. */
async function start(env: Record<string, string> = {}, ...options: string[]): Promise<RunningService> {
  const child = startSightline(['dev', ...options], {
    env: { DATA_DIRECTORY: directory, PORT: '0', ...env },
  });
  children.push(child);
  let greeting = '';
  child.stdout!.setEncoding('utf8').on('data', text => {
    greeting += text;
  });
  while (!greeting.includes('Ctrl-C ends it.')) await once(child.stdout!, 'data');
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(greeting) ?? [];
  return { child, url, greeting };
}

/** Runs the printed curl command in a shell and returns its output. */
async function paste({ greeting }: RunningService): Promise<unknown> {
  const [line = ''] = /^ {2}curl .*$/m.exec(greeting) ?? [];
  const { stdout } = await shell('sh', ['-c', line]);
  return JSON.parse(stdout);
}

function keysIn(text: string): string[] {
  return text.match(/svc_[dti]_\w+/g) ?? [];
}

function keys(...args: string[]): Promise<Outcome> {
  return sightlineHere(['keys', ...args], { DATA_DIRECTORY: directory });
}

/** A data folder that is used from the first start to the third. */
describe('npm start', () => {
  let running: RunningService;
  let made: string[];

  it('prints the keys, the addresses and a working curl command at the first start', async () => {
    running = await start({}, ...DEMO);
    made = [...new Set(keysIn(running.greeting))];
    expect(made.map(key => key.slice(0, 6))).toEqual(['svc_d_', 'svc_t_', 'svc_i_']);
    expect(running.greeting).toContain(`${running.url}/docs`);
    expect(running.greeting).toContain(`${running.url}/graphql`);
    expect(await paste(running)).toHaveProperty('teamName');
  });

  it('loads the requested number of reports', async () => {
    const headers = { Authorization: `Bearer ${made[0]}` };
    const { length } = (await (await fetch(`${running.url}/export/reports/csp`, { headers })).text()).split(
      '\n',
    );
    expect(length).toBeGreaterThan(IN_EARNEST ? 2000 : 20);
    expect(length).toBeLessThan(IN_EARNEST ? 20_000 : 500);
  });

  it('stores its keys in a private file', () => {
    const file = join(directory, 'demo-keys.env');
    expect(running.greeting).toContain(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(keysIn(readFileSync(file, 'utf8'))).toEqual(made);
  });

  it('lets the operator use its database while it runs', async () => {
    const { code, stdout } = await keys('create', '--account', 'demo-team');
    expect(code).toBe(0);
    const headers = { Authorization: `Bearer ${stdout.trim()}` };
    for (const path of ['/v1/team', '/graphql?query={__typename}'])
      expect((await fetch(running.url + path, { headers })).status).toBe(200);
  });

  it('shuts down completely on Ctrl-C, even if that is pressed twice', async () => {
    running.child.kill('SIGINT');
    running.child.kill('SIGINT');
    expect(await exitCode(running.child)).toBe(0);
    expect(findEmbedded(directory)).toBeUndefined();
  });

  it('lets the operator use its database while it is stopped', async () => {
    const { code, stdout, stderr } = await keys('list', '--account', 'demo-team');
    expect({ code, stderr }).toEqual({ code: 0, stderr: `Using the embedded database in ${directory}\n` });
    expect(stdout.trim().split('\n')).toHaveLength(3);
    expect(findEmbedded(directory)).toBeUndefined();
  });

  // Every start after the first takes half the processor time.
  it.runIf(IN_EARNEST)('starts again with the same data and keys, without printing the keys', async () => {
    running = await start({ WEB_CONCURRENCY: '2' });
    expect(keysIn(running.greeting)).toEqual([]);
    expect(await paste(running)).toHaveProperty('teamName');
    const headers = { Authorization: `Bearer ${made[0]}` };
    expect((await fetch(`${running.url}/v1/me`, { headers })).status).toBe(200);
  });

  it.runIf(IN_EARNEST)(
    'serves with several processes from one database, which stops after them',
    async () => {
      await until(async () => (await fetch(`${running.url}/readyz`)).status === 200);
      const redeem = async (code: string) => {
        // On a new connection, which any of the processes can accept.
        const init = { method: 'POST', body: JSON.stringify({ code }), headers: { connection: 'close' } };
        const answer = await fetch(`${running.url}/app/sign-in`, init);
        return [answer.status, ((await answer.json()) as { key?: string }).key];
      };
      const [, code = ''] = /\/app#code=(\S+)/.exec(running.greeting) ?? [];
      expect(await redeem('nonsense')).toEqual([404, undefined]);
      expect(await redeem('x'.repeat(10_000))).toEqual([404, undefined]);
      expect(await redeem(code)).toEqual([200, made[0]]);
      for (let time = 0; time < 4; time++) expect(await redeem(code)).toEqual([404, undefined]);
      running.child.kill('SIGINT');
      expect(await exitCode(running.child)).toBe(0);
      expect(findEmbedded(directory)).toBeUndefined();
    },
  );
});

/** A data folder without the demo, used for the first and second start. */
describe('npm start -- --empty --collect', () => {
  let own: Record<string, string>;
  let running: RunningService;
  let key: string;
  let address: string;
  beforeAll(async () => {
    own = { DATA_DIRECTORY: join(folder, 'own'), COLLECT_PORT: '0' };
    await freshCluster(own.DATA_DIRECTORY!);
    running = await start(own, '--empty', '--collect');
    address = getCollector(running);
  });

  const getCollector = ({ greeting }: RunningService) => /Browsers report to (http\S+)/.exec(greeting)![1]!;
  const get = async (path: string) =>
    (await fetch(running.url + path, { headers: { Authorization: `Bearer ${key}` } })).json();

  it('creates one account with a key and no reports', async () => {
    const { greeting } = running;
    const keys = [...new Set(keysIn(greeting))];
    expect(keys).toHaveLength(1);
    key = keys[0]!;
    expect(greeting).toContain('npx sightline import --account own ~/Maildir');
    expect(greeting).toMatch(/\/app#code=\S+ {2}\(signs in once\)/);
    expect(await get('/v1/team')).toMatchObject({ teamName: 'own' });
    expect(await get('/v1/quota')).toMatchObject({ used: 0 });
    const file = join(own.DATA_DIRECTORY!, 'own-key.env');
    expect([statSync(file).mode & 0o777, readFileSync(file, 'utf8')]).toEqual([0o600, `OWN_KEY=${key}\n`]);
  });

  it('makes a browser report available through /v1', async () => {
    expect(running.greeting).toContain(`npx sightline collect headers --account own --url ${address}`);
    expect(await get('/v1/setup')).toMatchObject({ reportUri: { enforce: `${address}/enforce` } });
    const body = {
      'csp-report': { 'document-uri': 'https://own.example/', 'effective-directive': 'img-src' },
    };
    const { status } = await fetch(address, { method: 'POST', body: JSON.stringify(body) });
    expect(status).toBe(204);
    const today = new Date().toISOString().slice(0, 10);
    await until(async () => (await get(`/v1/reports/csp?unit=days&date=${today}`)).reports.length === 1, 200);
  });

  it.runIf(IN_EARNEST)('starts again with the same account, key and address', async () => {
    running.child.kill('SIGINT');
    expect(await exitCode(running.child)).toBe(0);
    // Without the option as well: the demo is never loaded into a database that has an account.
    running = await start(own, '--collect');
    expect(keysIn(running.greeting)).toEqual([]);
    expect(running.greeting).toContain(`The key is in ${join(own.DATA_DIRECTORY!, 'own-key.env')}`);
    expect(running.greeting).toMatch(/\/app#code=\S+ {2}\(signs in once\)/);
    expect(await get('/v1/me')).toMatchObject({ type: 'team', teamId: 'own' });
    expect(new URL(getCollector(running)).pathname).toBe(new URL(address).pathname);
  });

  it('stops its collector and database when it is killed', async () => {
    running.child.kill('SIGKILL');
    await until(() => !findEmbedded(own.DATA_DIRECTORY!));
    const restarted = getCollector(running);
    await until(() => expect(fetch(restarted)).rejects.toThrow('fetch failed'), 100);
  });
});

describe('npm start -- --empty', () => {
  it('refuses a database with other accounts', async () => {
    const env = { PORT: '0', DATA_DIRECTORY: directory };
    const { code, stderr } = await sightlineHere(['dev', '--empty'], env);
    expect(stderr).toContain('The database already has accounts, but none is "own"');
    expect(code).toBe(1);
  });
});

describe('npm start on a taken port', () => {
  it('reports the conflict before it creates anything', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const untouched = join(folder, 'untouched');
    const outcome = await sightlineHere(['dev'], { PORT: String(port), DATA_DIRECTORY: untouched });
    other.close();
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is in use: .*\n$`));
    expect(existsSync(untouched)).toBe(false);
  });

  it('closes the port of the service if that of its collector is taken', { tags: 'slow' }, async () => {
    const database = await createDatabase();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const COLLECT_PORT = String((other.address() as AddressInfo).port);
    const PORT = String(await freePort());
    vi.spyOn(process, 'argv', 'get').mockReturnValue([process.execPath, program()]);
    const env = { DATABASE_URL: database.url, DATA_DIRECTORY: join(folder, 'taken'), PORT, COLLECT_PORT };
    const outcome = await sightlineHere(['dev', '--empty', '--collect'], env);
    vi.restoreAllMocks();
    other.close();
    await expect(fetch(`http://127.0.0.1:${PORT}/healthz`)).rejects.toThrow('fetch failed');
    await database.drop();
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(
      /^Port \d+ of .* is in use: .* choose another port with COLLECT_PORT\.\n$/,
    );
  });
});
