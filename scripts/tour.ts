/** `npm run tour`: takes the screenshots in `docs/page/` of the page as `npm start` opens it, with the demo data. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launch, visit } from '../test/support/browser.ts';
import { go, settled, signIn } from '../test/support/page.ts';
import { UNHURRIED } from '../test/support/sightline.ts';

/** Bring a signed-in page into the state to capture. */
const SCENES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  overview: page => go(page, '#/'),
  csp: page => go(page, '#/csp'),
  async report(page) {
    await go(page, '#/csp/reports?period=7d&noise=hidden');
    await page.locator('.reports tbody a').first().click();
    await page.waitForURL(/\/reports\/[\w-]+/);
    await settled(page);
  },
};

/** Runs `npm start` with a separate data folder. */
async function start(directory: string) {
  // The longer timeouts keep views from failing on a busy machine.
  const env = { ...process.env, ...UNHURRIED, DATA_DIRECTORY: directory, PORT: '0' };
  const child = spawn(process.execPath, ['bin/sightline.js', 'dev'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', piece => {
    text += piece;
  });
  while (!text.includes('Ctrl-C ends it.')) await once(child.stdout, 'data');
  const url = /http:\/\/[^/\s]+/.exec(text)?.[0];
  const key = /svc_[dti]_\w+/.exec(text)?.[0];
  if (!url || !key) throw new Error(`"npm start" prints no address or no key:\n${text}`);
  return { child, url, key };
}

const directory = await mkdtemp(join(tmpdir(), 'sightline-tour-'));
const { child, url, key } = await start(directory);
const browser = await launch();
try {
  await using visitor = await visit(browser, { viewport: { width: 1280, height: 860 } });
  await signIn(visitor.page, url, key);
  for (const [name, show] of Object.entries(SCENES)) {
    const path = `docs/page/${name}.png`;
    await show(visitor.page);
    await visitor.page.screenshot({ path });
    process.stdout.write(`${path}\n`);
  }
} finally {
  await browser.close();
  child.kill('SIGINT');
  await once(child, 'exit');
  await rm(directory, { recursive: true, force: true });
}
