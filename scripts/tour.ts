import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { findBrowser, launch, visit } from '../test/support/browser.ts';

const USAGE = `Takes pictures of the page, as "npm start" opens it on the demo data.

  npm run tour                    those of docs/page.md, into docs/page/
  npm run tour -- --all FOLDER    every view, 390 and 1280 px wide, light and dark
`;

const VIEWS: Readonly<Record<string, string>> = {
  overview: '#/',
  csp: '#/csp',
  'csp-without-noise': '#/csp?noise=hidden',
  reports: '#/csp/reports?period=7d',
  nel: '#/nel',
  dmarc: '#/dmarc',
  'tls-rpt': '#/tls_rpt',
  certificates: '#/certificate_transparency',
  crash: '#/crash',
  watches: '#/watches',
  policies: '#/policies',
  audit: '#/audit',
  setup: '#/setup',
};

/** In the documentation. */
const SHOWN = ['overview', 'csp', 'report'];

interface Picture {
  name: string;
  width: number;
  colorScheme: 'light' | 'dark';
}

function picturesOf(all: boolean): Picture[] {
  const names = [...Object.keys(VIEWS), 'report'];
  if (!all) return SHOWN.map(name => ({ name, width: 1280, colorScheme: 'light' }));
  const forms = [390, 1280].flatMap(width =>
    (['light', 'dark'] as const).map(colorScheme => ({ width, colorScheme })),
  );
  return forms.flatMap(form => names.map(name => ({ name, ...form })));
}

/** `npm start` on a folder of its own. */
async function start(directory: string) {
  const env = { ...process.env, DATA_DIRECTORY: directory, PORT: '0' };
  const child = spawn(process.execPath, ['bin/sightline.js', 'dev'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', piece => {
    text += piece;
  });
  while (!text.includes('Ctrl-C ends it.')) await once(child.stdout, 'data');
  const link = /http:\S+\/app#code=\S+/.exec(text)?.[0];
  if (!link) throw new Error(`"npm start" prints no link:\n${text}`);
  return { child, link };
}

async function settled(page: Page): Promise<void> {
  await page.evaluate(() => new Promise(done => setTimeout(done, 100)));
  await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' });
}

async function open(page: Page, name: string): Promise<void> {
  await page.evaluate(hash => {
    location.hash = hash;
  }, VIEWS[name] ?? VIEWS.reports!);
  await settled(page);
  if (name !== 'report') return;
  await page.locator('.reports tbody a').first().click();
  await settled(page);
}

const { all } = parseArgs({ options: { all: { type: 'string' } } }).values;
const chromium = findBrowser();
if (!chromium) {
  process.stderr.write(`${USAGE}\nNo Chromium is installed.\n`);
  process.exit(1);
}
const out = resolve(all ?? 'docs/page');
await mkdir(out, { recursive: true });
const directory = await mkdtemp(join(tmpdir(), 'sightline-tour-'));
const { child, link } = await start(directory);
const browser = await launch(chromium);
try {
  const { page } = await visit(browser);
  await page.goto(link);
  await page.locator('main h1').waitFor();
  for (const { name, width, colorScheme } of picturesOf(all !== undefined)) {
    await page.setViewportSize({ width, height: 860 });
    await page.emulateMedia({ colorScheme });
    await open(page, name);
    const file = all === undefined ? `${name}.png` : `${name}-${width}-${colorScheme}.png`;
    await page.screenshot({ path: join(out, file), fullPage: all !== undefined });
    process.stdout.write(`${join(out, file)}\n`);
  }
} finally {
  await browser.close();
  child.kill('SIGINT');
  await once(child, 'exit');
  await rm(directory, { recursive: true, force: true });
}
