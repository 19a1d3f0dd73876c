import { REPORT_TYPE_DEFINITIONS, type ReportField, type ReportType } from '@sightline/reports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  account,
  apiKey,
  auditEvent,
  CERTIFICATE,
  createFeedDatabase,
  type FeedDatabase,
  finding,
  plan,
  report,
  toText,
  watch,
} from './lines.ts';

let database: FeedDatabase;
beforeAll(async () => {
  database = await createFeedDatabase();
  await database.load(account('a'), account('b'));
});
afterAll(() => database[Symbol.asyncDispose]());

async function only(table: string, where = 'true'): Promise<Record<string, unknown>> {
  const rows = await database.rows(`select * from ${table} where ${where}`);
  expect(rows).toHaveLength(1);
  return rows[0]!;
}

/** With arrays and numbers as such, which the driver does not know here. */
async function onlyReport(type: string, id: string): Promise<Record<string, unknown>> {
  const { row } = await only(
    `(select to_jsonb(r) as row from report r where type = '${type}' and id = '${id}') r`,
  );
  return row as Record<string, unknown>;
}

describe('stores every kind as the feed gave it', () => {
  it('account: personal', async () => {
    expect(await only('account', `id = 'a'`)).toMatchObject({
      type: 'personal',
      email: 'a@example.org',
      team_name: null,
      created_at: new Date('2026-01-01T00:00:00Z'),
    });
  });

  it('account: team', async () => {
    const members = [{ email: 'o@example.org', role: 'owner' }];
    await database.load(
      account('t', { type: 'team', email: null, teamName: 'T', quotaLimit: 7, require2fa: true, members }),
    );
    expect(await only('account', `id = 't'`)).toMatchObject({
      type: 'team',
      email: null,
      team_name: 'T',
      quota_limit: '7',
      require_2fa: true,
      members,
    });
  });

  it('apiKey', async () => {
    const sha256 = 'AB'.repeat(32);
    await database.load(
      apiKey('k', 'a', { sha256, name: 'tab\tand \\ and "', expiresAt: '2027-01-01T00:00:00-05:00' }),
    );
    expect(await only('api_key', `id = 'k'`)).toMatchObject({
      account_id: 'a',
      digest: Buffer.from(sha256, 'hex'),
      name: 'tab\tand \\ and "',
      expires_at: new Date('2027-01-01T05:00:00Z'),
      revoked_at: null,
    });
  });

  it('plan', async () => {
    const line = plan('a');
    await database.load(line);
    expect(await only('plan', `account_id = 'a'`)).toMatchObject({
      plan: 'business-2026',
      tier: 'business',
      data_retention_days: '90',
      features: line.features,
    });
  });

  it('setup', async () => {
    const setup = {
      reportUri: { enforce: 'https://a', reportOnly: 'https://b', wizard: 'https://c' },
      reportingApi: {
        group: 'g',
        max_age: 60,
        endpoints: [{ url: 'https://d' }],
        include_subdomains: true,
      },
      nel: { report_to: 'g', max_age: 60, include_subdomains: false },
    };
    await database.load({ kind: 'setup', accountId: 'a', ...setup, dmarc: 'd@x', tlsRpt: 't@x' });
    expect(await only('setup')).toMatchObject({
      report_uri: setup.reportUri,
      reporting_api: setup.reportingApi,
      nel: setup.nel,
      dmarc: 'd@x',
      tls_rpt: 't@x',
    });
  });

  it('filters, each part as far as it is given', async () => {
    const global = { sites: ['example.org'], minimumClientReputation: 5 };
    await database.load({ kind: 'filters', accountId: 'a', global, samplingRates: { csp: 50, wizard: 1 } });
    expect(await only('filter_configuration')).toMatchObject({
      global,
      advanced: {},
      certificate_transparency: {},
      sampling_rates: { csp: 50, wizard: 1 },
    });
  });

  it('policy and wizard', async () => {
    const policy = "default-src 'self';\n  img-src *";
    await database.load(
      { kind: 'policy', accountId: 'a', id: 'p', name: 'P', policy },
      { kind: 'wizard', accountId: 'a', active: true, policy },
    );
    expect(await only('csp_policy')).toMatchObject({ id: 'p', name: 'P', policy });
    expect(await only('csp_wizard')).toMatchObject({ active: true, policy });
  });

  it('watch and finding, known by the host name as it is compared', async () => {
    await database.load(
      watch('a', { site: 'WWW.Bücher.Example.' }),
      finding('a', { site: 'www.bücher.example' }),
      finding('a', { product: 'policy', uri: null, policy: 'x', source: null, enforced: true }),
    );
    expect(await only('watch')).toMatchObject({
      site: 'WWW.Bücher.Example.',
      site_key: 'www.xn--bcher-kva.example',
      webhook_target: null,
      alert_threshold: '5',
    });
    expect(await only('watch_finding', `site_key = 'www.xn--bcher-kva.example'`)).toMatchObject({
      subject: 'https://cdn.example/x.js',
      count: '3',
      source: 'csp',
      enforced: null,
    });
    expect(await only('watch_finding', `product = 'policy'`)).toMatchObject({
      subject: 'x',
      source: null,
      enforced: true,
    });
  });

  it('certificate', async () => {
    await database.load({ kind: 'certificate', ...CERTIFICATE, sha256: CERTIFICATE.sha256.toUpperCase() });
    expect(await only('certificate')).toEqual(CERTIFICATE);
  });

  it('auditEvent, to the microsecond', async () => {
    await database.load(auditEvent('e', 'a'));
    expect(await only(`(select *, timestamp::text as text from audit_event) e`)).toMatchObject({
      text: '2026-05-10 10:00:00.123456+00',
      event: 'loginSucceeded',
      request_ip: '',
    });
  });

  it('usage', async () => {
    const usage = { kind: 'usage', accountId: 'a', type: 'nel', date: '2026-02-28' };
    await database.load({ ...usage, filtered: 1, sampled: 2, rejected: 3 });
    expect(await only('(select *, date::text as day from report_usage) u')).toMatchObject({
      type: 'nel',
      day: '2026-02-28',
      filtered: '1',
      sampled: '2',
      rejected: '3',
    });
  });
});

/** The `extra` of a report that gives none of its fields; null for the other types. */
const NOTHING_EXTRA: Partial<Record<ReportType, object>> = {
  tls_rpt: { successfulSessions: 0, failedSessions: 0 },
  // Its original was read, and has nothing.
  csp: {},
};

/** A value of the field that tells it from all others. */
function sample(field: ReportField, number: number): unknown {
  switch (field.kind) {
    case 'text':
      return field.values?.[0] ?? `${field.name.toLowerCase()} "${number}" \\. \t { , } é`;
    case 'integer':
      return number;
    case 'number':
      return 0.25;
    case 'timestamp':
      return '2026-03-04T05:06:07+00:00';
    case 'date':
      return '2026-03-04';
    case 'boolean':
      return true;
    case 'flag':
      return 1;
    case 'texts':
      return ['a"b', 'c\\d', 'e,f', '', 'null', '{}', 'é日😀'];
    case 'object':
      return samples(field.fields!);
    case 'objects':
      return [samples(field.fields!), samples(field.fields!.slice(0, 1))];
  }
}

function samples(fields: readonly ReportField[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field, index) => [field.name, sample(field, index + 1)]));
}

describe.each(REPORT_TYPE_DEFINITIONS)('a report of type $type', ({ type, fields, filterOnly }) => {
  const given = [...fields, ...filterOnly].filter(
    ({ name, computed }) => !['id', 'date', 'policy'].includes(name) && !computed,
  );

  it('keeps every field', async () => {
    await database.load(report('full', { type, ...samples(given) }));
    const row = await onlyReport(type, 'full');
    const extra = (row.extra ?? {}) as Record<string, unknown>;
    const kept = Object.fromEntries(
      given.map(({ name, column, kind }) => {
        const value = column ? row[column] : extra[name];
        return [name, kind === 'flag' ? Number(value) : value];
      }),
    );
    expect(kept).toEqual(samples(given));
  });

  it('needs nothing but its key, its date and what cannot be unknown', async () => {
    const needed = fields.filter(({ name, kind, nullable }) => {
      return !nullable && kind === 'boolean' && name !== 'potential';
    });
    await database.load(report('bare', { type, ...samples(needed) }));
    const row = await onlyReport(type, 'bare');
    expect(row).toMatchObject({ count: 1, raw: '', uri: null, suspicious: false, policy_ioc_hosts: null });
    expect(row.extra).toEqual(needed.length === 0 ? (NOTHING_EXTRA[type] ?? null) : samples(needed));
  });

  it('refuses a field that it does not have', async () => {
    const text = `${JSON.stringify(report('x', { type, colour: 'red' }))}\n`;
    await expect(database.loadText(text)).rejects.toMatchObject({
      badLines: [{ line: 1, field: 'colour', reason: `is not a field of ${type} reports` }],
    });
  });
});

describe('a report is stored to the last byte', () => {
  it.each([
    ['1970-01-01T00:00:00Z', '1970-01-01 00:00:00+00'],
    ['1999-12-31T23:59:59.999999Z', '1999-12-31 23:59:59.999999+00'],
    ['2000-01-01T00:00:00.000001Z', '2000-01-01 00:00:00.000001+00'],
    ['2026-05-10T12:00:00.1234567+02:00', '2026-05-10 10:00:00.123456+00'],
    ['2199-12-31T23:59:59.9Z', '2199-12-31 23:59:59.9+00'],
  ])('of %s', async (date, stored) => {
    await database.loadText(toText([report('d', { date })]), { now: new Date(date) });
    const [row] = await database.sql.query("select date::text from report where type = 'csp' and id = 'd'");
    expect(row).toEqual({ date: stored });
  });

  it.each([0, 1, 2 ** 16, 1_000_000_000])('with a count of %i', async count => {
    await database.load(report('c', { count, date: '2026-07-01T00:00:00Z' }));
    const [row] = await database.sql.query("select count::text from report where type = 'csp' and id = 'c'");
    expect(row).toEqual({ count: String(count) });
  });

  it.each([1023, 1024, 70_000])('with a text of %i letters of one to four bytes', async length => {
    const raw = ['a', 'é', '日', '😀'].map(letter => letter.repeat(length)).join('');
    await database.load(report('t', { raw }));
    expect(await onlyReport('csp', 't')).toMatchObject({ raw });
  });
});

describe('what a report can be found by', () => {
  it('hosts are reversed and paths bare, of the page and of what was blocked', async () => {
    const [uri, blockedUri] = ['https://WWW.Bücher.example:8443/a/b?c#d', 'inline'];
    await database.load(report('h', { uri, blockedUri, policy: "  default-src\n\t'self' " }));
    expect(await onlyReport('csp', 'h')).toMatchObject({
      uri,
      host_reversed: 'elpmaxe.avk-rehcb--nx.www',
      path: '/a/b',
      blocked_uri: 'inline',
      blocked_host_reversed: null,
      blocked_path: null,
      policy: "default-src 'self'",
    });
  });

  it.each([
    ['https://a.example/x?y', '/x'],
    ['https://a.example/x ?y', '/x%20'],
    ['https://a.example/x ', '/x'],
    ['https://a.example?y/z', '/'],
    ['https://a.example/x#y?z', '/x'],
  ])('the path of %j is what stands before its query', async (uri, path) => {
    await database.load(report('p', { uri }));
    expect(await onlyReport('csp', 'p')).toMatchObject({ host_reversed: 'elpmaxe.a', path });
  });

  it('a subresource, a bare domain and all names of a certificate', async () => {
    await database.load(
      report('h', { type: 'csp_integrity', subresourceUri: 'https://cdn.example/x.js' }),
      report('h', { type: 'dmarc', headerFrom: 'Mail.Example.', aligned: true }),
      report('h', { type: 'tls_rpt', domain: 'mx.example' }),
      report('h', { type: 'certificate_transparency', hostnames: ['A.example', '*.b.example'] }),
    );
    const of = (type: string) => onlyReport(type, 'h');
    expect(await of('csp_integrity')).toMatchObject({
      subresource_host_reversed: 'elpmaxe.ndc',
      subresource_path: '/x.js',
    });
    expect(await of('dmarc')).toMatchObject({ host_reversed: 'elpmaxe.liam', path: null });
    expect(await of('tls_rpt')).toMatchObject({ host_reversed: 'elpmaxe.xm' });
    expect(await of('certificate_transparency')).toMatchObject({
      hosts_reversed: ['elpmaxe.a', 'elpmaxe.b.*'],
    });
  });

  it('a name that is too long for an index has no host', async () => {
    await database.load(report('long', { uri: `https://${'a'.repeat(5000)}.example/` }));
    expect(await onlyReport('csp', 'long')).toMatchObject({ host_reversed: null });
  });
});
