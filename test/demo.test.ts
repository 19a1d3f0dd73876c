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
import { restSchema } from '../schema/index.ts';
import type { RestRoute } from '../schema/rest-route.ts';
import { startSightline } from './support/sightline.ts';

type Line = Record<string, unknown> & { kind: string };

const TODAY = '2026-03-01';
const defaults: DemoOptions = { ...DEMO_DEFAULTS, today: TODAY };
const small: DemoOptions = { ...defaults, reports: 300, auditEvents: 100, days: 5 };

const textOf = (options: DemoOptions) => [...demoFeed(options)].join('');
const parsed = (texts: readonly string[]) => texts.map(text => JSON.parse(text) as Line);
const textsOf = (chunk: string) => chunk.split('\n').slice(0, -1);
const linesOf = (options: DemoOptions) => [...demoFeed(options)].flatMap(chunk => parsed(textsOf(chunk)));
/** Those of one account that have one of such words: to parse them takes most of the time. */
function reportsOf(account: string, words: readonly string[], options: DemoOptions): Line[] {
  const start = `{"kind":"report","accountId":"${account}",`;
  const isWanted = (text: string) => text.startsWith(start) && words.some(word => text.includes(word));
  return [...demoFeed(options)].flatMap(chunk => parsed(textsOf(chunk).filter(isWanted)));
}
const ofKind = (kind: string, among: readonly Line[]) => among.filter(line => line.kind === kind);
const valuesOf = (lines: readonly Line[], field: string) =>
  [...new Set(lines.map(line => line[field]))].sort();

const smallText = textOf(small);
const text = textOf(defaults);
const lines = parsed(textsOf(text));
const reports = ofKind('report', lines);

/** The fields of the feed's lines, but for reports. */
const FIELDS: Record<string, string> = {
  account: 'id type email teamName quotaLimit require2fa members createdAt',
  plan: 'accountId plan name tier status reportQuota collectHosts dataRetentionDays features',
  setup: 'accountId reportUri reportingApi nel dmarc tlsRpt',
  filters: 'accountId global advanced certificateTransparency samplingRates',
  policy: 'accountId id name policy',
  wizard: 'accountId active policy',
  watch: 'accountId product site emailAlertsEnabled webhookEnabled webhookTarget alertThreshold',
  finding: 'accountId product site uri policy count firstSeen lastSeen source enforced',
  authorisation: 'accountId site pattern owner justification approvedBy approvedAt hashes',
  certificate: 'sha256 pem',
  auditEvent: 'accountId id timestamp event message loggedById loggedByEmail requestIp',
  usage: 'accountId type date filtered sampled rejected',
};

function fieldsOf(line: Line): string[] {
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
  it('is the same for the same options and day', () => {
    expect(textOf(small)).toBe(smallText);
  });

  it('differs with another seed, and with another day', () => {
    expect(textOf({ ...small, seed: 2 })).not.toBe(smallText);
    expect(textOf({ ...small, today: '2026-03-02' })).not.toBe(smallText);
  });

  it('comes in chunks of whole lines', () => {
    const chunks = [...demoFeed({ ...small, reports: 1000 })];
    expect(chunks.length).toBeGreaterThan(10);
    expect(chunks.filter(chunk => !chunk.startsWith('{') || !chunk.endsWith('}\n'))).toEqual([]);
  });

  it.each([0, 1, 5, 6, 23])('has nothing of the future at %i:30', hour => {
    const now = Date.parse(`${TODAY}T00:30:00Z`) + hour * 3_600_000;
    const early = linesOf({ ...small, ...demoToday(now) });
    const times = early.flatMap(
      line => [line.date, line.timestamp, line.lastSeen].filter(Boolean) as string[],
    );
    expect(times.filter(time => time.length > 10 && Date.parse(time) > now)).toEqual([]);
    expect(times.length).toBeGreaterThan(300);
  });

  it('makes no more of it than is read', () => {
    const feed = demoFeed({ ...defaults, reports: 1_000_000_000 });
    expect(feed.next().value).toContain(DEMO_PERSONAL);
    feed.return?.(undefined);
  });

  it('has lines of every kind but keys, which are secret', () => {
    const advice = 'the demo writes each kind (packages/demo), and FIELDS of this test lists it';
    expect(valuesOf(lines, 'kind'), advice).toEqual([...Object.keys(FIELDS), 'report'].sort());
  });

  it('has no field that the feed does not name', () => {
    const fields = new Map<string, Set<string>>();
    const unknown = lines.flatMap(line => {
      const kind = line.kind === 'report' ? `${line.type} report` : line.kind;
      if (!fields.has(kind)) fields.set(kind, new Set(fieldsOf(line)));
      return Object.keys(line)
        .filter(name => !fields.get(kind)!.has(name))
        .map(name => `${kind}.${name}`);
    });
    expect(unknown).toEqual([]);
  });

  it('names no account that it does not have', () => {
    const accounts = valuesOf(ofKind('account', lines), 'id');
    const named = valuesOf(
      lines.filter(line => 'accountId' in line),
      'accountId',
    );
    expect(named.filter(id => !accounts.includes(id))).toEqual([]);
  });
});

describe('its reports', () => {
  it('are as many as asked for', () => {
    expect(reports).toHaveLength(DEMO_DEFAULTS.reports);
    expect(ofKind('report', linesOf({ ...small, reports: 7 }))).toHaveLength(7);
    expect(ofKind('auditEvent', lines)).toHaveLength(DEMO_DEFAULTS.auditEvents);
  });

  it.each([DEMO_PERSONAL, DEMO_TEAM])('are of all types in %s', account => {
    const own = reports.filter(({ accountId }) => accountId === account);
    expect(valuesOf(own, 'type')).toEqual([...REPORT_TYPES].sort());
  });

  it.each(REPORT_TYPE_DEFINITIONS)('of $type fill every field somewhere', ({ type, fields, filterOnly }) => {
    const own = reports.filter(report => report.type === type);
    const isFilled = (value: unknown) =>
      value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
    const empty = [...fields, ...filterOnly]
      .filter(({ computed }) => !computed)
      .map(({ name }) => name)
      .filter(name => !own.some(report => isFilled(report[name])));
    expect(empty).toEqual([]);
  });

  it.each(REPORT_TYPE_DEFINITIONS)('of $type use every known value', ({ type, fields }) => {
    const own = reports.filter(report => report.type === type);
    for (const { name, values } of fields) {
      if (values) expect(valuesOf(own, name).filter(value => value !== '')).toEqual([...values].sort());
    }
  });

  it('have ids that are unique in account and type', () => {
    const keys = reports.map(({ accountId, type, id }) => `${accountId} ${type} ${id}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each([1, 5, 400])('lie within %i days that end with today', days => {
    const times = ofKind('report', linesOf({ ...small, reports: 2000, days })).map(({ date }) =>
      String(date),
    );
    const first = new Date(Date.parse(TODAY) - (days - 1) * 86_400_000).toISOString().slice(0, 10);
    expect(times.filter(time => time.slice(0, 10) < first || time.slice(0, 10) > TODAY)).toEqual([]);
    expect(times[0]!.slice(0, 10)).toBe(first);
    expect(times.at(-1)!.slice(0, 10)).toBe(TODAY);
  });

  it('come in the order of their time, and not before their account', () => {
    const dates = reports.map(({ date }) => String(date));
    expect(dates).toEqual(dates.toSorted());
    const createdAt = new Map(ofKind('account', lines).map(({ id, createdAt }) => [id, String(createdAt)]));
    expect(reports.filter(({ accountId, date }) => String(date) < createdAt.get(accountId)!)).toEqual([]);
  });

  it('carry the original report, which says the same', () => {
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

  it('name threats in a few of a hundred', () => {
    const own = reports.filter(({ type }) => type === 'csp');
    const flags = ['indicatorOfCompromise', 'recentlyRegisteredDomain', 'lowReputationDomain', 'suspicious'];
    const share = own.filter(report => flags.some(flag => report[flag] === 1)).length / own.length;
    expect(share).toBeGreaterThan(0.01);
    expect(share).toBeLessThan(0.06);
  });

  it('have a heavy tail of hosts', () => {
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

  it('name only hosts and addresses that are reserved for examples', () => {
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

  it('give the largest account its share', () => {
    const made = textOf({ ...small, accounts: 100, reports: 2500, largest: 0.4 });
    const owners = [...made.matchAll(/^\{"kind":"report","accountId":"([^"]+)"/gm)].map(([, owner]) => owner);
    expect(owners).toHaveLength(2500);
    const share = owners.filter(owner => owner === DEMO_PERSONAL).length / owners.length;
    expect(share).toBeGreaterThan(0.36);
    expect(share).toBeLessThan(0.44);
    expect(new Set(owners).size).toBeGreaterThan(75);
  });
});

describe('its stories', () => {
  const own = reports.filter(({ accountId }) => accountId === DEMO_PERSONAL);
  const daysOf = (among: readonly Line[]) => valuesOf(among, 'date').map(date => String(date).slice(0, 10));
  const startsWith = (start: string) => (line: Line) => String(line.blockedUri).startsWith(start);

  it('have the noise of browser extensions in every account with many CSP reports', () => {
    for (const account of [DEMO_PERSONAL, DEMO_TEAM]) {
      const csp = reports.filter(({ accountId, type }) => accountId === account && type === 'csp');
      const noise = csp.filter(({ blockedUri }) => String(blockedUri).endsWith('-extension'));
      expect(noise.length / csp.length).toBeGreaterThan(0.03);
    }
  });

  it('have a script host that attacks many pages, and was never seen before', () => {
    const attack = reports.filter(startsWith('https://cdn.checkout-helper.test/'));
    expect(new Set(attack.map(({ accountId }) => accountId))).toEqual(new Set([DEMO_PERSONAL]));
    expect(daysOf(attack)[0]! >= '2026-02-27').toBe(true);
    expect(valuesOf(attack, 'uri').length).toBeGreaterThan(10);
    const finding = ofKind('finding', lines).filter(({ uri }) => String(uri).includes('checkout-helper'));
    expect(finding).toMatchObject([{ accountId: DEMO_PERSONAL, product: 'script' }]);
  });

  it('have a deploy that broke a policy, on one day', () => {
    const broken = own.filter(startsWith('https://images.'));
    expect(broken.length).toBeGreaterThan(10);
    expect(new Set(daysOf(broken))).toEqual(new Set(['2026-02-24']));
  });

  it('have a sender whose mail begins to fail', () => {
    const sent = own.filter(
      ({ organisation, type }) => type === 'dmarc' && organisation === 'Newsletter Works Ltd',
    );
    const [before, since] = [true, false].map(isBefore =>
      sent.filter(({ date }) => String(date) < '2026-02-23' === isBefore),
    );
    expect(before!.filter(({ aligned }) => !aligned).length / before!.length).toBeLessThan(0.05);
    expect(since!.length).toBeGreaterThan(3);
    expect(since!.filter(({ aligned }) => aligned)).toEqual([]);
  });

  it('have a certificate that was not ordered', () => {
    const unordered = own.filter(({ issuer }) => String(issuer).includes('Fast Certs'));
    expect(unordered.length).toBeGreaterThan(0);
    expect(daysOf(unordered)[0]! >= '2026-02-24').toBe(true);
    expect(valuesOf(unordered, 'commonName')).toEqual(['login.example.com']);
  });
});

describe('its stories, on any date', () => {
  it.each(['2025-01-01', '2026-11-20', '2028-02-29'])('have the documented certificate on %s', today => {
    const { sha256 } = (restSchema.getQueryType()!.getFields().certificate!.extensions.rest as RestRoute)
      .example!;
    for (const size of [1, 300]) {
      const made = linesOf({ ...small, days: 120, reports: size, today });
      expect(made.at(-1)).toMatchObject({ kind: 'report', accountId: DEMO_PERSONAL, sha256 });
      expect(ofKind('certificate', made).filter(line => line.sha256 === sha256)).toHaveLength(1);
    }
  });

  /** The largest account with as many reports as it has of all: the others have no say in its stories. */
  const alone = { ...defaults, accounts: 1, largest: 1, reports: defaults.reports * defaults.largest };

  it.each(['2026-03-01', '2026-11-22', '2027-01-04', '2028-02-29'])('stand out on %s', today => {
    const week = new Date(Date.parse(today) - 6 * 86_400_000).toISOString();
    const month = new Date(Date.parse(today) - 29 * 86_400_000).toISOString();
    const hosts = ['https://cdn.checkout-helper.test/', 'https://images.example.com/'];
    const words = [...hosts, 'Newsletter Works Ltd', 'Fast Certs'];
    const made = today === TODAY ? reports : reportsOf(DEMO_PERSONAL, words, { ...alone, today });
    const own = made.filter(({ accountId, date }) => accountId === DEMO_PERSONAL && String(date) >= month);
    const countOf = (such: (line: Line) => unknown) =>
      own.filter(such).reduce((sum, { count }) => sum + Number(count), 0);
    const isOld = ({ date }: Line) => String(date) < week;
    for (const start of hosts) {
      expect(countOf(line => String(line.blockedUri).startsWith(start))).toBeGreaterThan(10);
      expect(countOf(line => String(line.blockedUri).startsWith(start) && isOld(line))).toBe(0);
    }
    const sent = (line: Line) => line.organisation === 'Newsletter Works Ltd' && line.type === 'dmarc';
    expect(countOf(line => sent(line) && !isOld(line) && line.aligned)).toBe(0);
    expect(countOf(line => sent(line) && !isOld(line))).toBeGreaterThan(10);
    const unordered = (line: Line) => String(line.issuer).includes('Fast Certs');
    expect([countOf(unordered) > 0, countOf(line => unordered(line) && isOld(line))]).toEqual([true, 0]);
  });
});

describe('its accounts', () => {
  const accounts = ofKind('account', lines);
  const plans = ofKind('plan', lines);
  const planOf = (id: string) => plans.find(({ accountId }) => accountId === id);

  it('are a personal and a team one whose ids are known, and as many more as asked for', () => {
    expect(accounts.slice(0, 2)).toMatchObject([
      { id: DEMO_PERSONAL, type: 'personal' },
      { id: DEMO_TEAM, type: 'team' },
    ]);
    expect(ofKind('account', linesOf({ ...small, accounts: 1 }))).toHaveLength(1);
    expect(ofKind('account', linesOf({ ...small, accounts: 30 }))).toHaveLength(30);
  });

  it('have the plans that their names promise', () => {
    expect(planOf(DEMO_PERSONAL)).toMatchObject({
      tier: 'enterprise',
      status: 'active',
      features: { threatIntelligence: true },
    });
    expect(planOf(DEMO_TEAM)).toMatchObject({
      tier: 'business',
      status: 'active',
      features: { threatIntelligence: false },
    });
  });

  it('cover every tier and status', () => {
    expect(valuesOf(plans, 'tier')).toEqual(['business', 'enterprise', 'free', 'starter']);
    expect(valuesOf(plans, 'status')).toEqual(['active', 'canceled', 'inactive', 'past_due']);
  });

  it('include one without any record of its configuration, and one in its trial', () => {
    for (const kind of ['plan', 'setup', 'filters', 'wizard', 'policy', 'watch']) {
      expect(ofKind(kind, lines).filter(({ accountId }) => accountId === 'demo-bare')).toEqual([]);
    }
    const trialBegan = Date.parse(TODAY) - 30 * 86_400_000;
    const inTrial = accounts.filter(({ createdAt }) => Date.parse(String(createdAt)) > trialBegan);
    expect(inTrial.map(({ id }) => id)).toEqual(['demo-trial']);
  });

  it('have members, the owner first', () => {
    const teams = accounts.filter(({ type }) => type === 'team');
    for (const { members } of teams as unknown as { members: { role: string }[] }[]) {
      expect(members.map(({ role }) => role).indexOf('owner')).toBe(0);
      expect(members.length).toBeGreaterThan(2);
    }
  });

  it('watch sites with all four products, with findings and without', () => {
    const watches = ofKind('watch', lines);
    const findings = ofKind('finding', lines);
    expect(valuesOf(watches, 'product')).toEqual(['data', 'frame', 'policy', 'script']);
    expect(valuesOf(findings, 'product')).toEqual(['data', 'frame', 'policy', 'script']);
    const keyOf = ({ accountId, product, site }: Line) => `${accountId} ${product} ${site}`;
    const found = new Set(findings.map(keyOf));
    expect(watches.filter(watch => !found.has(keyOf(watch))).length).toBeGreaterThan(3);
    expect(findings.filter(finding => !watches.map(keyOf).includes(keyOf(finding)))).toEqual([]);
  });

  it('have findings with keys of their own, seen in this order and not in the future', () => {
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

  it('have an audit trail of more than a page, some of it without a request', () => {
    const trail = ofKind('auditEvent', lines).filter(({ accountId }) => accountId === DEMO_PERSONAL);
    expect(trail.length).toBeGreaterThan(1000);
    expect(trail.some(({ requestIp }) => requestIp === '')).toBe(true);
    expect(valuesOf(trail, 'event')).toHaveLength(12);
    expect(new Set(trail.map(({ id }) => id)).size).toBe(trail.length);
  });
});

describe('its certificates', () => {
  const certificates = new Map(
    ofKind('certificate', lines).map(({ sha256, pem }) => [sha256, new X509Certificate(String(pem))]),
  );
  const hex = (fingerprint: string) => fingerprint.replaceAll(':', '').toLowerCase();

  it('are real ones, under their SHA-256', () => {
    expect(certificates.size).toBeGreaterThan(50);
    for (const [sha256, certificate] of certificates) expect(hex(certificate.fingerprint256)).toBe(sha256);
  });

  it('are what the reports say of them', () => {
    const own = reports.filter(({ type }) => type === 'certificate_transparency');
    const hashes = new Map(
      [...certificates.values()].map(certificate => [certificate, spkiHash(certificate)]),
    );
    const wrong = own.filter(report => {
      const certificate = certificates.get(report.sha256)!;
      const names = (report.hostnames as string[]).map(name => `DNS:${name}`).join(', ');
      // The documented one is the same in each demo, and may be of a later time.
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
  ])('refuses %s %s and names the option', async (option, value) => {
    expect(await refusal(option, value)).toMatch(
      new RegExp(`option '${option} <\\w+>' argument '${value}' is invalid`),
    );
  });

  it('writes the feed to standard output', async () => {
    const child = startDemo('--today', TODAY, '--reports', '300', '--audit-events', '100', '--days', '5');
    let written = '';
    for await (const chunk of child.stdout!.setEncoding('utf8')) written += chunk;
    expect(written).toBe(smallText);
  });

  it('ends without a complaint when its reader has enough', async () => {
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
