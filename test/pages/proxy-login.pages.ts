import { mkdirSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, BlockList } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProxyLogin } from '../../src/pages/login/proxy-login.ts';
import { axeFindings } from '../support/axe.ts';
import { sharedBrowser, sharedVisitor } from '../support/browser.ts';
import { personal, plan, report, team } from '../support/fixtures.ts';
import { HOSTILE, settled, TODAY } from '../support/page.ts';
import { startService, type TestService } from '../support/service.ts';

const SECRET = 'a-secret-of-thirty-two-characters-or-more';

let service: TestService;
let proxy: Server;
let url: string;
/** The user that the proxy authenticates; empty if nobody is signed in. */
let user = 'ann@acme.example';
const requested: string[] = [];

beforeAll(async () => {
  const peers = new BlockList();
  peers.addAddress('127.0.0.1');
  const config = {
    peers,
    secret: SECRET,
    userHeader: 'x-forwarded-user',
    groupsHeader: 'x-forwarded-groups',
    accountsFile: '',
    signOut: '/signed-out',
  };
  const login = createProxyLogin(config, {
    listAccounts: name => (name.startsWith('ann') ? ['ada', 'acme'] : ['ada']),
  });
  service = await startService({ login });
  await service.load(
    personal('ada'),
    plan('ada'),
    team('acme'),
    plan('acme'),
    report('ada', 'csp', 'one', {
      date: `${TODAY}T00:00:00Z`,
      blockedUri: `https://hostile.example/${HOSTILE}`,
    }),
  );
  proxy = createServer((incoming, response) => {
    requested.push(incoming.url!);
    if (incoming.url === '/signed-out') return void response.end('Signed out');
    const named = user ? { 'x-sightline-proxy-secret': SECRET, 'x-forwarded-user': user } : {};
    const headers = { ...incoming.headers, ...named };
    const onward = request(service.url + incoming.url, { method: incoming.method, headers }, answer => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  });
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await service.close();
});

describe('the web app behind an authenticating proxy', () => {
  const visitor = sharedVisitor(sharedBrowser(), async ({ page }) => {
    await page.goto(`${url}/app`);
  });

  it('lets a user with several accounts choose, and shows who is signed in', async () => {
    const { page } = visitor();
    await page.getByText('Signed in as ann@acme.example').waitFor();
    await page.getByRole('button').first().click();
    await settled(page);
    expect(await page.locator('header.top').textContent()).toContain('Signed in as ann@acme.example');
  });

  it('shows every view without a key, and offers no downloads', async () => {
    const { page } = visitor();
    for (const place of [
      '',
      'csp',
      'csp/reports',
      'watches',
      'policies',
      'try-policy',
      'mail-policy',
      'audit',
      'setup',
      'search',
    ]) {
      await page.goto(`${url}/app#/${place}`);
      await settled(page);
      expect(await page.locator('main').textContent()).not.toMatch(
        /documents of the page|The service (?:failed|answered)|cannot be reached/,
      );
      expect(await page.getByText(/Download (?:all|the whole)/).count()).toBe(0);
    }
    expect(requested.filter(path => /^\/(?:graphql|export|v1)/.test(path))).toEqual([]);
  });

  it('has no axe-core findings at two widths', async () => {
    const { page } = visitor();
    await page.goto(`${url}/app#/`);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await settled(page);
      if (process.env.SCREENSHOTS) {
        mkdirSync(process.env.SCREENSHOTS, { recursive: true });
        await page.screenshot({ path: join(process.env.SCREENSHOTS, `proxied-${width}.png`) });
      }
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
  });

  it('opens the only account of a user, and keeps it after a reload', async () => {
    const { page } = visitor();
    user = 'bob';
    await page.evaluate('sessionStorage.clear()');
    for (const _ of [1, 2]) {
      await page.reload();
      await page.getByText('Signed in as bob').waitFor();
      await settled(page);
    }
    expect(await page.getByRole('button', { name: 'Other account' }).count()).toBe(0);
  });

  it('asks for a reload when the session has ended', async () => {
    const { page } = visitor();
    user = '';
    await page.reload();
    await page.getByText('Load the page again').waitFor();
  });

  it('signs out at the proxy', async () => {
    const { page } = visitor();
    user = 'bob';
    await page.reload();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Signed out').waitFor();
    expect(page.url()).toBe(`${url}/signed-out`);
  });
});
