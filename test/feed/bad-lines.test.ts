import { BadLine } from '@sightline/feed';
import { REPORT_TYPES } from '@sightline/reports';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Announcer } from '../../sql/changes/announcer.ts';
import { LoadMonths } from '../../src/feed/copy/months.ts';
import { LoadRefused } from '../../src/feed/load.ts';
import { scriptVerdict, verdict } from '../support/fixtures.ts';
import {
  account,
  apiKey,
  auditEvent,
  CERTIFICATE,
  createFeedDatabase,
  type FeedDatabase,
  finding,
  type Line,
  plan,
  report,
  toText,
  watch,
} from './lines.ts';

let database: FeedDatabase;
beforeAll(async () => {
  database = await createFeedDatabase();
  await database.load(account('a'));
});
afterAll(() => database[Symbol.asyncDispose]());

async function refusal(text: string): Promise<LoadRefused> {
  const error = await database.loadText(text).then(
    () => undefined,
    error => error,
  );
  expect(error).toBeInstanceOf(LoadRefused);
  return error;
}

/** Returns why the only bad line was refused, without its position. */
async function complaint(text: string): Promise<string> {
  const { badLines, count } = await refusal(text);
  expect(count).toBe(1);
  const { field, reason } = badLines[0]!;
  return field === '' ? reason : `${field}: ${reason}`;
}

describe('the validation of a line', () => {
  afterAll(() => database.rows('truncate report, report_locator, daily_count'));

  it.each<[string, string]>([
    ['nonsense', 'is not JSON'],
    ['{"kind":"account"', 'is not JSON'],
    ['[]', 'is not a JSON object'],
    ['null', 'is not a JSON object'],
    ['{}', 'kind: is missing'],
    [
      '{"kind":"acount"}',
      'kind: must be one of account, apiKey, plan, setup, filters, policy, wizard, watch, finding, verdict, certificate, auditEvent, usage, report',
    ],
    [
      '{"kind":"constructor"}',
      'kind: must be one of account, apiKey, plan, setup, filters, policy, wizard, watch, finding, verdict, certificate, auditEvent, usage, report',
    ],
    ['{"kind":"plan","__proto__":{}}', '__proto__: is not a field of plan'],
    [
      '{"kind":"policy","accountId":"a","id":"p","name":"\\u0000","policy":""}',
      'name: holds the character U+0000, which cannot be stored',
    ],
    [
      '{"kind":"policy","accountId":"a","id":"p","name":"\\ud800x","policy":""}',
      'name: holds half of a surrogate pair, which UTF-8 cannot write',
    ],
  ])('rejects %s', async (line, reason) => {
    expect(await complaint(`${line}\n`)).toBe(reason);
  });

  const time = 'must be a real time in ISO 8601 with an offset or Z, such as 2026-01-31T12:00:00Z';
  it.each<[string, Line, string]>([
    ['names an unknown account', plan('nobody'), 'accountId: there is no account "nobody"'],
    [
      'is a report of an unknown account',
      report('r', { accountId: 'nobody' }),
      'accountId: there is no account "nobody"',
    ],
    ['has no account', plan('a', { accountId: null }), 'accountId: is missing'],
    ['has an empty key', report(''), 'id: must not be empty'],
    [
      'has a key that is too long for an index',
      report('é'.repeat(128)),
      'id: must not be longer than 255 bytes',
    ],
    [
      'has an event that is too long for an index',
      auditEvent('e', 'a', { event: 'é'.repeat(128) }),
      'event: must not be longer than 255 bytes',
    ],
    [
      'has an email address that is too long',
      auditEvent('e', 'a', { loggedByEmail: 'x'.repeat(255) }),
      'loggedByEmail: must not be longer than 254 bytes',
    ],
    [
      'has too many objects in a list',
      report('r', { type: 'tls_rpt', failureDetails: Array.from({ length: 1001 }, () => ({})) }),
      'failureDetails: must not have more than 1000 items',
    ],
    [
      'is a report that is too long without its raw report',
      report('r', { type: 'csp', policyIocHosts: Array.from({ length: 4200 }, () => 'h'.repeat(255)) }),
      'is longer than 1 MiB without its raw',
    ],
    [
      'has more than 1 MiB of texts in its configuration',
      {
        kind: 'filters',
        accountId: 'a',
        advanced: { pagePaths: Array.from({ length: 17 }, () => 'x'.repeat(65_536)) },
      },
      'is longer than 1 MiB',
    ],
    [
      'has very many short texts in its configuration',
      {
        kind: 'filters',
        accountId: 'a',
        advanced: { blockedSchemes: Array.from({ length: 300_000 }, () => 'x') },
      },
      'is longer than 1 MiB',
    ],
    ['deletes a record without its key', { kind: 'plan', deleted: true }, 'accountId: is missing'],
    ['has a string as deleted', plan('a', { deleted: 'yes' }), 'deleted: must be true or false'],
    [
      'deletes a record with an unknown field',
      { kind: 'plan', accountId: 'a', deleted: true, x: 1 },
      'x: is not a field of plan',
    ],
    [
      'has an unknown type of account',
      account('x', { type: 'group' }),
      'type: must be one of personal, team',
    ],
    ['is a personal account without an address', account('x', { email: null }), 'email: is missing'],
    [
      'is a personal account with a team name',
      account('x', { teamName: 'T' }),
      'teamName: is not a field of a personal account',
    ],
    [
      'is a team without members',
      account('x', { type: 'team', email: null, teamName: 'T', quotaLimit: 1, require2fa: true }),
      'members: is missing',
    ],
    [
      'is a verdict on a script without a site',
      verdict('a', 'script', 'https://a.example/*'),
      'site: is missing',
    ],
    [
      'is a verdict with a site on a subject that has no site',
      verdict('a', 'sender', 'list.example', { site: 'a.example' }),
      'site: is not a field of a verdict on a sender',
    ],
    ['is a verdict with an empty subject', verdict('a', 'issuer', ''), 'subject: must not be empty'],
    [
      'is a verdict whose subject is too long for an index',
      verdict('a', 'issuer', 'é'.repeat(513)),
      'subject: must not be longer than 1024 bytes',
    ],
    [
      'classifies a subject other than a sender as a forwarder',
      verdict('a', 'issuer', 'CN=E7', { verdict: 'forwarder' }),
      'verdict: must be one of mine, accepted, notMine in a verdict on an issuer',
    ],
    [
      'is a verdict on a sender with hashes',
      verdict('a', 'sender', 'list.example', { hashes: [] }),
      'hashes: is not a field of a verdict on a sender',
    ],
    [
      'is a verdict on a sender with an owner',
      verdict('a', 'sender', 'list.example', { owner: 'Web' }),
      'owner: is not a field of a verdict on a sender',
    ],
    [
      'is a verdict on a script with a count',
      scriptVerdict('a', 'a.example', 'https://a.example/*', { count: 1 }),
      'count: is not a field of a verdict on a script',
    ],
    [
      'has an invalid nested field',
      account('x', {
        type: 'team',
        email: null,
        teamName: 'T',
        quotaLimit: 1,
        require2fa: true,
        members: [{ email: 'x', role: 'owner' }, { email: 'x' }],
      }),
      'members[1].role: is missing',
    ],
    [
      'has a fraction instead of an integer',
      plan('a', { reportQuota: 1.5 }),
      'reportQuota: must be an integer from 0 to 2^53-1',
    ],
    [
      'has a negative integer',
      plan('a', { reportQuota: -1 }),
      'reportQuota: must be an integer from 0 to 2^53-1',
    ],
    [
      'has an integer above 2^53-1',
      plan('a', { reportQuota: 2 ** 53 }),
      'reportQuota: must be an integer from 0 to 2^53-1',
    ],
    [
      'has a string instead of an integer',
      plan('a', { reportQuota: '1' }),
      'reportQuota: must be an integer from 0 to 2^53-1',
    ],
    [
      'has an unknown tier',
      plan('a', { tier: 'gold' }),
      'tier: must be one of free, starter, business, enterprise',
    ],
    [
      'has an unknown status',
      plan('a', { status: 'cancelled' }),
      'status: must be one of active, canceled, past_due, inactive',
    ],
    [
      'has an unknown feature',
      plan('a', { features: { ...(plan('a').features as Line), sso: true } }),
      'features.sso: is not a field of features',
    ],
    [
      'has a sampling rate above 100',
      { kind: 'filters', accountId: 'a', samplingRates: { csp: 101 } },
      'samplingRates.csp: must be an integer from 1 to 100',
    ],
    [
      'has a sampling rate of an unknown type',
      { kind: 'filters', accountId: 'a', samplingRates: { xss: 1 } },
      'samplingRates.xss: is not a field of samplingRates',
    ],
    [
      'has a number in a list of strings',
      { kind: 'filters', accountId: 'a', global: { sites: ['a', 1] } },
      'global.sites[1]: must be a text',
    ],
    [
      'has an invalid digest',
      apiKey('k', 'a', { sha256: 'abc' }),
      'sha256: must be a SHA-256 digest: 64 hexadecimal digits',
    ],
    [
      'watches an unknown product',
      watch('a', { product: 'font' }),
      'product: must be one of script, data, frame, policy',
    ],
    ['watches a site that is not a host', watch('a', { site: ' . ' }), 'site: must be a host name'],
    ['is a finding without a URI', finding('a', { uri: null }), 'uri: is missing'],
    [
      'is a policy finding with a URI',
      finding('a', { product: 'policy' }),
      'uri: is not a field of a policy finding',
    ],
    [
      'is a finding from an unknown source',
      finding('a', { source: 'nel' }),
      'source: must be one of csp, csp_integrity, integrity_policy',
    ],
    [
      'is a policy finding without the enforced flag',
      finding('a', { product: 'policy', uri: null, policy: 'x', source: null }),
      'enforced: is missing',
    ],
    [
      'has a digest that differs from the certificate',
      { kind: 'certificate', ...CERTIFICATE, sha256: '0'.repeat(64) },
      "sha256: is not the SHA-256 of the certificate's DER",
    ],
    [
      'has an invalid certificate',
      { kind: 'certificate', ...CERTIFICATE, pem: 'x' },
      'pem: is not a certificate in PEM',
    ],
    [
      'has a time without an offset',
      auditEvent('e', 'a', { timestamp: '2026-01-01T00:00:00' }),
      `timestamp: ${time}`,
    ],
    [
      'has a time on a nonexistent day',
      auditEvent('e', 'a', { timestamp: '2026-02-29T00:00:00Z' }),
      `timestamp: ${time}`,
    ],
    [
      'has a time with the hour 24',
      auditEvent('e', 'a', { timestamp: '2026-02-28T24:00:00Z' }),
      `timestamp: ${time}`,
    ],
    [
      'has a time before the year 1',
      auditEvent('e', 'a', { timestamp: '0001-01-01T00:00:00+00:01' }),
      `timestamp: ${time}`,
    ],
    [
      'has a nonexistent date',
      {
        kind: 'usage',
        accountId: 'a',
        type: 'csp',
        date: '2026-13-01',
        filtered: 0,
        sampled: 0,
        rejected: 0,
      },
      'date: must be a real date, YYYY-MM-DD',
    ],
    [
      'is a report of an unknown type',
      report('r', { type: 'xss' }),
      `type: must be one of ${REPORT_TYPES.join(', ')}`,
    ],
    ['is a report without a date', report('r', { date: null }), 'date: is missing'],
    [
      'is a report with a date outside the accepted range',
      report('r', { date: '2027-01-02T00:00:00Z' }),
      'date: must be from 2016-12-31 to 2027-01-01, in UTC',
    ],
    [
      'is a report with an unknown action',
      report('r', { action: 'blocked' }),
      'action: must be one of enforced, reportOnly',
    ],
    ['is a report with an invalid flag', report('r', { suspicious: true }), 'suspicious: must be 0 or 1'],
    [
      'is a report with a score above 100',
      report('r', { domainReputationScore: 101 }),
      'domainReputationScore: must be an integer from 0 to 100',
    ],
    [
      'is a report with a directive that is too long for an index',
      report('r', { directive: 'x'.repeat(1025) }),
      'directive: must not be longer than 1024 bytes',
    ],
    ['is a report without a required field', report('r', { type: 'dmarc' }), 'aligned: is missing'],
    [
      'is a report with an invalid nested field',
      report('r', { type: 'dmarc', aligned: true, dkimResults: [{ result: 1 }] }),
      'dkimResults[0].result: must be a text',
    ],
    [
      'is a report with a field of another type',
      report('r', { nelType: 'ok' }),
      'nelType: is not a field of csp reports',
    ],
  ])('rejects a line that %s', async (_, line, reason) => {
    expect(await complaint(toText([line]))).toBe(reason);
  });

  it.each<[string, string, string]>([
    ['a duplicate name', '{"kind":"policy","kind":"plan"}', 'kind: occurs twice in its object'],
    [
      'a duplicate name that is far away and escaped',
      `{"kind":"x","id":"${'\\"a\\":1,'.repeat(40)}","n":[], "\\u006bind" : "y"}`,
      'kind: occurs twice in its object',
    ],
    [
      'a duplicate name that does not change the length, because of an exponent',
      '{"kind":"policy","n":1,"n":1e8}',
      'n: occurs twice in its object',
    ],
    [
      'a duplicate name next to a raw report, which may itself contain duplicates',
      `{"kind":"report","type":"csp","raw":${JSON.stringify('{"a":"1","a":"2"}')},"count":1,"count":2}`,
      'count: occurs twice in its object',
    ],
    [
      'a NUL character next to a raw report',
      `{"kind":"report","type":"csp","raw":${JSON.stringify('{"a":"1"}')},"uri":"\\u0000"}`,
      'uri: holds the character U+0000, which cannot be stored',
    ],
    [
      'a nested duplicate name',
      '{"members":[{"role":1},{"a":{}, "role":{"x":2,"x":"}"}}]}',
      'members[1].role.x: occurs twice in its object',
    ],
    ['21 levels of nesting', `{"x":${'['.repeat(20)}${']'.repeat(20)}}`, 'is nested more than 20 deep'],
    [
      'more levels of nesting than the call stack, and an escape',
      `{"x":"\\u0041","y":${'[{"z":'.repeat(300_000)}1${'}]'.repeat(300_000)}}`,
      'is nested more than 20 deep',
    ],
    [
      '20 levels of nesting, which are accepted',
      `{"x":${'['.repeat(19)}${']'.repeat(19)}}`,
      'kind: is missing',
    ],
    [
      'the same name in several objects, which is accepted',
      '{"a":{"x":1},"b":[{"x":1},{"x":1}],"x":1}',
      'kind: is missing',
    ],
    [
      'unsorted numeric names, which are accepted',
      ' { "b" : 1 , "1" : {"2":[ ],"1":{ }} }',
      'kind: is missing',
    ],
    ['__proto__ as a name, which is accepted', '{"__proto__":1,"x":"\\\\"}', 'kind: is missing'],
  ])('returns the reason for a line that has %s', async (_, line, reason) => {
    expect(await complaint(`${line}\n`)).toBe(reason);
  });

  const long = (bytes: number) => `${'é'.repeat(bytes / 2)}x`;
  it.each<[string, Line, string]>([
    ['id', report(long(254)), ''],
    ['id', report(long(256)), 'id: must not be longer than 255 bytes'],
    ['id of three-byte characters', report('信'.repeat(85)), ''],
    ['id of three-byte characters', report('信'.repeat(86)), 'id: must not be longer than 255 bytes'],
    ['raw', report('r', { raw: long(2 ** 20 - 2) }), ''],
    ['raw', report('r', { raw: long(2 ** 20) }), 'raw: must not be longer than 1048576 bytes'],
    ['text', report('r', { uri: long(2 ** 16 - 2) }), ''],
    ['text', report('r', { uri: long(2 ** 16) }), 'uri: must not be longer than 65536 bytes'],
    [
      'nested text',
      report('r', { type: 'dmarc', aligned: true, publishedPolicy: { p: long(2 ** 16) } }),
      'publishedPolicy.p: must not be longer than 65536 bytes',
    ],
    [
      'host',
      report('r', { type: 'certificate_transparency', hostnames: ['a', long(256)] }),
      'hostnames[1]: must not be longer than 255 bytes',
    ],
    [
      'mail domain',
      report('r', { type: 'dmarc', aligned: true, headerFrom: long(256) }),
      'headerFrom: must not be longer than 255 bytes',
    ],
    ['site', watch('a', { site: `${'a.'.repeat(128)}b` }), 'site: must not be longer than 255 bytes'],
    [
      'site of a filter',
      { kind: 'filters', accountId: 'a', global: { sites: [long(256)] } },
      'global.sites[0]: must not be longer than 255 bytes',
    ],
    ['count', report('r', { count: 1e9 + 1 }), 'count: must be an integer from 0 to 1000000000'],
    ['retention', plan('a', { dataRetentionDays: 3660 }), ''],
    [
      'retention',
      plan('a', { dataRetentionDays: 3661 }),
      'dataRetentionDays: must be an integer from 1 to 3660',
    ],
    [
      'retention',
      plan('a', { dataRetentionDays: 0 }),
      'dataRetentionDays: must be an integer from 1 to 3660',
    ],
    ['first day', report('r', { date: '2016-12-31T00:00:00Z' }), ''],
    [
      'first day',
      report('r', { date: '2016-12-31T00:59:59+01:00' }),
      'date: must be from 2016-12-31 to 2027-01-01, in UTC',
    ],
    ['last day', report('r', { date: '2027-01-01T23:59:59.999999Z' }), ''],
    [
      'other time',
      report('r', { type: 'dmarc', aligned: true, beginDate: '1969-12-31T23:59:59Z' }),
      'beginDate: must be in the years 1970 to 2200',
    ],
    [
      'other time',
      auditEvent('e', 'a', { timestamp: '2200-12-31T23:00:00-01:00' }),
      'timestamp: must be in the years 1970 to 2200',
    ],
    [
      'other date',
      report('r', { type: 'deprecation', anticipatedRemoval: '2201-01-01' }),
      'anticipatedRemoval: must be in the years 1970 to 2200',
    ],
  ])('limits the %s', async (_, line, reason) => {
    if (reason === '') await expect(database.load(line)).resolves.toMatchObject({ rejected: 0 });
    else expect(await complaint(toText([line]))).toBe(reason);
    await database.load({ ...report('r'), deleted: true });
  });

  it('rejects the 37th and later months without a partition, and names each month', {
    tags: 'slow',
  }, async () => {
    const months = Array.from({ length: 40 }, (_, index) => new Date(Date.UTC(2020, index)));
    const lines = months.map((month, index) => report(`m${index}`, { date: month.toISOString() }));
    const rejects: Uint8Array[] = [];
    const text = toText([...lines, report('again', { date: '2020-01-02T00:00:00Z' })]);
    const { badLines } = await database.loadText(text, { rejects: bytes => rejects.push(bytes) });
    expect(badLines.map(({ line, field, reason }) => `${line}: ${field} ${reason}`)).toEqual(
      ['2023-01', '2023-02', '2023-03', '2023-04'].map(
        (month, index) =>
          `${37 + index}: date is in ${month}, and a load creates the partitions of at most 36 months`,
      ),
    );
    expect(Buffer.concat(rejects).toString()).toBe(toText(lines.slice(36)));
    expect(await database.loadText(Buffer.concat(rejects).toString())).toMatchObject({
      records: { report: 4 },
    });
    await database.rows('truncate report, report_locator, daily_count');
  });

  it('accepts 36 new months, any report of these or of existing ones, and makes refused ones 36 at a time', async () => {
    const named = (count: number) =>
      Array.from({ length: count }, (_, index) => new Date(Date.UTC(2010, index)).toISOString().slice(0, 7));
    const months = new LoadMonths(['2026-05']);
    const accepted = (some: readonly string[]) => some.map(month => months.admit(month) === undefined);
    expect(accepted(named(36))).toEqual(Array(36).fill(true));
    expect(accepted(['2013-01', '2012-12', '2010-01', '2026-05', '2013-01', '2013-02'])).toEqual([
      ...[false, true, true, true, false, false],
    ]);
    expect([...months.refused]).toEqual(['2013-01', '2013-02']);
    const transactions: string[][] = [];
    const query = async (text: string) => {
      const [, month] = /make_report_month\('([\d-]+)-01'\)/.exec(text) ?? [];
      if (text === 'begin') transactions.push([]);
      if (month !== undefined || text === 'commit') transactions.at(-1)!.push(month ?? text);
      return text.includes('pg_has_role') ? [{ own: false }] : [];
    };
    await months.makeAll({ query } as never);
    const all = named(38);
    expect(transactions).toEqual([
      [...all.slice(0, 36), 'commit'],
      [...all.slice(36), 'commit'],
    ]);
  });

  it('creates the partitions of further months only for an import, and then accepts their reports', async () => {
    const { admit } = LoadMonths.prototype;
    const partition = () => database.rows("select to_regclass('report_y2019m02') is not null as is_there");
    const line = report('further', { date: '2019-02-28T23:59:59Z' });
    for (const makesAllMonths of [false, true]) {
      let isFirst = true;
      vi.spyOn(LoadMonths.prototype, 'admit').mockImplementation(function (this: LoadMonths, month) {
        if (!isFirst) return admit.call(this, month);
        isFirst = false;
        this.refused.add(month);
        return new BadLine('date', 'is of a month too many');
      });
      try {
        const rejects: string[] = [];
        const bad = { kind: 'nothing' };
        const { records, rejected } = await database.loadText(toText([line, bad]), {
          makesAllMonths,
          rejects: rejected => void rejects.push(String(rejected)),
        });
        expect([records, rejected]).toEqual(makesAllMonths ? [{ report: 1 }, 1] : [{}, 2]);
        expect(rejects.join('')).toBe(toText(makesAllMonths ? [bad] : [line, bad]));
        expect(await partition()).toEqual([{ is_there: makesAllMonths }]);
      } finally {
        vi.restoreAllMocks();
      }
    }
    await database.load({ ...line, deleted: true });
  });

  it('counts lines of an account that it deletes as rejected only, also those that repeat stored records', async () => {
    const ofLeaver = { accountId: 'leaver' };
    const stored = [account('leaver'), plan('leaver'), report('r', ofLeaver), report('late', ofLeaver)];
    await database.load(...stored);
    const options = { rejects: () => {} };
    const changed = [plan('leaver'), report('r', ofLeaver), report('new', ofLeaver)];
    const feed = toText([...changed, plan('leaver'), { kind: 'account', id: 'leaver', deleted: true }]);
    const { records, repeated, superseded, rejected } = await database.loadText(feed, options);
    expect({ records, repeated, superseded, rejected }).toEqual({
      records: { account: 1 },
      repeated: {},
      superseded: {},
      rejected: 4,
    });
  });

  it('rejects a report of an unknown account although its month was refused at first', {
    tags: 'slow',
  }, async () => {
    const months = Array.from({ length: 36 }, (_, index) => new Date(Date.UTC(2017, index)));
    const lines = months.map((month, index) => report(`m${index}`, { date: month.toISOString() }));
    const orphan = report('orphan', { accountId: 'nobody', date: '2016-12-31T00:00:00Z' });
    const rejects: Uint8Array[] = [];
    const options = { makesAllMonths: true, rejects: (bytes: Uint8Array) => rejects.push(bytes) };
    const { records, badLines } = await database.loadText(toText([...lines, orphan]), options);
    expect(records).toEqual({ report: 36 });
    expect(badLines).toMatchObject([{ line: 37, reason: 'there is no account "nobody"' }]);
    expect(Buffer.concat(rejects).toString()).toBe(toText([orphan]));
    await database.rows('truncate report, report_locator, daily_count');
  });

  it('accepts a report with an overlong host at low cost, without indexing the host', async () => {
    const host = 'é日'.repeat(10_000);
    const lines = ['https://', 'https:', 'http:\\\\'].map((scheme, index) =>
      report(`host ${index}`, { uri: `${scheme}${host}/` }),
    );
    const begin = process.cpuUsage();
    await database.load(...lines);
    expect(process.cpuUsage(begin).user / 1000).toBeLessThan(1000);
    expect(await database.rows(`select host_reversed from report where id like 'host %'`)).toEqual(
      lines.map(() => ({ host_reversed: null })),
    );
    await database.load(...lines.map(line => ({ ...line, deleted: true })));
  });

  it('rejects a line that is not UTF-8', async () => {
    const line = Buffer.concat([Buffer.from('{"kind":"'), Buffer.from([0xff]), Buffer.from('"}\n')]);
    expect(await complaint(line.toString('latin1'))).toMatch(/^kind: must be one of/);
    const { loadFeed } = await import('../../src/feed/load.ts');
    await expect(
      loadFeed(database.sql, new Announcer(database.sql, 0), [{ name: 'feed', content: [line] }]),
    ).rejects.toMatchObject({
      badLines: [{ line: 1, field: '', reason: 'is not UTF-8' }],
    });
  });

  it('rejects an API key with the digest of another key', async () => {
    await database.load(apiKey('first', 'a', { sha256: 'f'.repeat(64) }));
    for (const id of ['second', 'C:\\keys\tsecond']) {
      const line = apiKey(id, 'a', { sha256: 'f'.repeat(64) });
      expect(await complaint(toText([line]))).toBe('sha256: is already the digest of another key');
    }
  });
});

describe('a load with invalid lines', () => {
  const good = (id: string) => report(id);
  const bad = report('bad', { colour: 'red' });

  it('loads nothing, and names the file and line of each error', async () => {
    const { badLines, message } = await refusal(toText([good('g'), bad, plan('nobody'), bad]));
    expect(badLines.map(({ source, line, field }) => `${source}:${line}: ${field}`)).toEqual([
      'feed:2: colour',
      'feed:3: accountId',
      'feed:4: colour',
    ]);
    expect(message).toBe('The feed has 3 bad lines');
    expect(await database.rows('select * from report')).toEqual([]);
    expect(await database.rows('select * from daily_count')).toEqual([]);
  });

  it('lists the first twenty errors in the order of the lines, and counts all errors', async () => {
    const lines = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? plan('nobody') : bad));
    const { badLines, count } = await refusal(toText(lines));
    expect(badLines.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(count).toBe(50);
  });

  it('rejects records of an account that the same load deletes', async () => {
    const { badLines } = await refusal(
      toText([
        plan('a'),
        { kind: 'account', id: 'a', deleted: true },
        report('r'),
        { kind: 'plan', accountId: 'a', deleted: true },
      ]),
    );
    expect(badLines.map(({ line }) => line)).toEqual([1, 3]);
    expect(await database.rows('select id from account')).toEqual([{ id: 'a' }]);
  });

  it('loads the valid lines when rejects are collected, and returns the invalid lines unchanged', async () => {
    const rejects: Uint8Array[] = [];
    const unusual =
      '{ "kind" : "report",\t"accountId":"nobody", "type":"csp","id":"ü","date":"2026-01-01T00:00:00Z"}\r';
    const taken = apiKey('third', 'a', { sha256: 'f'.repeat(64) });
    const both = apiKey('fourth', 'nobody', { sha256: 'f'.repeat(64) });
    const text = `${toText([good('g')])}${unusual}\nnonsense\n${toText([taken, both, watch('a'), finding('nobody')]).trimEnd()}`;
    const summary = await database.loadText(text, { rejects: bytes => rejects.push(bytes) });
    expect(summary).toMatchObject({ records: { report: 1, watch: 1, finding: 0, apiKey: 0 }, rejected: 5 });
    expect(Buffer.concat(rejects).toString()).toBe(
      `${unusual}\nnonsense\n${toText([taken, both, finding('nobody')])}`,
    );
    expect(await database.rows('select account_id, id from report')).toEqual([{ account_id: 'a', id: 'g' }]);
    expect(await database.rows('select account_id, total from daily_count')).toEqual([
      { account_id: 'a', total: '1' },
    ]);
    expect(await database.rows('select id from api_key')).toEqual([{ id: 'first' }]);
    expect(await database.rows('select * from watch_finding')).toEqual([]);
  });

  it('returns the rejected lines in order, so that a corrected reload has the intended result', async () => {
    const policy = (name: string) => ({ kind: 'policy', accountId: 'later', id: 'p', name, policy: '' });
    const lines = [
      policy('first'),
      { ...policy('second'), colour: 'red' },
      apiKey('k', 'later'),
      policy('third'),
    ];
    const rejects: Uint8Array[] = [];
    await database.loadText(toText(lines), { rejects: bytes => rejects.push(bytes) });
    const mended = Buffer.concat(rejects).toString().replace(',"colour":"red"', '');
    await database.loadText(`${toText([account('later')])}${mended}`);
    expect(await database.rows('select name from csp_policy')).toEqual([{ name: 'third' }]);
  });

  it('truncates rejected lines to 64 KiB', { tags: 'slow' }, async () => {
    const rejects: Uint8Array[] = [];
    const lines = [`x${'é'.repeat(40_000)}`, 'y'.repeat(17 * 2 ** 20), 'z'];
    const summary = await database.loadText(lines.join('\n'), { rejects: bytes => rejects.push(bytes) });
    expect(summary).toMatchObject({ rejected: 3, cut: 2 });
    expect(rejects.map(bytes => bytes.length)).toEqual([2 ** 16 + 1, 2 ** 16 + 1, 2]);
  });
});
