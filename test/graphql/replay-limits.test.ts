import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyReport } from '../support/copied-reports.ts';
import { NOW, open, personal, plan, report } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { startService, type TestService } from '../support/service.ts';

/** The maximum number of combinations that a replay examines, and the number that the reports of a test exceed it by. */
const EXAMINED = 20_000;
const BEYOND = 3;
/** The counts of the most frequent combination and of each other one. */
const [FREQUENT, RARE] = [50, 2];

const COUNTS = { examined: FREQUENT + (EXAMINED - 1) * RARE, beyond: BEYOND * RARE };

let service: TestService;
beforeAll(async () => {
  service = await startService({ now: NOW });
});
afterAll(() => service.close());

/** The fields of a report by type, and the columns that make the combination of values of each copy unique. */
const COMBINATIONS = {
  csp: {
    fields: {
      uri: 'https://shop.example/cart',
      directive: 'script-src-elem',
      blockedUri: 'https://cdn.example/x.js',
    },
    columns: {
      blocked_uri: `'https://cdn-' || n || '.example/x.js'`,
      blocked_host_reversed: `reverse('cdn-' || n || '.example')`,
    },
  },
  dmarc: {
    fields: {
      domain: 'shop.example',
      headerFrom: 'shop.example',
      organisation: 'Post Office',
      dkim: 'fail',
      spf: 'fail',
      aligned: false,
      disposition: 'none',
      dkimResults: [{ domain: 'sender.example', selector: 's1', result: 'pass', humanResult: '' }],
    },
    columns: {
      extra: `jsonb_set(extra, '{dkimResults,0,domain}', to_jsonb('sender-' || n || '.example'))`,
    },
  },
};

const REPLAYS = [
  [
    'csp',
    `policyReplay(site: "shop.example", policy: "default-src 'self'", from: "2026-05-01") {
      examined: blocked { count } otherCount }`,
    { examined: { count: COUNTS.examined }, otherCount: COUNTS.beyond },
  ],
  [
    'dmarc',
    `dmarcReplay(domain: "shop.example", policy: "v=DMARC1; p=reject", from: "2026-05-01") {
      messages rejected otherCount }`,
    { messages: COUNTS.examined, rejected: COUNTS.examined, otherCount: COUNTS.beyond },
  ],
] as const;

it.each(REPLAYS)(
  'a replay of %s reports examines the most frequent 20,000 combinations and counts the others',
  { tags: 'slow' },
  async (type, field, expected) => {
    const key = await open(service, personal(type), plan(type));
    const { fields, columns } = COMBINATIONS[type];
    const date = '2026-05-10T08:00:00Z';
    await service.load(report(type, type, 'frequent', { date, count: FREQUENT, ...fields }));
    await copyReport(service.databaseUrl, {
      accountId: type,
      type,
      count: EXAMINED + BEYOND - 1,
      columns: { count: `${RARE}`, ...columns },
    });
    const { viewer } = await data(service, key, `{ viewer { replay: ${field} } }`);
    expect(viewer.replay).toEqual(expected);
  },
);
