import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { MS_PER_DAY, REPORT_TYPES } from '@sightline/reports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  finding,
  NOW,
  open,
  personal,
  plan,
  report,
  THREAT_INTELLIGENCE,
  team,
  watch,
} from './support/fixtures.ts';
import { type Line, startService, type TestService } from './support/service.ts';

const OPENMETRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
const PLAIN = 'text/plain; version=0.0.4; charset=utf-8';
/** The request that Prometheus sent in 2024. */
const PROMETHEUS =
  'application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.1';
const RULES = 'packaging/prometheus/account-alerts.yaml';
const DASHBOARD = 'packaging/grafana/sightline-account.json';

let service: TestService;
let key: string;
let empty: string;

const mail = (name: string, headerFrom: string, aligned: boolean, count: number): Line =>
  report('acme', 'dmarc', name, { headerFrom, aligned, count });

const HOSTILE = 'evil"} 1\n# EOF\nsightline_account_threats 99 \\ \u202e\u0001';

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, team('acme'), plan('acme', { reportQuota: 1000 }, THREAT_INTELLIGENCE));
  empty = await open(service, team('other'), plan('other', { reportQuota: 1000 }));
  await service.load(
    report('acme', 'csp', 'c-1', { count: 3, date: '2026-05-20T14:00:00Z', suspicious: 1 }),
    report('acme', 'csp', 'c-2', { date: '2026-05-02T00:00:00Z' }),
    mail('d-1', 'Example.com', true, 70),
    mail('d-2', 'example.com', false, 5),
    mail('d-3', HOSTILE, false, 1),
    report('acme', 'tls_rpt', 't-1', { domain: 'example.com', successfulSessions: 90, failedSessions: 10 }),
    ...['1', '2'].map(name => report('acme', 'certificate_transparency', name, { issuer: 'CN=A CA' })),
    report('acme', 'connection_allowlist', 'l-1', { count: 1000 }),
    watch('acme', 'script', 'www.example.com'),
    finding('acme', 'script', 'www.example.com', 'https://x.example/a.js', {
      firstSeen: '2026-05-19T00:00:00Z',
      lastSeen: '2026-05-19T00:00:00Z',
    }),
  );
});
afterAll(() => service.close());

const get = (headers: Record<string, string> = {}, requested = key, query = '') =>
  service.get(`/export/metrics${query}`, requested, headers);

const series = (text: string) => text.split('\n').filter(line => line !== '' && !line.startsWith('#'));

/** Returns promtool's output for a response, or undefined (with a message) if it is not installed. */
function promtool(
  what: string,
  args: readonly string[],
  input?: string,
): { status: number | null; text: string } | undefined {
  const { error, status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', input });
  if (error)
    process.stderr.write(`skipped: promtool has not looked at ${what}, as it is not installed here\n`);
  return error ? undefined : { status, text: stdout + stderr };
}

describe('the metrics of an account', () => {
  it('include reports, mail, sessions, threats, findings and quota', async () => {
    const { status, headers, text } = await get();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(OPENMETRICS);
    expect(text).toMatch(/\n# EOF\n$/);
    expect(series(text)).toEqual(
      expect.arrayContaining([
        'sightline_account_reports_total{type="csp"} 4',
        'sightline_account_reports_total{type="nel"} 0',
        `sightline_account_last_report_timestamp_seconds{type="csp"} ${Date.parse('2026-05-20T14:00:00Z') / 1000}`,
        'sightline_account_mails{domain="example.com",aligned="true"} 70',
        'sightline_account_mails{domain="example.com",aligned="false"} 5',
        'sightline_account_tls_sessions{domain="example.com",result="failure"} 10',
        'sightline_account_certificates{issuer="CN=A CA"} 2',
        'sightline_account_threats 1',
        'sightline_account_new_findings{product="script"} 1',
        'sightline_account_new_findings{product="policy"} 0',
        'sightline_account_quota_reports 1000',
        // Only the types of /v1 count.
        'sightline_account_quota_used_reports 83',
      ]),
    );
    expect(text).not.toContain('last_report_timestamp_seconds{type="nel"}');
  });

  it('cover seven days of UTC, including today', async () => {
    const week = await open(service, team('week'), plan('week', {}, THREAT_INTELLIGENCE));
    // The 20th is today. Each day has another power of ten.
    const days = ['2026-05-20T23:59:59Z', '2026-05-14T00:00:00Z', '2026-05-13T23:59:59Z'];
    await service.load(
      watch('week', 'script', 'week.example'),
      ...days.flatMap((date, index) => {
        const count = 10 ** index;
        return [
          report('week', 'csp', `c-${index}`, { date, count, suspicious: 1 }),
          report('week', 'dmarc', `d-${index}`, { date, count, headerFrom: 'week.example', aligned: true }),
          report('week', 'tls_rpt', `t-${index}`, {
            date,
            domain: 'week.example',
            successfulSessions: count,
          }),
          ...Array.from({ length: count }, (_, number) =>
            finding('week', 'script', 'week.example', `https://${index}-${number}.example/`, {
              firstSeen: date,
              lastSeen: date,
            }),
          ),
        ];
      }),
    );
    const { text } = await get({}, week);
    expect(series(text)).toEqual(
      expect.arrayContaining([
        'sightline_account_reports_total{type="csp"} 111',
        'sightline_account_mails{domain="week.example",aligned="true"} 11',
        'sightline_account_tls_sessions{domain="week.example",result="success"} 11',
        'sightline_account_threats 2',
        'sightline_account_new_findings{product="script"} 11',
      ]),
    );
  });

  it('cover only the days of the retention', async () => {
    const short = await open(service, team('short'), plan('short', { dataRetentionDays: 2 }));
    const mails = ['2026-05-18T00:00:00Z', '2026-05-17T23:59:59Z'].map((date, index) =>
      report('short', 'dmarc', `d-${index}`, {
        date,
        count: 10 ** index,
        headerFrom: 'short.example',
        aligned: true,
      }),
    );
    await service.load(...mails, report('short', 'nel', 'n-1', { date: '2026-05-17T23:59:59Z' }));
    const { text } = await get({}, short);
    expect(series(text)).toContain('sightline_account_mails{domain="short.example",aligned="true"} 1');
    expect(series(text).filter(line => line.includes('last_report'))).toEqual([
      'sightline_account_last_report_timestamp_seconds{type="dmarc"} 1779062400',
    ]);
  });

  it('are limited to one account and exclude threats that its plan does not cover', async () => {
    const { text } = await get({}, empty);
    expect(text).not.toMatch(/example\.com|account_threats/);
    expect(text).toContain('sightline_account_quota_used_reports 0');
  });

  it('have the format that the client accepts', async () => {
    expect((await get({ Accept: PROMETHEUS })).headers.get('content-type')).toBe(OPENMETRICS);
    const { headers, text } = await get({ Accept: 'text/plain;version=0.0.4' });
    expect(headers.get('content-type')).toBe(PLAIN);
    expect(text).not.toContain('# EOF\n\n');
    expect(headers.get('vary')).toBe('Authorization, Accept, Accept-Encoding');
    expect(headers.get('ratelimit')).toMatch(/^"default"/);
  });

  it('return 304 until they change', async () => {
    const { headers } = await get();
    const tag = headers.get('etag')!;
    const { status, text } = await get({ 'If-None-Match': tag });
    expect([status, text]).toEqual([304, '']);
    expect((await get({ 'If-None-Match': tag, Accept: 'text/plain' })).status).toBe(200);
    await service.load(report('acme', 'nel', 'n-1', { count: 2 }));
    const changed = await get({ 'If-None-Match': tag });
    expect(changed.status).toBe(200);
    expect(changed.text).toContain('sightline_account_reports_total{type="nel"} 2');
    // At midnight the period moves, and so do the counts of its days.
    const present = { 'If-None-Match': changed.headers.get('etag')! };
    expect((await get(present)).status).toBe(304);
    service.setNow(new Date(Date.parse(NOW) + MS_PER_DAY).toISOString());
    expect((await get(present)).status).toBe(200);
    service.setNow(NOW);
  });

  it('require a key and accept only the account parameter', async () => {
    expect((await service.get('/export/metrics')).status).toBe(401);
    expect((await get({}, key, '?account=other')).status).toBe(403);
    expect((await get({}, key, '?account=acme')).status).toBe(200);
    const refused = await get({}, key, '?from=2026-05-01');
    expect([refused.status, refused.body]).toEqual([400, { error: 'Unknown parameter: from' }]);
    const odd = await get({}, key, '?acc%C3%B6unt=acme');
    expect([odd.status, odd.body]).toEqual([400, { error: 'Unknown parameter: accöunt' }]);
    const posted = await service.request('/export/metrics', { method: 'POST' });
    expect(posted.status).toBe(405);
  });

  it('keep untrusted text within labels', async () => {
    const { text } = await get();
    const hostile = series(text).filter(line => line.includes('evil'));
    expect(hostile).toEqual([
      expect.stringMatching(
        /^sightline_account_mails\{domain="evil\\"\} 1 # eof sightline_account_threats 99 \\\\",aligned="true"\} 0$/,
      ),
      expect.stringMatching(/aligned="false"\} 1$/),
    ]);
    expect(text.match(/# EOF$/gm)).toHaveLength(1);
  });

  it('have at most 500 series, with the rest combined into one', async () => {
    const crowded = await open(service, team('crowded'), plan('crowded', {}, THREAT_INTELLIGENCE));
    const many = Array.from({ length: 300 }, (_, number) => number);
    await service.load(
      ...many.flatMap((number): Line[] => [
        report('crowded', 'dmarc', `d-${number}`, {
          headerFrom: `${'x'.repeat(200)}${number}`,
          aligned: true,
          count: 1,
        }),
        report('crowded', 'dmarc', `e-${number}`, {
          headerFrom: `${number}.example`,
          aligned: true,
          count: number + 1,
        }),
        report('crowded', 'tls_rpt', `t-${number}`, {
          domain: `${number}.example`,
          failedSessions: 1,
          successfulSessions: 1,
        }),
      ]),
      report('crowded', 'dmarc', 'named', { headerFrom: 'other', aligned: true, count: 100_000 }),
    );
    const { text } = await get({}, crowded);
    expect(series(text).length).toBeGreaterThan(300);
    expect(series(text).length).toBeLessThanOrEqual(500);
    expect(new Set(series(text).map(line => line.split(' ')[0])).size).toBe(series(text).length);
    const sum = (metric: string) =>
      series(text)
        .filter(line => line.startsWith(metric))
        .reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
    expect(sum('sightline_account_mails')).toBe(300 + (300 * 301) / 2 + 100_000);
    expect(sum('sightline_account_tls_sessions')).toBe(600);
    expect(text).toContain('sightline_account_tls_sessions{domain="other",result="failure"} 225');
  });

  it('name the first of equally frequent domains, and cut names after 120 characters', async () => {
    const names = await open(service, personal('names'), plan('names'));
    const long = (length: number, character: string) => 'z'.repeat(100) + character.repeat(length - 100);
    const domains = [
      ...Array.from({ length: 77 }, (_, number) => `${String(number).padStart(2, '0')}.example`),
      ...[long(120, 'a'), long(121, 'b'), long(120, '\u{1F600}'), long(122, '\u{1F601}')],
    ];
    await service.load(
      ...domains.map((domain, index) =>
        report('names', 'tls_rpt', `named-${index}`, {
          ...{ domain, failedSessions: 0, successfulSessions: domain.startsWith('z') ? 2 : 1 },
        }),
      ),
    );
    const { text } = await get({}, names);
    const found = [
      ...text.matchAll(/sightline_account_tls_sessions\{domain="(.*)",result="success"\} (\d+)/g),
    ];
    expect(found.map(([, domain, count]) => [domain, count]).sort()).toEqual(
      [
        ...domains.slice(0, 71).map(domain => [domain, '1']),
        ['other', '6'],
        [long(120, 'a'), '2'],
        [`${long(119, 'b')}…`, '2'],
        [long(120, '\u{1F600}'), '2'],
        [`${long(119, '\u{1F601}')}…`, '2'],
      ].sort(),
    );
  });

  it('name the domains with the most sessions, good or bad, regardless of their case', async () => {
    const ranked = await open(service, personal('ranked'), plan('ranked'));
    const sessions = (id: string, domain: string, successfulSessions: number, failedSessions: number) =>
      report('ranked', 'tls_rpt', id, { domain, successfulSessions, failedSessions });
    await service.load(
      ...Array.from({ length: 75 }, (_, number) => sessions(`s-${number}`, `${100 + number}.example`, 2, 0)),
      sessions('failed-1', 'Failing.example', 0, 3),
      sessions('failed-2', 'failing.EXAMPLE', 1, 3),
    );
    const { text } = await get({}, ranked);
    const named = series(text).filter(line => line.startsWith('sightline_account_tls_sessions'));
    const domains = named.map(line => /domain="(.*?)"/.exec(line)![1]!);
    expect(domains.slice(0, -2)).toEqual(domains.slice(0, -2).toSorted());
    expect(named.filter(line => /failing|other/i.test(line))).toEqual([
      'sightline_account_tls_sessions{domain="failing.example",result="success"} 1',
      'sightline_account_tls_sessions{domain="failing.example",result="failure"} 6',
      'sightline_account_tls_sessions{domain="other",result="success"} 2',
      'sightline_account_tls_sessions{domain="other",result="failure"} 0',
    ]);
  });

  it('pass the check of promtool', async context => {
    const { text } = await get({ Accept: 'text/plain' });
    const said = promtool('the metrics of an account', ['check', 'metrics'], text);
    if (!said) return context.skip();
    expect(said).toEqual({ status: 0, text: '' });
  });
});

/** Returns the metric names in a query. */
function listNames(query: string): string[] {
  const text = query.replaceAll('$__rate_interval', '5m').replaceAll('$__range', '1d');
  const names: string[] = [];
  parser.parse(text).iterate({
    enter({ name, from, to, type }) {
      if (type.isError) throw new Error(`no PromQL: ${text}`);
      if (name === 'Identifier') names.push(text.slice(from, to));
    },
  });
  return names;
}

describe('monitoring of account metrics', () => {
  const rules: { alert: string; expr: string }[] = parse(readFileSync(RULES, 'utf8')).groups[0].rules;
  const dashboard = JSON.parse(readFileSync(DASHBOARD, 'utf8'));
  const targets: { expr: string }[] = dashboard.panels.flatMap(
    ({ targets = [] }: { targets?: { expr: string }[] }) => targets,
  );
  const page = readFileSync('docs/integrations.md', 'utf8');

  it('documents exactly the existing metrics', async () => {
    const { text } = await get({ Accept: 'text/plain' });
    const printed = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!);
    const documented = [...page.matchAll(/^\| `(sightline_account_\w+)`/gm)].map(([, name]) => name!);
    expect(documented.sort()).toEqual(printed.sort());
    expect(REPORT_TYPES.length * 2 + 75 * 2 * 2 + 76 + 4 + 7).toBeLessThanOrEqual(500);
  });

  it('uses only existing metrics, and all of them on the dashboard', async () => {
    const { text } = await get({ Accept: 'text/plain' });
    const printed = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!);
    const requested = targets.flatMap(({ expr }) => listNames(expr));
    expect(new Set(requested)).toEqual(new Set(printed));
    for (const name of rules.flatMap(({ expr }) => listNames(expr))) expect(printed).toContain(name);
    expect(rules.length).toBeGreaterThan(5);
  });

  it('has alert rules that pass the check of promtool', context => {
    const said = promtool('the alarms of an account', ['check', 'rules', RULES]);
    if (!said) return context.skip();
    expect(said.text).toContain(`SUCCESS: ${rules.length} rules found`);
    expect(said.status).toBe(0);
  });
});
