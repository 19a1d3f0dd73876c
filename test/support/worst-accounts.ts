import { REPORT_TYPE_DEFINITIONS, REPORT_TYPES, type ReportField } from '@sightline/reports';
import { longestReports } from './extreme-records.ts';
import { type Alphabet, BOUNDS, extreme } from './extremes.ts';
import {
  auditEvent,
  certificate,
  finding,
  observation,
  personal,
  plan,
  policyFinding,
  report,
  savedPolicy,
  scriptVerdict,
  setup,
  THREAT_INTELLIGENCE,
  team,
  verdict,
  watch,
} from './fixtures.ts';
import { RECORDS } from './records.ts';
import type { Line, TestService } from './service.ts';

/** The names that `test/support/routes.ts` uses in its paths. */
export const [SITE, POLICY] = ['own.example.com', 'pol_own'];

/** The sizes of the largest accounts. */
export interface Worst {
  /** The number of groups of CSP reports, and of findings of a watch. */
  many: number;
  /** The number of saved policies, and of policies seen by a watch. */
  policies: number;
  /** The number of verdicts, enrolments, events, and reports of each other type. */
  some: number;
  /** The number of records with the longest texts. */
  few: number;
  /** The size of their texts in bytes. */
  longest: number;
  /** The size of a raw report in bytes. */
  raw: number;
  alphabets: readonly Alphabet[];
}

const PRODUCTS = ['script', 'data', 'frame'];
const DIRECTIVES = ['script-src-elem', 'img-src', 'connect-src', 'style-src-elem', 'frame-src'];
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const path = extreme('quotes and formulas', 1500).replaceAll('\\', '/');

/** The maximum size of a configuration record in bytes, without its names. */
const LARGEST_RECORD = 1_000_000;

/** Texts for the three longest lists of a record. */
function fitRecord(texts: readonly string[]): string[] {
  let room = LARGEST_RECORD / 3;
  return texts.filter(text => {
    room -= Buffer.byteLength(text) + 3;
    return room >= 0;
  });
}

/** Lists as long as an account's configuration can have, and a watch of each product. */
function toConfiguration(id: string, all: readonly string[]): Line[] {
  const texts = fitRecord(all);
  const hosts = texts.map((_, index) => `host-${index}.example`);
  return [
    plan(
      id,
      { dataRetentionDays: 365 },
      { ...THREAT_INTELLIGENCE, blockedWatch: texts, integrityFeatures: texts },
    ),
    setup(id, {
      reportingApi: {
        group: 'default',
        max_age: 1,
        endpoints: texts.map(url => ({ url })),
        include_subdomains: true,
      },
    }),
    {
      kind: 'filters',
      accountId: id,
      global: { sites: hosts },
      advanced: { blockedHosts: hosts, blockedSchemes: texts, pagePaths: texts },
      certificateTransparency: { ignoredHostnames: hosts, ignoredIssuers: texts },
      samplingRates: {},
    },
    { kind: 'wizard', accountId: id, active: true, policy: texts[0]! },
    ...[...PRODUCTS, 'policy'].map(product => watch(id, product, SITE)),
    certificate(),
    observation(id),
  ];
}

/** An account with as many records as possible, of ordinary length. */
function* listMany(id: string, now: string, { many, policies, some }: Worst): Generator<Line> {
  yield* toConfiguration(
    id,
    numbers(some).map(index => `text ${index} ${path.slice(0, 200)}`),
  );
  for (const n of numbers(many)) {
    yield report(id, 'csp', `r-${n}`, {
      date: now,
      uri: `https://${SITE}/${n}/${path}`,
      directive: DIRECTIVES[n % DIRECTIVES.length],
      blockedUri: `https://${n}.example/"${path}`,
      raw: '{}',
    });
    const product = n % 2 === 0 ? 'script' : PRODUCTS[n % 3]!;
    yield finding(id, product, SITE, `https://${n}.example/${path.slice(0, 500)}`);
  }
  for (const n of numbers(policies)) {
    const text = `img-src ${'"'.repeat(2000)} ${'z'.repeat(2000)}`;
    yield savedPolicy(id, n === 0 ? POLICY : `p-${n}`, `P ${n}`, text);
    yield policyFinding(id, SITE, `script-src https://${n}.example ${'y'.repeat(3900)}`);
  }
  for (const n of numbers(some)) {
    yield scriptVerdict(id, SITE, `https://${n}.example/*`, { reason: path.slice(0, 900) });
    yield verdict(id, 'insight', `i-${n}`, { count: 1, reason: path.slice(0, 900) });
    yield auditEvent(id, `e-${n}`, { timestamp: now, message: path });
    yield watch(id, PRODUCTS[n % 3]!, `site-${n}.example`, { webhookTarget: path });
    for (const type of REPORT_TYPES)
      if (type !== 'csp')
        yield report(id, type, `r-${n}`, { ...RECORDS_OF[type], id: `r-${n}`, date: now, raw: path });
  }
}

const RECORDS_OF = Object.fromEntries(
  REPORT_TYPES.map(type => [type, RECORDS[type as keyof typeof RECORDS]?.given ?? {}]),
);

/** An account with a few records whose texts are as long as the feed accepts. */
function* listLongest(id: string, now: string, { few, longest, raw, alphabets }: Worst): Generator<Line> {
  const texts = numbers(few).map(n => extreme('quotes and formulas', longest, `${n}`));
  yield* toConfiguration(id, texts);
  for (const [n, text] of texts.entries()) {
    yield savedPolicy(id, n === 0 ? POLICY : `p-${n}`, text, text);
    yield scriptVerdict(id, SITE, `https://${n}.example/*`, { reason: text, owner: text, decidedBy: text });
    for (const product of PRODUCTS) yield finding(id, product, SITE, text);
    const source = `script-src https://${n}.example `;
    yield policyFinding(id, SITE, source + extreme('quotes and formulas', longest - source.length, `${n}`));
    yield auditEvent(id, `e-${n}`, { timestamp: now, message: text });
    yield watch(id, PRODUCTS[n % 3]!, `site-${n}.example`, { webhookTarget: text });
    yield report(id, 'csp', `long-${n}`, {
      date: now,
      uri: `https://${SITE}/${n}`,
      blockedUri: text,
      raw: text,
    });
  }
  const bounds = BOUNDS.filter(bytes => bytes <= raw);
  for (const { type, fields, filterOnly } of REPORT_TYPE_DEFINITIONS) {
    const isGiven = ({ computed }: ReportField) => !computed;
    yield* longestReports(id, type, [...fields, ...filterOnly].filter(isGiven), alphabets, now, bounds);
  }
}

/**
 * Loads the accounts with the longest responses.
 * @returns their ids and keys, and those of a team
 */
export async function loadWorstAccounts(service: TestService, now: string, worst: Worst) {
  const members = numbers(worst.some).map(n => ({ email: `${n}@example.com`, role: path.slice(0, 200) }));
  await service.load(personal('many'), personal('longest'), team('team', { members }), plan('team'));
  for (const lines of [listMany('many', now, worst), listLongest('longest', now, worst)]) {
    const part: Line[] = [];
    for (const line of lines) if (part.push(line) === 10_000) await service.load(...part.splice(0));
    await service.load(...part);
  }
  return {
    many: await service.key('personal', 'many'),
    longest: await service.key('personal', 'longest'),
    team: await service.key('team', 'team'),
    internal: await service.key('internal'),
  };
}
