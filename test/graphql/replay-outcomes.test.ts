import { afterAll, beforeAll, expect, it } from 'vitest';
import { NOW, open, personal, plan, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import { ask } from '../support/graphql.ts';
import { startService, type TestService } from '../support/service.ts';
import { listMessages, listSessions } from './replay/mail.ts';
import { listViolations, listWatches } from './replay/pages.ts';

/**
 * Records replays, suggestions and findings of an account whose reports are at the start and end of each period, next to
 * reports of other sites, domains and accounts.
 */

let service: TestService;
const keys: Record<string, string> = {};
beforeAll(async () => {
  service = await startService({ now: NOW });
  for (const [account, features] of [
    ['known', THREAT_INTELLIGENCE],
    ['plain', {}],
  ] as const) {
    keys[account] = await open(service, personal(account), plan(account, {}, features));
    await service.load(
      ...listMessages(account),
      ...listSessions(account),
      ...listViolations(account),
      ...listWatches(account),
    );
  }
});
afterAll(() => service?.close());

// biome-ignore lint/suspicious/noExplicitAny: answers have many shapes
type Value = any;

const isPlain = (value: Value): boolean =>
  value === null ||
  typeof value !== 'object' ||
  (Array.isArray(value) && value.every(one => typeof one !== 'object'));

/** Formats objects and lists of plain values in a line each. */
function format(value: Value, indent = '  '): string {
  if (isPlain(value) || Object.values(value).every(isPlain)) return JSON.stringify(value);
  const entries = Array.isArray(value) ? value.map(one => ['-', one]) : Object.entries(value);
  const plain = entries.filter(([name, one]) => name !== '-' && isPlain(one));
  const rest = entries.filter(entry => !plain.includes(entry));
  return [
    ...(plain.length > 0 ? [JSON.stringify(Object.fromEntries(plain))] : []),
    ...rest.map(([name, one]) => `${name}${name === '-' ? '' : ':'} ${format(one, `${indent}  `)}`),
  ].join(`\n${indent}`);
}

/** Asks for fields of the account, and returns a block for each. */
async function record(fields: readonly string[], parts: string, account = 'known'): Promise<string> {
  const blocks: string[] = [];
  for (const field of fields) {
    const { body } = await ask(service, keys[account]!, `{ viewer { answer: ${field} ${parts} } }`);
    const answer = body.errors ? body.errors[0].message : format(body.data.viewer.answer);
    blocks.push(`${field} of ${account}\n  ${answer}`);
  }
  return `${blocks.join('\n')}\n`;
}

const COUNTS =
  'messages delivered quarantined rejected aligned dkimAligned spfAligned forwarded uncertain overridden';
const MAIL_PERIOD = 'from: "2026-05-01T00:00:00+02:00", to: "2026-05-16T12:00:00Z"';

it('DMARC replays count the messages of the domain and period', async () => {
  const parts = `{ ${COUNTS} published record notes days otherRecords otherCount otherSenders
    actual { delivered quarantined rejected } readiness { state alignedShare sendersToRepair reasons }
    senders { sender kind needsRepair verdict { verdict } ${COUNTS} reasons { cause messages domain } } }`;
  const of = (domain: string, policy: string, period = MAIL_PERIOD) =>
    `dmarcReplay(domain: "${domain}", policy: "${policy}", ${period})`;
  const whole = await record([of('EXAMPLE.com', 'p=reject; sp=quarantine')], parts);
  const totals = `{ messages rejected quarantined published record notes days otherRecords actual { delivered quarantined rejected }
    senders { sender messages } readiness { state reasons } }`;
  const others = await record(
    [
      of(
        'example.com',
        'p=none; np=reject; pct=100; t=n; rua=mailto:x@example.com; a=1; b=2; c=3; d=4; e=5; f=6',
      ),
      of('example.com', 'p=quarantine; sp=reject; np=reject; t=y'),
      of('shop.example.com', 'p=reject'),
      of('news.example.com', 'p=reject; sp=none'),
      of('b.example', 'p=reject; adkim=s'),
      of('example.com', 'p=reject', 'from: "2020-01-01", to: "2026-02-20T00:00:00Z"'),
      of('example.com', 'p=reject', 'from: "2020-01-01", to: "2026-02-19T00:00:00Z"'),
      of('example.com', 'p=reject', 'from: "2026-05-15T10:30:00Z"'),
      of('example.com', 'p=reject', 'from: "2026-05-15T11:30:00Z"'),
    ],
    totals,
  );
  await expect(whole + others).toMatchFileSnapshot('./recorded/dmarc-replays.txt');
});

it('readiness covers the domains with the most messages', async () => {
  const parts =
    '{ domain messages published isEnforced policy readiness { state alignedShare sendersToRepair reasons } }';
  const text = await record(
    [
      `mailReadiness(${MAIL_PERIOD})`,
      'mailReadiness(from: "2026-05-06", to: "2026-05-07")',
      'mailReadiness(from: "2026-05-15T10:00:00Z", to: "2026-05-15T11:00:00Z")',
      'mailReadiness(from: "2026-05-14T10:00:00Z", to: "2026-05-14T10:00:01Z")',
      'mailReadiness(from: "2026-05-17")',
    ],
    parts,
  );
  await expect(text).toMatchFileSnapshot('./recorded/mail-readiness.txt');
});

it('MTA-STS replays count the sessions of the domain and period', async () => {
  const parts = `{ mode sessions delivered refused unprotected unexplained withoutPolicy days policy dnsRecord
    failures { resultType exchanger effect sessions reporters } readiness { state reasons } }`;
  const of = (domain: string, period = MAIL_PERIOD) => `mtaStsReplay(domain: "${domain}", ${period})`;
  const text = await record(
    [
      of('Example.COM'),
      of('example.com', 'from: "2026-05-10", to: "2026-05-11"'),
      of('example.com', 'from: "2026-05-16T12:00:00Z"'),
      of('more.example'),
      of('none.example'),
      of('ready.example'),
      of('ready.example', 'from: "2026-05-02T00:00:00Z"'),
      of('example.com', 'from: "2020-01-01", to: "2020-02-01"'),
    ],
    parts,
  );
  await expect(text).toMatchFileSnapshot('./recorded/mta-sts-replays.txt');
});

const REACH = 'count reports pages days firstSeen lastSeen';
const OUTCOME = `{ ${REACH} otherEffects effects { violated directive blocked source reason ${REACH} examples { page blockedUri } } }`;
const PERIOD = 'site: "shop.example", from: "2026-05-02", to: "2026-05-16"';

it('policy replays count the violations of the site and period', async () => {
  const parts = (
    outcome: string,
  ) => `{ policy blocked ${outcome} allowed ${outcome} unknown ${outcome} newlyBlocked ${outcome}
    noise { ${REACH} } otherCount unused { directive source } ignored { directive source } trial { isWatched since } }`;
  const policy = `policy: "default-src 'self' https://cdn.example; img-src https://seen-data.example https://seen-frame.example https://seen-script.example https://seen-elsewhere.example"`;
  const whole = await record([`policyReplay(${PERIOD}, ${policy})`], parts(OUTCOME));
  const brief = parts(`{ ${REACH} effects { violated blocked reports } }`);
  const others = await record(
    [
      `policyReplay(${PERIOD}, policy: "default-src 'none'", baseline: "script-src https://cdn.example")`,
      `policyReplay(${PERIOD}, policy: "default-src 'none'", paths: ["/page/0", "/oth*"])`,
      `policyReplay(${PERIOD}, policy: "script-src https:", add: [{ directive: "img-src", source: "https://cdn.example" }])`,
      `policyReplay(${PERIOD}, policy: "script-src https: x:y:z")`,
      `policyReplay(${PERIOD}, policy: "default-src 'self'", paths: [${Array.from({ length: 50 }, () => '"/none"').join()}])`,
      `policyReplay(${PERIOD}, policy: "default-src 'self'", paths: [${Array.from({ length: 51 }, () => '"/none"').join()}])`,
      `policyReplay(${PERIOD}, policy: "img-src a, img-src b")`,
      `policyReplay(${PERIOD}, policy: "img-src a", baseline: "img-src a, img-src b")`,
      `policyReplay(site: "other.example", from: "2026-05-02", policy: "default-src 'self'")`,
    ],
    brief,
  );
  await expect(whole + others).toMatchFileSnapshot('./recorded/policy-replays.txt');
});

it('policy suggestions judge the sources by reports of the site and period', async () => {
  const parts = `{ suggestions { directive source covers opens browsers doubts isAdded ${REACH} } otherSuggestions policy header
    weaknesses { directive value severity } }`;
  const brief = '{ policy suggestions { directive source browsers doubts isAdded } }';
  const all = 'allow: [UNSAFE_INLINE, UNSAFE_EVAL, WASM_UNSAFE_EVAL, DATA, BLOB]';
  const text =
    (await record([`policySuggestion(${PERIOD}, baseline: "default-src 'self'")`], parts)) +
    (await record([`policySuggestion(${PERIOD}, baseline: "default-src 'self'")`], brief, 'plain')) +
    (await record(
      [
        `policySuggestion(${PERIOD}, baseline: "default-src 'self'", ${all})`,
        // At the end of the period, nothing is new that was known for seven days.
        `policySuggestion(site: "shop.example", from: "2026-05-02", baseline: "default-src 'self'")`,
        `policySuggestion(site: "shop.example", from: "2026-05-02", to: "2026-06-01", baseline: "script-src https://cdn.example")`,
        `policySuggestion(${PERIOD}, baseline: "img-src a, img-src b")`,
      ],
      brief,
    ));
  await expect(text).toMatchFileSnapshot('./recorded/policy-suggestions.txt');
});

it('allowlist suggestions judge the patterns by reports of the site and period', async () => {
  const parts = `{ patterns { pattern covers browsers doubts isAdded ${REACH} } otherPatterns unlisted { ${REACH} } allowlist header }`;
  const brief = '{ allowlist patterns { pattern browsers doubts isAdded } unlisted { reports } }';
  const of = (period: string) => `connectionAllowlistSuggestion(${period})`;
  const text =
    (await record([of(PERIOD)], parts)) +
    (await record([of(PERIOD)], brief, 'plain')) +
    (await record(
      [
        of(`${PERIOD}, baseline: ["https://api.example", "https://*.example"]`),
        of('site: "shop.example", from: "2026-05-02"'),
        of('site: "shop.example", from: "2026-05-02", to: "2026-06-01"'),
        of('site: "shop.example", from: "2020-05-02", to: "2020-06-01"'),
      ],
      brief,
    ));
  await expect(text).toMatchFileSnapshot('./recorded/allowlist-suggestions.txt');
});

it('findings are grouped by domain, site and product', async () => {
  const parts = `{ totalCount otherGroups groups { product site name isDomain source findings count firstSeen lastSeen
    browsers pages days isSensitive } }`;
  const brief = '{ totalCount otherGroups groups { product site name findings count } }';
  const text =
    (await record(['findingGroups(since: "2026-05-10", until: "2026-05-20")'], parts)) +
    (await record(
      [
        'findingGroups',
        'findingGroups(first: 2)',
        'findingGroups(since: "2026-05-20")',
        'findingGroups(until: "2026-05-02T00:00:00Z")',
        'findingGroups(until: "2026-05-02T00:00:01Z")',
      ],
      brief,
    ));
  await expect(text).toMatchFileSnapshot('./recorded/finding-groups.txt');
});

it('watches are listed by product, with their newest findings', async () => {
  const parts = `{ product site emailAlertsEnabled webhookEnabled webhookTarget alertThreshold
    findings(first: 2) { ... on WatchFinding { uri count firstSeen lastSeen source }
      ... on PolicyWatchFinding { policy enforced count firstSeen lastSeen } } }`;
  const text = await record(['watches', 'watches(product: data)', 'watches(product: policy)'], parts);
  await expect(text).toMatchFileSnapshot('./recorded/watches.txt');
});

it('day totals cover at most 92 days, within the retention and up to now', async () => {
  const fields = [
    'from: "2026-05-15", to: "2026-05-17"',
    'from: "2026-05-15T23:59:59Z", to: "2026-05-16T00:00:00Z"',
    'from: "2026-05-15T23:59:59Z", to: "2026-05-16T00:00:01Z"',
    'from: "2026-05-19"',
    'from: "2026-05-19", to: "2026-06-01"',
    'from: "2026-05-16", to: "2026-05-16"',
    'from: "2026-05-21"',
    'from: "2026-02-17", to: "2026-02-20"',
    'from: "2026-02-17", to: "2026-02-19"',
    'from: "2026-02-19T00:00:00Z", to: "2026-05-22T00:00:00Z"',
    'from: "2026-02-17T14:29:59Z"',
    'from: "2026-01-01", to: "2026-04-03T00:00:00Z"',
    'from: "2026-01-01", to: "2026-04-03T00:00:01Z"',
  ].map(period => `dayTotals(${period})`);
  const text = await record(fields, '{ date csp dmarc tls_rpt connection_allowlist }');
  const shown = text.replaceAll(/\n.*"csp":0,"dmarc":0,"tls_rpt":0,"connection_allowlist":0\}/g, '');
  await expect(shown).toMatchFileSnapshot('./recorded/day-totals.txt');
});
