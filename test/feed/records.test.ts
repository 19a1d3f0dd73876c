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

/** Reads a report as JSON, because the driver does not know the types of its arrays and numbers. */
async function onlyReport(type: string, id: string): Promise<Record<string, unknown>> {
  const { row } = await only(
    `(select to_jsonb(r) as row from report r where type = '${type}' and id = '${id}') r`,
  );
  return row as Record<string, unknown>;
}

describe('the stored form of each kind', () => {
  it('keeps all fields of a personal account', async () => {
    expect(await only('account', `id = 'a'`)).toMatchObject({
      type: 'personal',
      email: 'a@example.org',
      team_name: null,
      created_at: new Date('2026-01-01T00:00:00Z'),
    });
  });

  it('keeps all fields of a team account', async () => {
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

  it('keeps the digest, name and expiry of an API key', async () => {
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

  it('lets API keys of one load exchange their digests, and take that of a deleted one', async () => {
    const [one, other, third] = ['1', '2', '3'].map(digit => digit.repeat(64));
    await database.load(apiKey('k-1', 'a', { sha256: one }), apiKey('k-2', 'b', { sha256: other }));
    await database.load(apiKey('k-1', 'a', { sha256: other }), apiKey('k-2', 'b', { sha256: one }));
    const digests = () =>
      database.rows(
        `select id, encode(digest, 'hex') as digest from api_key where id like 'k-%' order by id`,
      );
    expect(await digests()).toEqual([
      { id: 'k-1', digest: other },
      { id: 'k-2', digest: one },
    ]);
    await database.load(
      apiKey('k-3', 'a', { sha256: other }),
      { kind: 'apiKey', id: 'k-1', deleted: true },
      apiKey('k-2', 'b', { sha256: third }),
      apiKey('k-4', 'b', { sha256: one }),
    );
    expect(await digests()).toEqual([
      { id: 'k-2', digest: third },
      { id: 'k-3', digest: other },
      { id: 'k-4', digest: one },
    ]);
  });

  it('keeps the tier, retention and features of a plan', async () => {
    const line = plan('a');
    await database.load(line);
    expect(await only('plan', `account_id = 'a'`)).toMatchObject({
      plan: 'business-2026',
      tier: 'business',
      data_retention_days: '90',
      features: line.features,
    });
  });

  it('keeps all fields of a setup', async () => {
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

  it('keeps the given parts of a filter configuration', async () => {
    const global = { sites: ['example.org'], minimumClientReputation: 5 };
    await database.load({ kind: 'filters', accountId: 'a', global, samplingRates: { csp: 50, wizard: 1 } });
    expect(await only('filter_configuration')).toMatchObject({
      global,
      advanced: {},
      certificate_transparency: {},
      sampling_rates: { csp: 50, wizard: 1 },
    });
  });

  it('keeps policies and the wizard', async () => {
    const policy = "default-src 'self';\n  img-src *";
    await database.load(
      { kind: 'policy', accountId: 'a', id: 'p', name: 'P', policy },
      { kind: 'wizard', accountId: 'a', active: true, policy },
    );
    expect(await only('csp_policy')).toMatchObject({ id: 'p', name: 'P', policy });
    expect(await only('csp_wizard')).toMatchObject({ active: true, policy });
  });

  it('keys watches and findings by the normalized host name', async () => {
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

  it('keeps certificates', async () => {
    await database.load({ kind: 'certificate', ...CERTIFICATE, sha256: CERTIFICATE.sha256.toUpperCase() });
    expect(await only('certificate')).toEqual(CERTIFICATE);
  });

  it('keeps the time of an audit event to the microsecond', async () => {
    await database.load(auditEvent('e', 'a'));
    expect(await only(`(select *, timestamp::text as text from audit_event) e`)).toMatchObject({
      text: '2026-05-10 10:00:00.123456+00',
      event: 'loginSucceeded',
      request_ip: '',
    });
  });

  it.each([
    ['a carriage return', 'one\rtwo'],
    ['line breaks', 'one\r\ntwo\n'],
    ['a tab', 'one\ttwo'],
    ['backslashes', 'C:\\new \\N \\. \\x41 \\\\'],
    ['the mark of the end of data', '\\.'],
    ['the mark of null', '\\N'],
    ['quotes', `"a" 'b'`],
    ['nothing', ''],
  ])('keeps the exact text of records with %s', async (name, message) => {
    const id = name.replaceAll(' ', '-');
    await database.load(auditEvent(id, 'a', { message }), {
      kind: 'filters',
      accountId: 'a',
      advanced: { pagePaths: [message, 'x'] },
    });
    expect(await only('audit_event', `id = '${id}'`)).toMatchObject({ message });
    expect(await only('filter_configuration', `account_id = 'a'`)).toMatchObject({
      advanced: { pagePaths: [message, 'x'] },
    });
  });

  it('keeps all usage counts', async () => {
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

/** The `extra` of a report that contains none of its fields; null for other types. */
const NOTHING_EXTRA: Partial<Record<ReportType, object>> = {
  tls_rpt: { successfulSessions: 0, failedSessions: 0 },
  // The raw report was parsed, but contains none of the fields.
  csp: {},
};

/** Returns a value for the field that occurs nowhere else. */
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
    const stored = Object.fromEntries(
      given.map(({ name, column, kind }) => {
        const value = column ? row[column] : extra[name];
        return [name, kind === 'flag' ? Number(value) : value];
      }),
    );
    expect(stored).toEqual(samples(given));
  });

  it('requires only its key, its date and the non-nullable fields', async () => {
    const needed = fields.filter(({ name, kind, nullable }) => {
      return !nullable && kind === 'boolean' && name !== 'potential';
    });
    await database.load(report('bare', { type, ...samples(needed) }));
    const row = await onlyReport(type, 'bare');
    expect(row).toMatchObject({ count: 1, raw: '', uri: null, suspicious: false, policy_ioc_hosts: null });
    expect(row.extra).toEqual(needed.length === 0 ? (NOTHING_EXTRA[type] ?? null) : samples(needed));
  });

  it('rejects an unknown field', async () => {
    const text = `${JSON.stringify(report('x', { type, colour: 'red' }))}\n`;
    await expect(database.loadText(text)).rejects.toMatchObject({
      badLines: [{ line: 1, field: 'colour', reason: `is not a field of ${type} reports` }],
    });
  });
});

describe('a stored report', () => {
  it.each([
    ['1970-01-01T00:00:00Z', '1970-01-01 00:00:00+00'],
    ['1999-12-31T23:59:59.999999Z', '1999-12-31 23:59:59.999999+00'],
    ['2000-01-01T00:00:00.000001Z', '2000-01-01 00:00:00.000001+00'],
    ['2026-05-10T12:00:00.1234567+02:00', '2026-05-10 10:00:00.123456+00'],
    ['2199-12-31T23:59:59.9Z', '2199-12-31 23:59:59.9+00'],
  ])('has the exact date %s', async (date, stored) => {
    await database.loadText(toText([report('d', { date })]), { now: new Date(date) });
    const [row] = await database.sql.query("select date::text from report where type = 'csp' and id = 'd'");
    expect(row).toEqual({ date: stored });
  });

  it.each([0, 1, 2 ** 16, 1_000_000_000])('has the exact count %i', async count => {
    await database.load(report('c', { count, date: '2026-07-01T00:00:00Z' }));
    const [row] = await database.sql.query("select count::text from report where type = 'csp' and id = 'c'");
    expect(row).toEqual({ count: String(count) });
  });

  it.each([1023, 1024, 70_000])('has the exact text of %i letters of one to four bytes', async length => {
    const raw = ['a', 'é', '日', '😀'].map(letter => letter.repeat(length)).join('');
    await database.load(report('t', { raw }));
    expect(await onlyReport('csp', 't')).toMatchObject({ raw });
  });
});

describe('the filter columns of a report', () => {
  it('contain reversed hosts and bare paths of the page and the blocked resource', async () => {
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
  ])('contain the path of %j without its query', async (uri, path) => {
    await database.load(report('p', { uri }));
    expect(await onlyReport('csp', 'p')).toMatchObject({ host_reversed: 'elpmaxe.a', path });
  });

  it('contain subresources, mail domains and all names of a certificate', async () => {
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

  it('contain no host when the host is too long for an index', async () => {
    await database.load(report('long', { uri: `https://${'a'.repeat(5000)}.example/` }));
    expect(await onlyReport('csp', 'long')).toMatchObject({ host_reversed: null });
  });
});

it('an account is deleted with everything that names it, in every table', async () => {
  await database.load(
    account('gone'),
    plan('gone'),
    apiKey('k-gone', 'gone'),
    auditEvent('e-gone', 'gone'),
    watch('gone'),
    report('1', { accountId: 'gone' }),
  );
  await database.rows(`
    insert into mailbox_position values ('gone', 'ann@mail.example', 'INBOX', 'auto', 'x', '1', 5);
    insert into imported_mail (account_id, digest, records) values ('gone', '\\x01', 1);
    insert into removed_position values ('gone', 'csp', 1, now(), '1', now());
    insert into report_usage (account_id, type, date, filtered, sampled, rejected)
      values ('gone', 'csp', current_date, 0, 0, 1);
    insert into daily_group values ('gone', 'csp', current_date, '', '{}', '{}', '{}', '{}', '{}', '{}', '{}')`);
  const tables = await database.rows(`
    select table_name as name from information_schema.columns join pg_class on oid = table_name::regclass
    where table_schema = 'public' and column_name = 'account_id' and not relispartition order by 1`);
  const listHolders = async () => {
    const counts = tables.map(
      ({ name }) => `select '${name}' as name where exists (select from ${name} where account_id = 'gone')`,
    );
    return (await database.rows(counts.join(' union all '))).map(({ name }) => name);
  };
  expect((await listHolders()).sort()).toEqual([
    'api_key',
    'audit_event',
    'daily_count',
    'daily_group',
    'imported_mail',
    'mailbox_position',
    'plan',
    'removed_position',
    'report',
    'report_locator',
    'report_usage',
    'watch',
  ]);
  await database.load({ kind: 'account', id: 'gone', deleted: true });
  expect(await listHolders()).toEqual([]);
});
