import { afterAll, beforeAll, expect, it } from 'vitest';
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

/** Returns the fields of a report whose combination of values is unique, by type. */
const COMBINATIONS = {
  csp: (number: number) => ({
    uri: 'https://shop.example/cart',
    directive: 'script-src-elem',
    blockedUri: `https://cdn-${number}.example/x.js`,
  }),
  dmarc: (number: number) => ({
    domain: 'shop.example',
    headerFrom: 'shop.example',
    organisation: 'Post Office',
    dkim: 'fail',
    spf: 'fail',
    aligned: false,
    disposition: 'none',
    dkimResults: [{ domain: `sender-${number}.example`, selector: 's1', result: 'pass', humanResult: '' }],
  }),
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
  async (type, field, expected) => {
    const key = await open(service, personal(type), plan(type));
    await service.load(
      ...Array.from({ length: EXAMINED + BEYOND }, (_, number) =>
        report(type, type, `report-${number}`, {
          date: '2026-05-10T08:00:00Z',
          count: number === EXAMINED ? FREQUENT : RARE,
          ...COMBINATIONS[type](number),
        }),
      ),
    );
    const { viewer } = await data(service, key, `{ viewer { replay: ${field} } }`);
    expect(viewer.replay).toEqual(expected);
  },
);
