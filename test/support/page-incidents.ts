import { MS_PER_HOUR } from '@sightline/reports';
import type { Browser } from 'playwright-core';
import { Random } from '../../packages/demo/src/random.ts';
import { visit } from './browser.ts';
import { report } from './fixtures.ts';
import { settled, signIn, TODAY } from './page.ts';
import { listPlanted, ordinary, PLANTS, type PlantedIncident, stamp } from './planted.ts';
import type { TestService } from './service.ts';

/** Incidents planted in ordinary weeks must be found from the overview alone. */

/** Incidents as a security engineer sees them: a skimmer, a burst of spoofed mail, an outage, a deployment. */
const KINDS = ['skimmer', 'deploy', 'outage', 'spoofing'];
const NAMES = Object.keys(PLANTS);

/** The host or sender that the overview must show. */
const named = ({ subject }: PlantedIncident) => subject.split(' tcp.')[0]!;

/** Forged reports, each of a different host, within one hour of yesterday. */
function forged(account: string, count: number, random: Random) {
  const begin = Date.parse(TODAY) - 10 * MS_PER_HOUR;
  return Array.from({ length: count }, (_, at) =>
    report(account, 'csp', `forged-${at}`, {
      date: stamp(begin + Math.floor(random.next() * MS_PER_HOUR)),
      uri: 'https://www.example.com/',
      directive: 'script-src-elem',
      blockedUri: `https://x${random.hex(10)}.example.net/a.js`,
      browser: random.pick(['Chrome', 'Firefox', 'Safari']),
    }),
  );
}

interface Hunt {
  service: TestService;
  browser: Browser;
  seed: number;
  /** The number of ordinary reports and of forged ones. */
  reports: number;
  noise: number;
}

/** @returns the incidents that were not found, with the text of the overview */
export async function hunt({ service, browser, seed, reports, noise }: Hunt): Promise<string[]> {
  const account = `shop-${seed}-${noise}`;
  const incidents = listPlanted(account, TODAY, seed).filter((_, at) => KINDS.includes(NAMES[at]!));
  await service.load(
    ...ordinary(account, TODAY, seed, { days: 40, reports }),
    ...incidents.flatMap(({ lines }) => lines),
    ...forged(account, noise, new Random(seed, 'forged')),
  );
  await using visitor = await visit(browser);
  const { page, said } = visitor;
  await signIn(page, service.url, await service.key('personal', account));
  const missed: string[] = [];
  for (const incident of incidents) {
    await page.evaluate(() => {
      location.hash = '#/';
    });
    await page.getByRole('region', { name: 'Insights' }).waitFor();
    await settled(page);
    const insights = page.getByRole('region', { name: 'Insights' }).getByRole('listitem');
    const insight = insights.filter({ hasText: named(incident) }).first();
    if ((await insight.count()) === 0) {
      missed.push(`${incident.subject} is not among:\n${(await insights.allTextContents()).join('\n')}`);
      continue;
    }
    await insight.getByRole('link', { name: /^The reports/ }).click();
    await page.getByRole('region', { name: 'Reports', exact: true }).waitFor();
    await settled(page);
    const rows = await page.locator('.reports tbody tr').count();
    if (rows < incident.lines.length) missed.push(`${incident.subject} has ${rows} reports`);
  }
  return [...missed, ...said];
}
