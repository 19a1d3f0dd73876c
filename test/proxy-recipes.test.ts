import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SessionDocument } from '../packages/web/src/app/browser/documents/documents.generated.ts';
import { readConfig } from '../src/config.ts';
import { readAccountMap } from '../src/pages/login/accounts.ts';
import { createProxyLogin } from '../src/pages/login/proxy-login.ts';
import { personal, plan, team } from './support/fixtures.ts';
import { freePort } from './support/network.ts';
import { hasProgram } from './support/programs.ts';
import { startService, type TestService } from './support/service.ts';
import { exitCode } from './support/sightline.ts';
import { until } from './support/until.ts';

const page = await readFile('docs/page.md', 'utf8');
const block = (language: string) =>
  new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)![1]!;

const SECRET = 'a'.repeat(64);
let service: TestService;
let folder: string;
let auth: Server;
const running: ChildProcess[] = [];

const getPort = (server: Server) => (server.address() as AddressInfo).port;
const listen = (server: Server) => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));

/** Stands in for oauth2-proxy and Authelia. The cookie identifies the user. */
function createAuth(): Server {
  return createServer(({ headers, url = '' }, response) => {
    const [, user, groups] = /person=([\w@.]+)(?:\/(\w+))?/.exec(headers.cookie ?? '') ?? [];
    const isCheck = /^\/(?:oauth2\/auth$|api\/authz\/forward-auth)/.test(url);
    if (!isCheck || !user) return void response.writeHead(isCheck ? 401 : 200).end('Sign in here');
    const names = ['X-Auth-Request-Email', 'Remote-User'].map((name): [string, string] => [name, user]);
    const all = ['X-Auth-Request-Groups', 'Remote-Groups'].map((name): [string, string] => [
      name,
      groups ?? '',
    ]);
    response.writeHead(200, Object.fromEntries([...names, ...(groups ? all : [])])).end();
  });
}

const here = (text: string) =>
  text
    .replaceAll('127.0.0.1:4000', new URL(service.url).host)
    .replace(/127\.0\.0\.1:(?:4180|9091)/g, `127.0.0.1:${getPort(auth)}`);

async function start(program: string, args: readonly string[], port: number, env = {}): Promise<string> {
  running.push(spawn(program, args, { stdio: 'ignore', env: { ...process.env, HOME: folder, ...env } }));
  const url = `http://127.0.0.1:${port}`;
  await until(() =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return url;
}

async function startNginx(): Promise<string> {
  const port = await freePort();
  await writeFile(join(folder, 'secret.conf'), `proxy_set_header X-Sightline-Proxy-Secret ${SECRET};\n`);
  const recipe = here(block('nginx')).replace(
    '/etc/nginx/sightline-secret.conf',
    join(folder, 'secret.conf'),
  );
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/${name};`,
  );
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}\n` +
      `http { access_log off; ${temporary.join(' ')} server { listen 127.0.0.1:${port};\n${recipe}} }\n`,
  );
  return start('nginx', ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], port);
}

async function startCaddy(): Promise<string> {
  const port = await freePort();
  const recipe = here(block('caddyfile')).replace('reports.example.com', `http://127.0.0.1:${port}`);
  await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${recipe}`);
  const args = ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
  return start('caddy', args, port, { SIGHTLINE_PROXY_SECRET: SECRET });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-test-proxies-'));
  await mkdir(join(folder, 'client_body'));
  await writeFile(join(folder, 'people.yaml'), block('yaml'));
  await writeFile(join(folder, 'secret'), SECRET);
  const settings = Object.fromEntries(
    [...block('sh').matchAll(/^(\w+)=(\S+)/gm)].map(([, name, value]) => [name!, value!]),
  );
  const { proxyLogin } = readConfig({
    ...settings,
    PAGE_LOGIN_SECRET_FILE: join(folder, 'secret'),
    PAGE_LOGIN_ACCOUNTS: join(folder, 'people.yaml'),
  });
  service = await startService({
    login: createProxyLogin(proxyLogin!, await readAccountMap(proxyLogin!.accountsFile)),
  });
  await service.load(team('acme'), plan('acme'), personal('shop'), plan('shop'));
  auth = createAuth();
  await listen(auth);
});
afterAll(async () => {
  for (const child of running) child.kill();
  await Promise.all(running.map(exitCode));
  auth.close();
  await service.close();
  await rm(folder, { recursive: true });
});

const RECIPES = [
  ['nginx and oauth2-proxy', hasProgram('nginx'), startNginx],
  ['Caddy and Authelia', hasProgram('caddy'), startCaddy],
] as const;

for (const [name, isThere, startProxy] of RECIPES)
  describe.skipIf(!isThere)(`the recipe for ${name}`, () => {
    let url: string;
    beforeAll(async () => {
      url = await startProxy();
    });
    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(url + path, { headers, redirect: 'manual' });
    const FORGED = { 'X-Forwarded-User': 'ann@acme.example', 'X-Forwarded-Groups': 'security' };

    it('identifies the user to the page, which can send queries', async () => {
      const cookie = 'person=ann@acme.example';
      const session = await (await get('/app/session', { cookie })).json();
      expect(session).toMatchObject({
        user: 'ann@acme.example',
        accounts: [{ id: 'acme' }],
        signOut: '/oauth2/sign_out',
      });
      const headers = { cookie, 'content-type': 'application/json' };
      const body = JSON.stringify({ query: String(SessionDocument) });
      const answer = await fetch(`${url}/app/graphql?account=acme`, { method: 'POST', headers, body });
      expect((await answer.json()).data.viewer.id).toBe('acme');
    });

    it('passes groups on', async () => {
      const session = await (await get('/app/session', { cookie: 'person=bob/security' })).json();
      expect(session.accounts.map(({ id }: { id: string }) => id)).toEqual(['acme', 'shop']);
    });

    it('rejects requests without a session, and ignores login headers from clients', async () => {
      for (const headers of [{}, FORGED, { ...FORGED, 'X-Sightline-Proxy-Secret': SECRET }])
        expect(await (await get('/app/session', headers)).text()).toContain('Sign in here');
      const forged = await get('/app/session', { ...FORGED, cookie: 'person=bob' });
      expect([forged.status, await forged.text()]).toEqual([
        403,
        expect.stringContaining('have no access to any account'),
      ]);
    });

    it('gives no access to routes that require a key', async () => {
      const cookie = 'person=ann@acme.example';
      for (const path of ['/v1/me', '/export/findings', '/graphql?query={viewer{id}}'])
        expect((await get(path, { cookie, ...FORGED })).status).toBe(401);
    });
  });
