import { parsePolicy } from '@sightline/csp';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linesIn, post, startTestCollector } from '../../packages/collector/test/collecting.ts';
import { importBytes } from '../../packages/importer/test/reports.ts';
import { FORMATS } from '../../packages/tools/src/alert/messages.ts';
import {
  GroupsDocument,
  OverviewDocument,
  PoliciesDocument,
  ReportsDocument,
  SitesDocument,
  WatchesDocument,
} from '../../packages/web/src/app/browser/documents/documents.generated.ts';
import { IN_EARNEST } from '../faults/scale.ts';
import { open, personal, plan } from '../support/fixtures.ts';
import { ask } from '../support/graphql.ts';
import { startService, type TestService } from '../support/service.ts';
import { measureTurns } from '../support/turn-meter.ts';

/** Sends forged reports through the collector to everything that is derived from them. */

const SEED = 45;
const COUNT = IN_EARNEST ? 10_000 : 120;
/**
 * The longest processor time of a turn in milliseconds. Outside of test:faults, the limit allows for compilation and a
 * busy machine.
 */
const LONGEST_TURN = IN_EARNEST ? 50 : 500;
/** Requests at the same time. Their clients share the event loop with the collector. */
const AT_ONCE = 4;
/** Requests that are sent until the code has been compiled. */
const COMPILED = 100;
const SITE = 'acme.example';

const HOSTILE = [
  ...[
    '*',
    "'unsafe-inline'",
    'https://*',
    'https://x;sandbox',
    'https://a,frame-src b',
    'https://x.example;',
  ],
  ...[
    '=1+1',
    '@SUM(A1)',
    '"a","b"\r\nc',
    '\u001b[31m',
    '\u0007',
    '\u0000',
    '\ud800',
    '\u2028',
    '<b>&',
    '`*_~|',
  ],
  ...['https://[::1]:99999/', 'https://user:pw@x.example/', 'data:,x', 'https://xn--a.example/', '../../etc'],
  ...[
    '__proto__',
    'null',
    '-0',
    '1e999',
    '9'.repeat(400),
    'x'.repeat(6000),
    `https://${'a.'.repeat(3000)}b/`,
  ],
  `https://${'日'.repeat(3000)}.example/x.js`,
];
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.tuple(fc.constantFrom(...HOSTILE), fc.constantFrom(...HOSTILE)).map(parts => parts.join('')),
);
const FIELDS = {
  'csp-violation': {
    documentURL: `https://${SITE}/cart`,
    blockedURL: 'https://cdn.example/x.js',
    effectiveDirective: 'script-src-elem',
    originalPolicy: "script-src 'self'",
    disposition: 'enforce',
    referrer: '',
    sample: '',
    sourceFile: `https://${SITE}/a.js`,
  },
  'network-error': { type: 'tcp.reset', phase: 'dns', server_ip: '192.0.2.1', method: 'GET', protocol: 'h2' },
  deprecation: { id: 'Old', message: 'old', sourceFile: `https://${SITE}/a.js` },
  intervention: { id: 'Slow', message: 'slow' },
  crash: { reason: 'oom' },
  'permissions-policy-violation': { policyId: 'camera', message: 'no', disposition: 'enforce' },
  'unheard-of': { anything: 'x' },
};
/** A browser report with some of its values taken from another report. */
const mutated = fc
  .tuple(
    fc.constantFrom(...Object.entries(FIELDS)),
    fc.array(fc.tuple(fc.nat(8), text), { minLength: 1, maxLength: 3 }),
    fc.option(text, { freq: 6, nil: `https://${SITE}/cart` }),
    fc.option(text, { freq: 6, nil: 'Mozilla/5.0' }),
  )
  .map(([[type, fields], edits, url, user_agent]) => {
    const body: Record<string, unknown> = { ...fields };
    const names = Object.keys(fields);
    for (const [place, value] of edits) body[names[place % names.length]!] = value;
    return JSON.stringify([{ type, age: 1, url, user_agent, body }]);
  });

/** Returns the result of the work, or fails if it blocks the event loop. */
async function inTurns<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
  const { longest, value } = await measureTurns(work);
  expect(longest, `${what} holds the event loop`).toBeLessThan(LONGEST_TURN);
  return value;
}

/** Posts all reports and returns the lines that the importer creates from the spool. */
async function collectAll(bodies: readonly string[]) {
  await using collector = await startTestCollector();
  for (let at = 0; at < bodies.length; at += AT_ONCE) {
    const postSome = () => Promise.all(bodies.slice(at, at + AT_ONCE).map(body => post(collector.to, body)));
    for (const { status } of await (at < COMPILED ? postSome() : inTurns('a post', postSome)))
      expect([204, 400, 413]).toContain(status);
  }
  await collector.collector.close();
  for (const line of (await collector.collector.metrics.print()).split('\n'))
    expect(line).toMatch(/^(?:#.*|[a-z_]\w*(?:\{\w+="[^"\n]*"(?:,\w+="[^"\n]*")*\})? \S+|)$/);
  const spooled = (await linesIn(collector.spool)).map(line => `${JSON.stringify(line)}\n`).join('');
  const imported = await importBytes(spooled, { accountId: 'acme', format: 'collected' });
  expect(imported.skipped).toEqual([]);
  return imported.records;
}

const DOCUMENTS = {
  overview: OverviewDocument,
  sites: SitesDocument,
  groups: GroupsDocument,
  reports: ReportsDocument,
  policies: PoliciesDocument,
  watches: WatchesDocument,
};

/** Runs the page's documents that need only an account and a period. */
async function readPages(service: TestService, key: string, account: string, from: string) {
  const variables = {
    account,
    from,
    begin: from,
    past: from,
    since: from,
    hasNoise: true,
    type: 'csp',
    by: ['BLOCKED_ORIGIN', 'DIRECTIVE'],
  };
  for (const [name, document] of Object.entries(DOCUMENTS)) {
    const query = document.toString();
    const used = Object.entries(variables).filter(([variable]) => query.includes(`$${variable}:`));
    const answer = { variables: Object.fromEntries(used) };
    const { status, body } = await inTurns(name, () => ask(service, key, query, answer));
    expect({ name, status, errors: body.errors }).toEqual({ name, status: 200, errors: undefined });
  }
}

async function readExports(service: TestService, key: string, types: readonly string[]) {
  for (const type of types) {
    const path = `/export/reports/${type}`;
    const [csv, lines] = [await service.get(`${path}?format=csv`, key), await service.get(path, key)];
    for (const { status } of [csv, lines]) expect({ type, status }).toEqual({ type, status: 200 });
    const rows = parse(csv.text.replace(/^\ufeff/, ''), { columns: true });
    expect({ type, rows: rows.length }).toEqual({ type, rows: lines.text.split('\n').length - 1 });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal obeys
    expect(csv.text).not.toMatch(/[\u0000\u0007\u001b]/);
  }
}

const SUGGEST = `query ($from: Instant!) { viewer { policySuggestion(site: "${SITE}", baseline: "default-src 'self'", from: $from) {
  suggestions { directive source } policy header } } }`;

/** The suggested policy must parse, contain the expected sources, and have no wildcards or keywords. */
async function readSuggestion(service: TestService, key: string, from: string) {
  const answer = await inTurns('a suggestion', () => ask(service, key, SUGGEST, { variables: { from } }));
  expect(answer.body.errors).toBeUndefined();
  const { suggestions, policy } = answer.body.data.viewer.policySuggestion;
  const meant = new Set(['default-src', ...suggestions.map((each: { directive: string }) => each.directive)]);
  expect(policy).not.toMatch(/[\r\n,]/);
  for (const [directive, sources] of parsePolicy(policy)) {
    expect(meant).toContain(directive);
    for (const source of sources) expect(source).not.toMatch(/^(?:\*|\w+:\/\/\*)$|unsafe|[;,]/);
  }
}

const INSIGHTS = `{ viewer { insights { id kind severity title detail subject firstSeen lastSeen count baseline link query } } }`;

/** Each alert format must produce a message within its receiver's limit. */
async function readAlerts(service: TestService, key: string) {
  const answer = await inTurns('insights', () => ask(service, key, INSIGHTS));
  expect(answer.body.errors).toBeUndefined();
  for (const insight of answer.body.data.viewer.insights)
    for (const [format, toMessage] of Object.entries(FORMATS)) {
      const event = { id: insight.id, event: 'new', insight } as const;
      const { headers, body } = toMessage(event, 'https://page.example/app');
      expect(() => new Headers(headers)).not.toThrow();
      expect(Buffer.byteLength(body), format).toBeLessThan(28_000);
      if (format !== 'ntfy') JSON.parse(body);
    }
}

it(`${COUNT} mutated reports cause no error, no long turn and no injected markup in any view`, {
  tags: 'slow',
}, async () => {
  await using service = await startService();
  const key = await open(service, personal('acme'), plan('acme', { reportQuota: 10_000_000 }));
  const records = await collectAll(fc.sample(mutated, { seed: SEED, numRuns: COUNT }));
  expect(records.length).toBeGreaterThan(COUNT / 2);
  await service.load(...records);
  const from = new Date(Date.now() - 2 * 86_400_000).toISOString();
  const types = [...new Set(records.map(({ type }) => type as string))];
  expect(types).toContain('csp');
  const { body } = await ask(service, key, '{ viewer { id } }');
  await readPages(service, key, body.data.viewer.id, from);
  await readExports(service, key, types);
  await readSuggestion(service, key, from);
  await readAlerts(service, key);
});
