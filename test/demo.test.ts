import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import {
  DEMO_DEFAULTS,
  DEMO_PERSONAL,
  DEMO_TEAM,
  type DemoOptions,
  demoFeed,
  demoToday,
} from '@sightline/demo';
import { demoCommand } from '@sightline/demo/command';
import { REPORT_TYPE_DEFINITIONS, REPORT_TYPES, type ReportType, reportType } from '@sightline/reports';
import { describe, expect, it } from 'vitest';
import { importFiles } from '../packages/demo/src/import/write.ts';
import { restSchema } from '../schema/index.ts';
import { groupBy } from '../schema/insights/group-by.ts';
import type { RestRoute } from '../schema/rest-route.ts';
import { IN_EARNEST } from './faults/scale.ts';
import { data } from './support/graphql.ts';
import { type Line as FeedLine, startService } from './support/service.ts';
import { startSightline } from './support/sightline.ts';

type Line = Record<string, unknown> & { kind: string };

const TODAY = '2026-03-01';
/** In npm test, so many reports that each field still has all of its values. */
const reportCount = IN_EARNEST ? DEMO_DEFAULTS.reports : 5000;
const defaults: DemoOptions = { ...DEMO_DEFAULTS, today: TODAY, reports: reportCount };
const small: DemoOptions = { ...defaults, reports: 300, auditEvents: 100, days: 5 };

const toText = (options: DemoOptions) => [...demoFeed(options)].join('');
const parsed = (texts: readonly string[]) => texts.map(text => JSON.parse(text) as Line);
const toTexts = (chunk: string) => chunk.split('\n').slice(0, -1);
const toLines = (options: DemoOptions) => [...demoFeed(options)].flatMap(chunk => parsed(toTexts(chunk)));
/** Returns the reports of an account that contain one of these words. Parsing all reports would be slow. */
function listReports(account: string, words: readonly string[], options: DemoOptions): Line[] {
  const start = `{"kind":"report","accountId":"${account}",`;
  const isWanted = (text: string) => text.startsWith(start) && words.some(word => text.includes(word));
  return [...demoFeed(options)].flatMap(chunk => parsed(toTexts(chunk).filter(isWanted)));
}
const ofKind = (kind: string, among: readonly Line[]) => among.filter(line => line.kind === kind);
const listValues = (lines: readonly Line[], field: string) =>
  [...new Set(lines.map(line => line[field]))].sort();

const smallText = toText(small);
const text = toText(defaults);
const lines = parsed(toTexts(text));
const reports = ofKind('report', lines);

/** The fields of feed lines that are not reports. */
const FIELDS: Record<string, string> = {
  account: 'id type email teamName quotaLimit require2fa members createdAt',
  plan: 'accountId plan name tier status reportQuota collectHosts dataRetentionDays features',
  setup: 'accountId reportUri reportingApi nel dmarc tlsRpt',
  filters: 'accountId global advanced certificateTransparency samplingRates',
  policy: 'accountId id name policy',
  wizard: 'accountId active policy',
  watch: 'accountId product site emailAlertsEnabled webhookEnabled webhookTarget alertThreshold',
  finding: 'accountId product site uri policy count firstSeen lastSeen source enforced',
  verdict: 'accountId subjectKind site subject verdict reason owner decidedBy decidedAt',
  certificate: 'sha256 pem',
  auditEvent: 'accountId id timestamp event message loggedById loggedByEmail requestIp',
  usage: 'accountId type date filtered sampled rejected',
};

function toFields(line: Line): string[] {
  if (line.kind !== 'report') {
    expect(Object.keys(FIELDS), 'add the new kind with its fields to FIELDS of this test').toContain(
      line.kind,
    );
    return ['kind', ...FIELDS[line.kind]!.split(' ')];
  }
  const { fields, filterOnly } = reportType(line.type as ReportType);
  return ['kind', 'accountId', 'type', 'id', ...[...fields, ...filterOnly].map(({ name }) => name)];
}

describe('the demo feed', () => {
  it('is reproducible from its options and day', () => {
    expect(toText(small)).toBe(smallText);
  });

  it('differs for another seed or day', () => {
    expect(toText({ ...small, seed: 2 })).not.toBe(smallText);
    expect(toText({ ...small, today: '2026-03-02' })).not.toBe(smallText);
  });

  it('consists of chunks with whole lines', () => {
    const chunks = [...demoFeed({ ...small, reports: 1000 })];
    expect(chunks.length).toBeGreaterThan(10);
    expect(chunks.filter(chunk => !chunk.startsWith('{') || !chunk.endsWith('}\n'))).toEqual([]);
  });

  it.each([0, 1, 5, 6, 23])('contains no future dates at %i:30', hour => {
    const now = Date.parse(`${TODAY}T00:30:00Z`) + hour * 3_600_000;
    const early = toLines({ ...small, ...demoToday(now) });
    const times = early.flatMap(
      line => [line.date, line.timestamp, line.lastSeen].filter(Boolean) as string[],
    );
    expect(times.filter(time => time.length > 10 && Date.parse(time) > now)).toEqual([]);
    expect(times.length).toBeGreaterThan(300);
  });

  it('is generated only as far as it is read', () => {
    const feed = demoFeed({ ...defaults, reports: 1_000_000_000 });
    expect(feed.next().value).toContain(DEMO_PERSONAL);
    feed.return?.(undefined);
  });

  it('has lines of every kind except keys, which are secret', () => {
    const advice = 'the demo writes each kind (packages/demo), and FIELDS of this test lists it';
    expect(listValues(lines, 'kind'), advice).toEqual([...Object.keys(FIELDS), 'report'].sort());
  });

  it('has only fields that the feed defines', () => {
    const fields = new Map<string, Set<string>>();
    const unknown = lines.flatMap(line => {
      const kind = line.kind === 'report' ? `${line.type} report` : line.kind;
      if (!fields.has(kind)) fields.set(kind, new Set(toFields(line)));
      return Object.keys(line)
        .filter(name => !fields.get(kind)!.has(name))
        .map(name => `${kind}.${name}`);
    });
    expect(unknown).toEqual([]);
  });

  it('names only accounts that it contains', () => {
    const accounts = listValues(ofKind('account', lines), 'id');
    const named = listValues(
      lines.filter(line => 'accountId' in line),
      'accountId',
    );
    expect(named.filter(id => !accounts.includes(id))).toEqual([]);
  });
});

describe('the demo reports', () => {
  it('have the requested number', () => {
    expect(reports).toHaveLength(reportCount);
    expect(ofKind('report', toLines({ ...small, reports: 7 }))).toHaveLength(7);
    expect(ofKind('auditEvent', lines)).toHaveLength(DEMO_DEFAULTS.auditEvents);
  });

  it.each([DEMO_PERSONAL, DEMO_TEAM])('cover all types in %s', account => {
    const own = reports.filter(({ accountId }) => accountId === account);
    expect(listValues(own, 'type')).toEqual([...REPORT_TYPES].sort());
  });

  it.each(REPORT_TYPE_DEFINITIONS)(
    'of $type fill every field at least once',
    ({ type, fields, filterOnly }) => {
      const own = reports.filter(report => report.type === type);
      const isFilled = (value: unknown) =>
        value !== undefined &&
        value !== null &&
        value !== '' &&
        !(Array.isArray(value) && value.length === 0);
      const empty = [...fields, ...filterOnly]
        .filter(({ computed }) => !computed)
        .map(({ name }) => name)
        .filter(name => !own.some(report => isFilled(report[name])));
      expect(empty).toEqual([]);
    },
  );

  it.each(REPORT_TYPE_DEFINITIONS)('of $type use every possible value', ({ type, fields }) => {
    const own = reports.filter(report => report.type === type);
    const closed = fields.filter(({ values }) => values);
    expect(own).not.toEqual([]);
    expect(closed.map(({ name }) => listValues(own, name).filter(value => value !== ''))).toEqual(
      closed.map(({ values }) => [...values!].sort()),
    );
  });

  it('have unique ids within account and type', () => {
    const keys = reports.map(({ accountId, type, id }) => `${accountId} ${type} ${id}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each([1, 5, 400])('are within the %i days that end today', days => {
    const times = ofKind('report', toLines({ ...small, reports: 2000, days })).map(({ date }) =>
      String(date),
    );
    const first = new Date(Date.parse(TODAY) - (days - 1) * 86_400_000).toISOString().slice(0, 10);
    expect(times.filter(time => time.slice(0, 10) < first || time.slice(0, 10) > TODAY)).toEqual([]);
    expect(times[0]!.slice(0, 10)).toBe(first);
    expect(times.at(-1)!.slice(0, 10)).toBe(TODAY);
  });

  it('are sorted by time and not older than their account', () => {
    const dates = reports.map(({ date }) => String(date));
    expect(dates).toEqual(dates.toSorted());
    const createdAt = new Map(ofKind('account', lines).map(({ id, createdAt }) => [id, String(createdAt)]));
    expect(reports.filter(({ accountId, date }) => String(date) < createdAt.get(accountId)!)).toEqual([]);
  });

  it('contain the original report with the same values', () => {
    const own = reports.filter(({ type }) => type === 'csp');
    const differing = own.filter(({ raw, uri, blockedUri, directive, policy, action }) => {
      const original = JSON.parse(String(raw));
      const legacy = original['csp-report'];
      const said = legacy
        ? [legacy['document-uri'], legacy['blocked-uri'], legacy['effective-directive']]
        : [original.body.documentURL, original.body.blockedURL, original.body.effectiveDirective];
      const { disposition = '' } = legacy ?? original.body;
      const originalPolicy = legacy ? legacy['original-policy'] : original.body.originalPolicy;
      const expected = [uri, blockedUri, directive, policy, action === 'enforced' ? 'enforce' : 'report'];
      return JSON.stringify([...said, originalPolicy, disposition]) !== JSON.stringify(expected);
    });
    expect(differing).toEqual([]);
    expect(reports.every(({ raw }) => typeof JSON.parse(String(raw)) === 'object')).toBe(true);
  });

  it('of mail that fails DMARC have the disposition of the published policy', () => {
    const failing = reports.filter(
      ({ type, aligned, overrideReasons }) =>
        type === 'dmarc' && aligned === false && (overrideReasons as unknown[]).length === 0,
    );
    const found = new Set(
      failing.map(({ domain, headerFrom, disposition, publishedPolicy }) => {
        const { p, sp } = publishedPolicy as { p: string; sp: string };
        return JSON.stringify({ isOfDomain: headerFrom === domain, disposition, p, sp });
      }),
    );
    const policy = { p: 'quarantine', sp: 'reject' };
    expect([...found].sort()).toEqual([
      JSON.stringify({ isOfDomain: false, disposition: 'reject', ...policy }),
      JSON.stringify({ isOfDomain: true, disposition: 'quarantine', ...policy }),
    ]);
  });

  it('include threats in one to six percent of CSP reports', () => {
    const own = reports.filter(({ type }) => type === 'csp');
    const flags = ['indicatorOfCompromise', 'recentlyRegisteredDomain', 'lowReputationDomain', 'suspicious'];
    const share = own.filter(report => flags.some(flag => report[flag] === 1)).length / own.length;
    expect(share).toBeGreaterThan(0.01);
    expect(share).toBeLessThan(0.06);
  });

  it('have a heavy-tailed distribution of hosts', () => {
    const counts = new Map<string, number>();
    for (const { accountId, uri } of reports) {
      if (accountId !== DEMO_PERSONAL || uri === undefined) continue;
      const { hostname } = new URL(String(uri));
      counts.set(hostname, (counts.get(hostname) ?? 0) + 1);
    }
    const sizes = [...counts.values()].toSorted((a, b) => b - a);
    expect(sizes.length).toBeGreaterThan(30);
    expect(sizes[0]! / sizes.at(-1)!).toBeGreaterThan(20);
  });

  it('contain only hosts and addresses reserved for documentation', () => {
    const written = text.slice(text.indexOf('{"kind":"report",'));
    const named = written.match(/https?:\/\/[^/"\\ ;?]+/g)!;
    expect(named.length).toBeGreaterThan(reports.length);
    const foreign = named.filter(url => !/([/.]example\.(com|org|net)|\.(example|test))$/.test(url));
    expect(foreign).toEqual([]);
    const addresses = reports.map(({ serverIp, sourceIp }) => String(serverIp || sourceIp || '192.0.2.1'));
    expect(addresses.filter(ip => !/^(192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|2001:db8:)/.test(ip))).toEqual(
      [],
    );
  });

  it('assign the requested share to the largest account', { tags: 'slow' }, () => {
    const made = toText({ ...small, accounts: 100, reports: 2500, largest: 0.4 });
    const owners = [...made.matchAll(/^\{"kind":"report","accountId":"([^"]+)"/gm)].map(([, owner]) => owner);
    expect(owners).toHaveLength(2500);
    const share = owners.filter(owner => owner === DEMO_PERSONAL).length / owners.length;
    expect(share).toBeGreaterThan(0.36);
    expect(share).toBeLessThan(0.44);
    expect(new Set(owners).size).toBeGreaterThan(75);
  });
});

/** The largest account with its share of all reports; the other accounts do not affect it. */
const alone = {
  ...defaults,
  accounts: 1,
  largest: 1,
  reports: DEMO_DEFAULTS.reports * DEMO_DEFAULTS.largest,
};

const HOSTS = ['https://cdn.checkout-helper.test/', 'https://images.example.com/'];

/** Returns the reports of the largest account that contain the incidents. */
const listIncidents = (today: string) =>
  listReports(DEMO_PERSONAL, [...HOSTS, 'Newsletter Works Ltd', 'Fast Certs'], { ...alone, today });
const incidents = listIncidents(TODAY);

describe('the demo incidents', () => {
  const listDays = (among: readonly Line[]) =>
    listValues(among, 'date').map(date => String(date).slice(0, 10));
  const startsWith = (start: string) => (line: Line) => String(line.blockedUri).startsWith(start);

  it('include noise of browser extensions in every account with many CSP reports', () => {
    for (const account of [DEMO_PERSONAL, DEMO_TEAM]) {
      const csp = reports.filter(({ accountId, type }) => accountId === account && type === 'csp');
      const noise = csp.filter(({ blockedUri }) => String(blockedUri).endsWith('-extension'));
      expect(noise.length / csp.length).toBeGreaterThan(0.03);
    }
  });

  it('include a new script host that attacks many pages', () => {
    const isAttack = startsWith('https://cdn.checkout-helper.test/');
    expect(listValues(reports.filter(isAttack), 'accountId')).toEqual([DEMO_PERSONAL]);
    const attack = incidents.filter(isAttack);
    expect(listDays(attack)[0]! >= '2026-02-27').toBe(true);
    expect(listValues(attack, 'uri').length).toBeGreaterThan(10);
    const finding = ofKind('finding', lines).filter(({ uri }) => String(uri).includes('checkout-helper'));
    expect(finding).toMatchObject([{ accountId: DEMO_PERSONAL, product: 'script' }]);
  });

  it('include a deployment that broke a policy on one day', () => {
    const broken = incidents.filter(startsWith('https://images.example.com/'));
    expect(broken.length).toBeGreaterThan(10);
    expect(new Set(listDays(broken))).toEqual(new Set(['2026-02-24']));
  });

  it('include a sender whose mail starts to fail', () => {
    const sent = incidents.filter(
      ({ organisation, type }) => type === 'dmarc' && organisation === 'Newsletter Works Ltd',
    );
    const [before, since] = [true, false].map(isBefore =>
      sent.filter(({ date }) => String(date) < '2026-02-23' === isBefore),
    );
    expect(before!.filter(({ aligned }) => !aligned).length / before!.length).toBeLessThan(0.05);
    expect(since!.length).toBeGreaterThan(3);
    expect(since!.filter(({ aligned }) => aligned)).toEqual([]);
  });

  it('include an unexpected certificate', () => {
    const unordered = incidents.filter(({ issuer }) => String(issuer).includes('Fast Certs'));
    expect(unordered.length).toBeGreaterThan(0);
    expect(listDays(unordered)[0]! >= '2026-02-24').toBe(true);
    expect(listValues(unordered, 'commonName')).toEqual(['login.example.com']);
  });
});

describe('the demo incidents on any date', () => {
  it.each(['2025-01-01', '2026-11-20', '2028-02-29'])('include the documented certificate on %s', today => {
    const { sha256 } = (restSchema.getQueryType()!.getFields().certificate!.extensions.rest as RestRoute)
      .example!;
    for (const size of [1, 300]) {
      const made = toLines({ ...small, days: 120, reports: size, today });
      expect(made.at(-1)).toMatchObject({ kind: 'report', accountId: DEMO_PERSONAL, sha256 });
      expect(ofKind('certificate', made).filter(line => line.sha256 === sha256)).toHaveLength(1);
    }
  });

  const further = IN_EARNEST ? ['2027-01-04', '2028-02-29'] : [];
  it.each([TODAY, '2026-11-22', ...further])('stand out on %s', today => {
    const week = new Date(Date.parse(today) - 6 * 86_400_000).toISOString();
    const month = new Date(Date.parse(today) - 29 * 86_400_000).toISOString();
    const made = today === TODAY ? incidents : listIncidents(today);
    const own = made.filter(({ date }) => String(date) >= month);
    const count = (such: (line: Line) => unknown) =>
      own.filter(such).reduce((sum, { count }) => sum + Number(count), 0);
    const isOld = ({ date }: Line) => String(date) < week;
    for (const start of HOSTS) {
      expect(count(line => String(line.blockedUri).startsWith(start))).toBeGreaterThan(10);
      expect(count(line => String(line.blockedUri).startsWith(start) && isOld(line))).toBe(0);
    }
    const sent = (line: Line) => line.organisation === 'Newsletter Works Ltd' && line.type === 'dmarc';
    expect(count(line => sent(line) && !isOld(line) && line.aligned)).toBe(0);
    expect(count(line => sent(line) && !isOld(line))).toBeGreaterThan(10);
    const unordered = (line: Line) => String(line.issuer).includes('Fast Certs');
    expect([count(unordered) > 0, count(line => unordered(line) && isOld(line))]).toEqual([true, 0]);
  });
});

describe('the demo of "npm start"', () => {
  const plans = [{ today: TODAY, seed: 1 }, ...(IN_EARNEST ? [{ today: '2026-11-19', seed: 2 }] : [])];
  const twoAccounts = {
    ...defaults,
    accounts: 2,
    reports: IN_EARNEST ? 9000 : 3500,
    largest: 0.6,
    auditEvents: 10,
  };

  it('adds incidents to an otherwise equal feed, with unique ids and no future dates', {
    tags: 'slow',
  }, () => {
    const options = { ...small, days: 120, hoursOfToday: 0 };
    const [plain, more] = [toText(options), toText({ ...options, incidents: true })];
    expect(toText({ ...options, incidents: true })).toBe(more);
    const existing = new Set(plain.split('\n'));
    const added = parsed(more.split('\n').filter(line => !existing.has(line)));
    expect(more.split('\n').length).toBe(existing.size + added.length);
    expect(added.length).toBeGreaterThan(1000);
    expect(new Set(added.map(({ id }) => id)).size).toBe(added.length);
    expect(added.filter(({ date }) => String(date) >= TODAY)).toEqual([]);
    const differing = added.filter(({ type, raw, blockedUri }) => {
      const original = JSON.parse(String(raw));
      const said = original['csp-report']?.['blocked-uri'] ?? original.body?.blockedURL;
      return type === 'csp' && said !== blockedUri;
    });
    expect(differing).toEqual([]);
  });

  it.each(plans)('names its incidents in the overview on $today', { tags: 'slow' }, async options => {
    await using service = await startService({ now: `${options.today}T08:00:00Z` });
    await service.load(...(toLines({ ...twoAccounts, ...options, incidents: true }) as FeedLine[]));
    const list = async (kind: 'personal' | 'team', account: string): Promise<string[]> => {
      const query = '{ viewer { insights { kind severity subject } } }';
      const { viewer } = await data(service, await service.key(kind, account), query);
      return viewer.insights.map((one: Record<string, string>) =>
        [one.kind, one.severity, one.subject].join(' '),
      );
    };
    expect(await list('personal', DEMO_PERSONAL)).toEqual(
      expect.arrayContaining([
        'lookAlikeHost threat img.example.net',
        'newBlockedHost threat collect.pay-metrics.test',
        'newBlockedHost threat cdn.checkout-helper.test',
        'scriptChanged threat https://js.paywidget.example/v2/widget.js',
        'authenticationFails incident Ticketdesk Cloud',
        'ownHostBlocked incident images.example.com',
        'manyNewHosts notice couponbar.example',
        'silence change booking.example.com',
        expect.stringMatching(/^newIssuer incident .*Fast Certs/),
      ]),
    );
    expect(await list('team', DEMO_TEAM)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^networkError incident .*Kupfer Telekom/),
        expect.stringMatching(/^newFeature change .*MutationEvents/),
      ]),
    );
  });
});

describe('the demo accounts', () => {
  const accounts = ofKind('account', lines);
  const plans = ofKind('plan', lines);
  const getPlan = (id: string) => plans.find(({ accountId }) => accountId === id);

  it('include a personal and a team account with fixed ids, up to the requested number', () => {
    expect(accounts.slice(0, 2)).toMatchObject([
      { id: DEMO_PERSONAL, type: 'personal' },
      { id: DEMO_TEAM, type: 'team' },
    ]);
    expect(ofKind('account', toLines({ ...small, accounts: 1 }))).toHaveLength(1);
    expect(ofKind('account', toLines({ ...small, accounts: 30 }))).toHaveLength(30);
  });

  it('have the plans that their names suggest', () => {
    expect(getPlan(DEMO_PERSONAL)).toMatchObject({
      tier: 'enterprise',
      status: 'active',
      features: { threatIntelligence: true },
    });
    expect(getPlan(DEMO_TEAM)).toMatchObject({
      tier: 'business',
      status: 'active',
      features: { threatIntelligence: false },
    });
  });

  it('cover every tier and status', () => {
    expect(listValues(plans, 'tier')).toEqual(['business', 'enterprise', 'free', 'starter']);
    expect(listValues(plans, 'status')).toEqual(['active', 'canceled', 'inactive', 'past_due']);
  });

  it('include one without any configuration and one in its trial period', () => {
    for (const kind of ['plan', 'setup', 'filters', 'wizard', 'policy', 'watch']) {
      expect(ofKind(kind, lines).filter(({ accountId }) => accountId === 'demo-bare')).toEqual([]);
    }
    const trialBegan = Date.parse(TODAY) - 30 * 86_400_000;
    const inTrial = accounts.filter(({ createdAt }) => Date.parse(String(createdAt)) > trialBegan);
    expect(inTrial.map(({ id }) => id)).toEqual(['demo-trial']);
  });

  it('have members, starting with the owner', () => {
    const teams = accounts.filter(({ type }) => type === 'team');
    for (const { members } of teams as unknown as { members: { role: string }[] }[]) {
      expect(members.map(({ role }) => role).indexOf('owner')).toBe(0);
      expect(members.length).toBeGreaterThan(2);
    }
  });

  it('watch sites with all four products, with and without findings', () => {
    const watches = ofKind('watch', lines);
    const findings = ofKind('finding', lines);
    expect(listValues(watches, 'product')).toEqual(['data', 'frame', 'policy', 'script']);
    expect(listValues(findings, 'product')).toEqual(['data', 'frame', 'policy', 'script']);
    const toKey = ({ accountId, product, site }: Line) => `${accountId} ${product} ${site}`;
    const found = new Set(findings.map(toKey));
    expect(watches.filter(watch => !found.has(toKey(watch))).length).toBeGreaterThan(3);
    expect(findings.filter(finding => !watches.map(toKey).includes(toKey(finding)))).toEqual([]);
  });

  it('have findings with unique keys and valid dates', () => {
    const findings = ofKind('finding', lines);
    const keys = findings.map(line =>
      [line.accountId, line.product, line.site, line.uri ?? line.policy].join(' '),
    );
    expect(new Set(keys).size).toBe(keys.length);
    const wrong = findings.filter(
      ({ firstSeen, lastSeen }) => String(firstSeen) > String(lastSeen) || String(lastSeen) > TODAY,
    );
    expect(wrong).toEqual([]);
  });

  it('have an audit trail of more than a page, including events without a request', () => {
    const trail = ofKind('auditEvent', lines).filter(({ accountId }) => accountId === DEMO_PERSONAL);
    expect(trail.length).toBeGreaterThan(1000);
    expect(trail.some(({ requestIp }) => requestIp === '')).toBe(true);
    expect(listValues(trail, 'event')).toHaveLength(12);
    expect(new Set(trail.map(({ id }) => id)).size).toBe(trail.length);
  });
});

describe('the demo certificates', () => {
  const certificates = new Map(
    ofKind('certificate', lines).map(({ sha256, pem }) => [sha256, new X509Certificate(String(pem))]),
  );
  const hex = (fingerprint: string) => fingerprint.replaceAll(':', '').toLowerCase();

  it('are real and stored under their SHA-256', () => {
    expect(certificates.size).toBeGreaterThan(50);
    for (const [sha256, certificate] of certificates) expect(hex(certificate.fingerprint256)).toBe(sha256);
  });

  it('match the reports about them', () => {
    const own = reports.filter(({ type }) => type === 'certificate_transparency');
    const hashes = new Map(
      [...certificates.values()].map(certificate => [certificate, spkiHash(certificate)]),
    );
    const wrong = own.filter(report => {
      const certificate = certificates.get(report.sha256)!;
      const names = (report.hostnames as string[]).map(name => `DNS:${name}`).join(', ');
      // Every demo contains the documented report, though possibly with a later time.
      const isDocumented = report === own.at(-1);
      return !(
        certificate.subjectAltName === names &&
        certificate.subject === `CN=${report.commonName}` &&
        certificate.issuer.split('\n').join(', ') === report.issuer &&
        certificate.serialNumber.toLowerCase() === report.serialNumber &&
        Date.parse(certificate.validFrom) === Date.parse(String(report.notBefore)) &&
        Date.parse(certificate.validTo) === Date.parse(String(report.notAfter)) &&
        hashes.get(certificate) === report.sha256Spki &&
        (isDocumented || String(report.date) >= String(report.notBefore))
      );
    });
    expect(own).not.toEqual([]);
    expect(wrong).toEqual([]);
  });
});

describe('sightline demo', () => {
  const refusal = (...options: string[]) => {
    let said = '';
    const command = demoCommand()
      .exitOverride()
      .configureOutput({
        writeErr: text => {
          said += text;
        },
      });
    return command.parseAsync(options, { from: 'user' }).then(
      () => undefined,
      () => said,
    );
  };

  it.each([
    ['--accounts', '0'],
    ['--reports', '1e3'],
    ['--audit-events', '-1'],
    ['--days', 'many'],
    ['--seed', '4294967296'],
    ['--largest', '1.1'],
    ['--today', '2026-02-30'],
  ])('rejects %s %s and names the option', async (option, value) => {
    expect(await refusal(option, value)).toMatch(
      new RegExp(`option '${option} <\\w+>' argument '${value}' is invalid`),
    );
  });

  it('writes the feed to standard output', { tags: 'slow' }, async () => {
    const child = startDemo('--today', TODAY, '--reports', '300', '--audit-events', '100', '--days', '5');
    let written = '';
    for await (const chunk of child.stdout!.setEncoding('utf8')) written += chunk;
    expect(written).toBe(smallText);
  });

  it('exits silently when the reader closes the pipe', { tags: 'slow' }, async () => {
    const child = startDemo('--reports', '10000000');
    let complaint = '';
    child.stderr!.setEncoding('utf8').on('data', text => {
      complaint += text;
    });
    const [first] = await once(createInterface(child.stdout!), 'line');
    child.stdout!.destroy();
    const [code] = await once(child, 'close');
    expect(JSON.parse(first)).toMatchObject({ kind: 'account', id: DEMO_PERSONAL });
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
  });
});

function spkiHash({ publicKey }: X509Certificate): string {
  return createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('hex');
}

function startDemo(...options: string[]) {
  return startSightline(['demo', ...options]);
}

/** The most different values of a field that a summary names, and the most characters of one. */
const [MOST, LONGEST] = [8, 30];

const digest = (content: string | Uint8Array) =>
  createHash('sha256').update(content).digest('hex').slice(0, 12);

/** Summarizes lines of a kind: their digest, and for each field its values, or their number and digest. */
function* summarize(name: string, group: readonly Line[]): Generator<string> {
  yield `${name}: ${group.length}, ${digest(JSON.stringify(group))}`;
  const fields = new Set(group.flatMap(line => Object.keys(line)));
  for (const field of [...fields].filter(known => !['kind', 'accountId', 'type'].includes(known))) {
    const groups = groupBy(group, line => JSON.stringify(line[field]) ?? 'none');
    const values = [...groups.keys()];
    const areFew = values.length <= MOST && values.every(value => value.length <= LONGEST);
    const said = areFew
      ? [...groups].map(([value, { length }]) => `${value} × ${length}`)
      : [`${values.length} values, ${digest(values.join())}`];
    yield `  ${field}: ${said.join(', ')}`;
  }
}

const summarizeAll = (groups: ReadonlyMap<string, readonly Line[]>) =>
  [...groups].flatMap(([name, group]) => [...summarize(name, group)]);

describe('what the demo has always been', () => {
  it('is the same accounts, settings and reports of a day', { tags: 'slow' }, async () => {
    const settings = lines.filter(({ kind }) => kind !== 'report');
    const said = [
      ...summarizeAll(groupBy(settings, ({ kind }) => String(kind))),
      ...summarizeAll(groupBy(reports, ({ type }) => `${type} report`)),
      ...[...groupBy(lines, ({ accountId, id, kind }) => `${accountId ?? id ?? 'all'} ${kind}`)].map(
        ([account, group]) => `${account}: ${group.length}, ${digest(JSON.stringify(group))}`,
      ),
      ...[...groupBy(reports, ({ date }) => String(date).slice(0, 7))].map(
        ([month, group]) => `${month}: ${group.length} reports`,
      ),
      `{}: ${digest(smallText)}`,
      ...[{ accounts: 30 }, { seed: 2 }, { hoursOfToday: 0 }, { largest: 1 }, { incidents: true }].map(
        change => `${JSON.stringify(change)}: ${digest(toText({ ...small, ...change }))}`,
      ),
    ];
    await expect(`${said.join('\n')}\n`).toMatchFileSnapshot(
      `./recorded/demo-feed${IN_EARNEST ? '' : '-short'}.txt`,
    );
  });

  it('is the same files for an import', async () => {
    const said = importFiles(TODAY).map(({ path, content, modified }) =>
      [path, content.length, digest(content), modified && new Date(modified).toISOString()]
        .filter(Boolean)
        .join(' '),
    );
    await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('./recorded/demo-import.txt');
  });
});
