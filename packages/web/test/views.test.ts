import { Kind, parse, print, visit } from 'graphql';
import { afterEach, expect, it } from 'vitest';
import { serveData, writeScenes } from '../../../test/support/page-data.ts';
import { toText } from '../../../test/support/page-text.ts';
import {
  openPage,
  type RenderedPage,
  restoreBrowser,
  serveMadeUp,
} from '../../../test/support/rendered-page.ts';
import { SCENES } from '../../../test/support/scenes/all.ts';
import { listMailPolicies } from '../../../test/support/scenes/mail.ts';
import { REPORT_TYPES } from '../src/app/browser/report-types.ts';

/**
 * Records what the page requests and shows at its addresses, for made-up answers. In the recorded files, lines of an earlier
 * address are only counted.
 */

afterEach(restoreBrowser);

const argumentsByQuery = new Map<string, readonly string[]>();

/** The fields and directives of a query that have arguments, by their place. */
function listArguments(query: string): readonly string[] {
  const existing = argumentsByQuery.get(query);
  if (existing) return existing;
  const lines: string[] = [];
  const place: string[] = [];
  const document = parse(query);
  visit(document, {
    enter(node) {
      if (node.kind === Kind.OPERATION_DEFINITION || node.kind === Kind.FRAGMENT_DEFINITION)
        place.push(node.name!.value);
      if (node.kind !== Kind.FIELD) return;
      place.push(node.alias?.value ?? node.name.value);
      const given = [...(node.arguments ?? []), ...(node.directives ?? [])].map(print);
      if (given.length > 0) lines.push(`  with ${place.join('.')}: ${given.join(', ')}`);
    },
    leave(node) {
      const kinds: string[] = [Kind.OPERATION_DEFINITION, Kind.FRAGMENT_DEFINITION, Kind.FIELD];
      if (kinds.includes(node.kind)) place.pop();
    },
  });
  argumentsByQuery.set(query, lines);
  return lines;
}

/** An address with the seed of its answers. */
type Visit = readonly [hash: string, seed?: number];

async function record(
  name: string,
  visits: readonly Visit[],
  props: object = {},
  longest = 1000,
): Promise<void> {
  const seen = new Set<string>();
  const blocks: string[] = [];
  for (const [hash, seed = 1] of visits) {
    const serve = serveMadeUp(seed);
    const given: string[] = [];
    const page = await openPage(
      hash,
      (query, variables) => {
        given.push(...listArguments(query));
        return serve(query, variables);
      },
      props,
    );
    const lines = writePage(page, given, seen).map(line => line.slice(0, longest));
    blocks.push([`=== ${hash} with answers ${seed}`, ...lines].join('\n'));
    page.close();
  }
  await expect(`${blocks.join('\n\n')}\n`).toMatchFileSnapshot(`./recorded/${name}.txt`);
}

function writePage(page: RenderedPage, given: readonly string[], seen: Set<string>): string[] {
  const lines: string[] = [];
  let alike = 0;
  const writeAlike = () => {
    if (alike > 0) lines.push(`(${alike} lines as before)`);
    alike = 0;
  };
  const asked = page.actions.map(action => `→ ${action}`);
  for (const line of [...asked, ...given, ...page.text().split('\n')]) {
    if (seen.has(line)) alike++;
    else {
      writeAlike();
      lines.push(line);
    }
    seen.add(line);
  }
  writeAlike();
  return lines;
}

it('the overview shows its answers as recorded', async () => {
  const seeds = Array.from({ length: 9 }, (_, at): Visit => ['#/', at + 1]);
  await record('overview', [
    ...seeds,
    ['#/?period=1d', 2],
    ['#/?unit=months&date=2026-02', 3],
    ['#/?from=2026-03-01&to=2026-03-01T10:30', 4],
    ['#/?from=2026-03-05&to=2026-03-01'],
    ['#/?account=acme', 5],
    ['#/nonsense'],
  ]);
});

it('the views of each report type show their answers as recorded', async () => {
  await record('types', [
    ...REPORT_TYPES.map(({ type }): Visit => [`#/${type}`]),
    ...['dmarc', 'tls_rpt'].flatMap(type => [3, 4, 5].map((seed): Visit => [`#/${type}?period=7d`, seed])),
    ['#/csp?compare=before&period=7d', 2],
    ['#/csp?compare=before&order=RISE&noise=hidden', 6],
    ['#/csp?split=by+directive&period=1d', 7],
    ['#/csp?unit=hours&date=2026-03-11T10&blockedHostnames=a.example&not.sourceClass=inline', 2],
    ['#/csp?hostnames=a.example&hostnames=b.example&domainReputationScore=7&ioc=true', 6],
    ['#/dmarc?sourceNetwork=192.0.2.0%2F24&aligned=false&order=KEY', 2],
    ['#/dmarc?period=90d&compare=before', 6],
    ['#/certificate_transparency?unit=months&date=2026-01', 7],
    ['#/csp?domainReputationScore=101&order=x&noise=y&nonsense=z&sourceClass=q&period=2d'],
  ]);
});

it('the lists of reports and single reports are shown as recorded', async () => {
  const record1 = 'record-1';
  await record('reports', [
    ...REPORT_TYPES.flatMap(({ type }): Visit[] => [
      [`#/${type}/reports`, 2],
      [`#/${type}/reports/${record1}`, 3],
    ]),
    ...['uri', '-blockedUri', 'count', '-count', 'date', 'nonsense'].map(
      (sort): Visit => [`#/csp/reports?sort=${sort}&noise=hidden`, 3],
    ),
    ...[1, 4, 5, 6].map((seed): Visit => [`#/csp/reports?period=90d&directive=x&browser=y`, seed]),
    ['#/csp/reports?period=90d', 1],
    ['#/csp/reports?paths=%2Fa&not.hostnames=b', 4],
    [`#/csp/reports/${record1}`, 4],
    [`#/nel/reports/${record1}`, 5],
  ]);
});

it('the other views show their answers as recorded', async () => {
  const policy = encodeURIComponent("default-src 'self'");
  const seeds = [1, 2, 3, 4, 5];
  const views = ['watches', 'policies', 'audit', 'setup'].flatMap(name =>
    seeds.map((seed): Visit => [`#/${name}`, seed]),
  );
  const searches = ['', 'shop', '*shop*', '/cart', '192.0.2.1', '2001:db8::1', 'sha256-abc=', 'two words'];
  await record('other-views', [
    ...views,
    ['#/audit?event=loginFailed&actor=ann%40acme.example&cursor=c1', 3],
    ...seeds.map(
      (seed): Visit => [`#/try-policy?site=shop.example&policy=${policy}&add=img-src+data:`, seed],
    ),
    ['#/try-policy'],
    ...seeds.map(
      (seed): Visit => [`#/mail-policy?domain=shop.example&policy=v%3DDMARC1%3B+p%3Dreject`, seed],
    ),
    ['#/mail-policy?period=7d', 2],
    ['#/mail-policy?period=7x', 2],
    ...searches.map((text): Visit => [`#/search?q=${encodeURIComponent(text)}`, 3]),
    ['#/search?q=https%3A%2F%2FCdn.example%2Fx', 4],
    ['#/search?q=0A1B2C3D-0000-4000-8000-00000000000A', 5],
  ]);
});

it('views of long lists show as much as recorded', async () => {
  await record(
    'long-lists',
    [
      ['#/', 101],
      ['#/dmarc?period=7d', 101],
      ['#/csp?split=by+directive&period=24h', 102],
      ['#/watches', 101],
      [`#/try-policy?site=shop.example&policy=${encodeURIComponent("default-src 'self'")}`, 101],
    ],
    {},
    110,
  );
});

it('internal tokens choose an account, as recorded', async () => {
  await record(
    'accounts',
    [
      ['#/', 1],
      ['#/?after=c1', 2],
      ['#/?after=c1', 3],
      ['#/?account=other', 4],
    ],
    { viewer: null },
  );
});

it.each(Object.entries(SCENES))('the view of %s shows each case as recorded', async (name, listScenes) => {
  await expect(await writeScenes(listScenes())).toMatchFileSnapshot(
    `./recorded/cases/${name.replace(' ', '-')}.txt`,
  );
});

it.each([
  ['#/mail-policy', '', ['reject', '', '', '', '', ''], 'v=DMARC1; p=reject'],
  [
    '#/mail-policy?policy=p%3DNone%3B+sp%3Dodd%3B+adkim%3DS%3B+t%3Dy&domain=a.example',
    'a.example',
    ['none', '', '', 's', '', 'y'],
    'p=None; sp=odd; adkim=S; t=y',
  ],
  ['#/try-policy', '', [''], "default-src 'self'"],
  ['#/try-policy?site=a.example&policy=x', 'a.example', [''], 'x'],
])('the form at %s contains what the address says', async (hash, name, choices, policy) => {
  const policies = [{ policyId: 'p1', name: 'Saved', policy: 'img-src a.example' }];
  const page = await openPage(hash, serveData({ Sites: { account: { sites: null, policies } } }));
  const [form] = page.root.findAll(one => one.attributes.get('class') === 'panel wide question');
  const listValues = (element: string) =>
    form!.findAll(one => one.localName === element).map(({ value }) => value);
  expect([listValues('input'), listValues('select'), listValues('textarea')]).toEqual([
    [name],
    choices,
    [policy],
  ]);
});

it('the effect on mail is emphasized only for senders to repair', async () => {
  const [scene] = listMailPolicies().filter(({ title }) => title === 'senders of each kind');
  const page = await openPage(scene!.hash, serveData(scene!.data));
  const tables = page.root.findAll(one => one.localName === 'table').slice(0, 2);
  const emphasized = tables.map(table => table.findAll(one => one.localName === 'strong').map(toText));
  expect(emphasized).toEqual([['7', '3'], []]);
});
