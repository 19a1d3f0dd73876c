import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRestReportType, REPORT_TYPE_DEFINITIONS, REPORT_TYPES, type ReportType } from '@sightline/reports';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Announcer } from '../sql/changes/announcer.ts';
import { prune } from '../sql/maintenance/prune.ts';
import { LoadRefused, loadFeed } from '../src/feed/load.ts';
import { IN_EARNEST } from './faults/scale.ts';
import { copyReport } from './support/copied-reports.ts';
import { exchange } from './support/exchange.ts';
import {
  auditEvent,
  finding,
  NOW,
  open,
  personal,
  plan,
  policyFinding,
  report,
  scriptVerdict,
  THREAT_INTELLIGENCE,
  verdict,
  watch,
} from './support/fixtures.ts';
import { connectOperator } from './support/operator.ts';
import { hasProgram } from './support/programs.ts';
import { RECORDS } from './support/records.ts';
import { type Answer, type Line, startService, type TestService } from './support/service.ts';
import { until } from './support/until.ts';

let service: TestService;
let key: string;

const DAY = '2026-05-20';
const given = (type: (typeof REPORT_TYPES)[number]): Line => ({
  kind: 'report',
  accountId: 'ada',
  type,
  date: NOW,
  ...RECORDS[type].given,
});

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada', { dataRetentionDays: 30 }, THREAT_INTELLIGENCE));
  await service.load(...REPORT_TYPES.map(given));
});
afterAll(() => service.close());

/** Characters that some CSV or line readers treat as line breaks. */
const SEPARATORS = ['\n', '\r', '\v', '\f', '\x1c', '\x1d', '\x1e', '\x85', '\u2028', '\u2029'];

const unescapeCell = (cell: string) =>
  cell.replace(/\\u([0-9a-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

const get = (path: string, headers?: Record<string, string>) => service.get(`/export${path}`, key, headers);

type ExportResult = { [name: string]: unknown };

const records = ({ text }: Pick<Answer, 'text'>): ExportResult[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line));

const ids = (answer: Pick<Answer, 'text'>) => records(answer).map(({ id }) => id);

/** Returns the record as `/v1` shows it, or would show it. */
async function findRecord(type: ReportType): Promise<Record<string, unknown>> {
  if (!isRestReportType(type)) return RECORDS[type].whole;
  return (await service.get(`/v1/reports/${type}?unit=days&date=${DAY}`, key)).body.reports[0];
}

describe('an export of reports', () => {
  it.each(REPORT_TYPES)(
    'of type %s has one line per record, with id, type, the fields of /v1 and export-only fields',
    async type => {
      const answer = await get(`/reports/${type}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
      expect(answer.headers.get('content-disposition')).toBe(
        `attachment; filename="sightline-${type}-${DAY}.ndjson"`,
      );
      const { id: _, ...record } = await findRecord(type);
      const { id, ...exported } = records(answer)[0]!;
      expect(id).toBe('r-1');
      const { fields } = REPORT_TYPE_DEFINITIONS.find(definition => definition.type === type)!;
      for (const { name } of fields.filter(({ graphOnly }) => graphOnly)) {
        expect(exported).toHaveProperty(name);
        delete exported[name];
      }
      expect(JSON.stringify(exported)).toBe(JSON.stringify({ type, ...record }));
    },
  );

  it('contains all records, newest first, beyond the size of one statement', { tags: 'slow' }, async () => {
    const sql = connectOperator(service.databaseUrl);
    // More rows than one statement returns. Three rows share each date, so paging between statements depends on their
    // ids.
    const made = await sql<{ id: string }[]>`
      with made as (
        insert into report (account_id, type, date, id, count, raw)
        select 'ada', 'crash', timestamptz '2026-05-19' - interval '1 ms' * (n / 3), 'crash-' || n, 1, ''
        from generate_series(1, 20500) n returning date, id)
      select id from made order by date desc, id desc`;
    await sql.end();
    const expected = ['r-1', ...made.map(({ id }) => id)];
    // Validating this many records takes longer than the service keeps an idle connection open.
    const ask = async (query = '') =>
      (
        await exchange(`${service.url}/export/reports/crash${query}`, {
          headers: { authorization: `Bearer ${key}` },
        })
      ).text;
    expect(ids({ text: await ask() }).join()).toBe(expected.join());
    // Only the rows of the first two statements.
    const list: ExportResult[] = JSON.parse(await ask('?format=json&from=2026-05-18T23:59:56.500Z'));
    expect(list.map(({ id }) => id).join()).toBe(expected.slice(0, 10_503).join());
  });

  it('as CSV has a header, encodes lists and objects as JSON, and contains no formulas', async () => {
    await service.load(
      report('ada', 'deprecation', 'csv', { message: '=1+1,"x"\r\ny', featureId: '@SUM', date: NOW }),
    );
    const answer = await get('/reports/deprecation?not.message=Unload', {
      accept: 'text/csv; charset=utf-8',
    });
    expect(answer.headers.get('content-type')).toContain('text/csv');
    const [header, row] = answer.text.split(/\r\n(?=csv|$)/);
    expect(header).toBe(
      'id,type,date,uri,raw,count,browser,platform,featureId,message,sourceFile,lineNumber,columnNumber,anticipatedRemoval,samplingRate',
    );
    expect(row).toContain(`'@SUM,"'=1+1,""x""\r\ny"`);
    const mail = await get('/reports/dmarc?format=csv');
    expect(mail.text).toContain('"[{""type"":""forwarded"",""comment"":""known forwarder""}]"');
  });

  it('as CSV has exactly one row per record, even if texts contain separators', async () => {
    const texts = SEPARATORS.flatMap(separator => [
      `https://evil.example/a${separator}=cmd|' /C calc'!A0`,
      `${separator}=1+1`,
      `a"${separator}`,
    ]);
    await service.load(
      ...texts.map((message, index) =>
        report('ada', 'intervention', `separator-${index}`, {
          uri: 'https://separators.example/',
          message,
          date: NOW,
        }),
      ),
    );
    const path = '/reports/intervention?hostnames=separators.example';
    const found = records(await get(path)).map(({ id, message }) => [id, message]);
    expect(found.map(([, message]) => message).sort()).toEqual(texts.sort());
    // The behaviour of Python's `splitlines`, which `requests` and `httpx` use to read lines.
    const ends = new RegExp(`\r\n|[${SEPARATORS.join('')}]`);
    const lines = (await get(path)).text.split(ends).slice(0, -1);
    expect(lines).toHaveLength(texts.length);
    expect(lines.map(line => JSON.parse(line).message)).toEqual(found.map(([, message]) => message));
    const { text } = await get(`${path}&format=csv`);
    // A reader that splits into lines first would split at each of these characters.
    const [header, ...rows] = parse(text, { record_delimiter: ['\r\n', ...SEPARATORS] }) as string[][];
    const [id, message] = [header!.indexOf('id'), header!.indexOf('message')];
    const cells = rows.map(row => [row[id], unescapeCell(row[message]!.replace(/^'/, ''))]);
    expect(cells).toEqual(found);
    for (const row of rows) for (const cell of row) expect(cell).not.toMatch(/^[\t\n\r]*[=+@]/);
  });

  it('as CSV contains no control characters and bidirectional overrides', async () => {
    const acting = '\x1b]0;owned\x07\x7f\x9b31m\u202egpj.exe\u2066\u200f\u2028';
    await service.load(
      report('ada', 'intervention', 'acting', { uri: 'https://acting.example/', message: acting, date: NOW }),
    );
    const path = '/reports/intervention?hostnames=acting.example';
    const [{ message: stored }] = records(await get(path)) as [ExportResult];
    const { text } = await get(`${path}&format=csv`);
    expect(text).not.toMatch(/[^\P{Cc}\n\r]|[\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
    const [header, row] = parse(text) as [string[], string[]];
    expect(unescapeCell(row[header.indexOf('message')]!)).toBe(stored);
  });

  it('supports filters, exclusions and a period', async () => {
    const uris = { a: 'https://a.example/', b: 'https://b.example/' };
    await service.load(
      report('ada', 'coep', 'a', { uri: uris.a, date: '2026-05-10T00:00:00Z' }),
      report('ada', 'coep', 'b', { uri: uris.b, date: '2026-05-11T00:00:00Z' }),
    );
    expect(ids(await get('/reports/coep?hostnames=a.example,b.example'))).toEqual(['b', 'a']);
    expect(ids(await get('/reports/coep?hostnames=*.example&not.hostnames=b.example&id=A'))).toEqual(['a']);
    expect(ids(await get('/reports/coep?from=2026-05-10T12:00:00Z&to=2026-05-12'))).toEqual(['b']);
    expect(ids(await get('/reports/coep?from=2026-05-10T00:00:00%2B00:00&to=2026-05-11'))).toEqual(['a']);
    expect(ids(await get('/reports/dmarc?aligned=false'))).toEqual([]);
    expect(ids(await get('/reports/dmarc?aligned=true&not.sourceIp=192.0.2.8'))).toEqual(['r-1']);
    // The spelling of Python's requests and .NET.
    expect(ids(await get('/reports/dmarc?aligned=True&after=&cursors=True'))).toEqual(['r-1']);
    expect((await get('/reports/dmarc?aligned=1')).status).toBe(400);
  });

  it.each([
    ['2026-05-10T12:00:00+00:00', ['later']],
    ['2026-05-10T12:00:00%2B00:00', ['later']],
    ['2026-05-10T12:00:00%2b0000', ['later']],
    ['2026-05-10T12:00:00%2000:00', ['later']],
    ['2026-05-10+12:00:00+00:00', ['later']],
    ['2026-05-10t12:00z', ['later']],
    ['2026-05-10T02:00:00.5-10:00', ['later']],
    ['2026-05-10T14:00:00+02:30', ['later', 'sooner']],
  ])('accepts a timestamp in any spelling that a client could produce: %s', async (from, found) => {
    await service.load(
      report('ada', 'intervention', 'sooner', { date: '2026-05-10T11:30:00Z' }),
      report('ada', 'intervention', 'later', { date: '2026-05-10T12:30:00Z' }),
    );
    expect(ids(await get(`/reports/intervention?from=${from}&to=2026-05-11T00:00:00+00:00`))).toEqual(found);
  });

  it('accepts filter values that contain commas', async () => {
    const at = (path: string) => ({ uri: `https://commas.example${path}` });
    await service.load(
      report('ada', 'coop', 'comma', at('/a,b')),
      report('ada', 'coop', 'plain', at('/c')),
      report('ada', 'coop', 'other', at('/a')),
    );
    const found = async (paths: string) =>
      ids(await get(`/reports/coop?hostnames=commas.example&${new URLSearchParams({ paths })}`)).sort();
    expect(await found('/a\\,b')).toEqual(['comma']);
    expect(await found('/a\\,b,/c')).toEqual(['comma', 'plain']);
    expect(await found('/a,/c')).toEqual(['other', 'plain']);
    expect(await found('/a\\\\,/c')).toEqual(['plain']);
  });

  it('ends at the retention', async () => {
    await service.load(report('ada', 'nel', 'old', { date: '2026-04-01T00:00:00Z' }));
    expect(ids(await get('/reports/nel'))).toEqual(['r-1']);
  });

  it.each([
    ['/reports/csp?nelType=x', 400, 'Parameter nelType does not apply to report type csp'],
    ['/reports/csp?not.nelType=x', 400, 'Parameter not.nelType does not apply to report type csp'],
    ['/reports/csp?hostname=x', 400, 'Unknown parameter: hostname'],
    ['/reports/csp?not.hostname=x', 400, 'Unknown parameter: not.hostname'],
    ['/reports/csp?not.from=2026', 400, 'Unknown parameter: not.from'],
    ['/findings?hostnames=x', 400, 'Unknown parameter: hostnames'],
    ['/reports/csp?hostn%C3%A4mes=x', 400, 'Unknown parameter: hostnämes'],
    ['/reports/csp?not.hostn%C3%A4mes=x', 400, 'Unknown parameter: not.hostnämes'],
    ['/reports/csp?%EF%BB%BFhostnames=x', 400, 'Unknown parameter: %EF%BB%BFhostnames'],
    ['/reports/csp?hostnames%E2%80%8B=x', 400, 'Unknown parameter: hostnames%E2%80%8B'],
    ['/reports/csp?host%names=x', 400, 'Unknown parameter: host%names'],
    ['/reports/csp?hostnames%=x', 400, 'Unknown parameter: hostnames%'],
    ['/reports/csp?hostn%E4mes=x', 400, 'Unknown parameter: hostn%E4mes'],
    ['/reports/csp?host%00names=x', 400, 'Unknown parameter: host%00names'],
    ['/reports/csp?=x', 400, 'Unknown parameter: '],
    ['/audit-log?fr%C3%B6m=2026-05-10', 400, 'Unknown parameter: fröm'],
    ['/findings?%EF%BB%BFfrom=2026-05-10', 400, 'Unknown parameter: %EF%BB%BFfrom'],
    ['/reports/csp?after=&%C3%A4', 400, 'Unknown parameter: ä'],
    [`/findings?${'x'.repeat(1000)}`, 400, `Unknown parameter: ${'x'.repeat(64)}`],
    ['/reports/csp?action=odd', 400, 'Invalid value for parameter: action'],
    ['/reports/csp?not.action=odd', 400, 'Invalid value for parameter: not.action'],
    ['/reports/csp?action=enforced&not.action=odd', 400, 'Invalid value for parameter: not.action'],
    ['/reports/csp?action=odd&not.action=enforced', 400, 'Invalid value for parameter: action'],
    ['/reports/csp?from=yesterday', 400, 'Invalid value for parameter: from'],
    ['/reports/csp?from=2026-05-10T12:00:00', 400, 'Invalid value for parameter: from'],
    ['/reports/csp?from=2026-05-10T12:00:00++00:00', 400, 'Invalid value for parameter: from'],
    ['/reports/csp?from=2026-05-10T25:00:00Z', 400, 'Invalid value for parameter: from'],
    ['/reports/csp?to=2026-02-30', 400, 'Invalid value for parameter: to'],
    ['/reports/csp?format=xml', 400, 'Invalid value for parameter: format'],
    ['/reports/csp?limit=5', 400, 'Parameter limit requires after'],
    ['/reports/csp?after=&limit=0', 400, 'Invalid value for parameter: limit'],
    ['/reports/csp?after=&limit=10001', 400, 'Invalid value for parameter: limit'],
    ['/reports/csp?after=odd', 400, 'Invalid value for parameter: after'],
    ['/reports/csp?after=now&after=now', 400, 'Invalid value for parameter: after'],
    ['/reports/csp?after=&cursors=yes', 400, 'Invalid value for parameter: cursors'],
    ['/reports/odd', 404, 'Unknown report type'],
    ['/odd', 404, 'Not found'],
  ])('rejects %s', async (path, status, error) => {
    const answer = await get(path);
    expect([answer.status, answer.body]).toEqual([status, { error }]);
  });

  it('enforces the same authentication, methods, plans and rate limits as /v1', async () => {
    const path = '/export/reports/csp';
    expect((await service.get(path)).status).toBe(401);
    expect((await service.get(path, await service.key('internal'))).status).toBe(401);
    const posted = await service.request(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
    });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
    const free = await open(service, personal('free'), plan('free', { tier: 'free' }));
    expect((await service.get(path, free)).status).toBe(403);
    expect((await get('/reports/csp')).headers.get('ratelimit')).toContain('"default"');
    const plain = await open(service, personal('plain'), plan('plain'));
    const refused = await service.get(`${path}?not.ioc=true`, plain);
    expect(refused.body).toEqual({ error: 'Threat Intelligence is not included in your plan' });
  });

  it('contains no data of another account', async () => {
    const other = await open(service, personal('other'), plan('other'));
    expect((await service.get('/export/reports/csp', other)).text).toBe('');
    const named = await service.get('/export/reports/csp?account=ada', other);
    expect([named.status, named.body]).toEqual([403, { error: 'An internal token is required' }]);
  });

  it.each(['/reports/dmarc', '/audit-log', '/findings'])(
    'of %s is available to an internal token for the named account',
    async path => {
      const own = await open(service, personal('bea'), plan('bea'));
      await service.load(
        report('bea', 'dmarc', 'mail'),
        auditEvent('bea', 'event'),
        watch('bea', 'script', 'bea.example'),
        finding('bea', 'script', 'bea.example', 'https://new.example/x.js'),
      );
      const token = await service.key('internal');
      const answer = await service.get(`/export${path}?account=bea`, token);
      const plain = await service.get(`/export${path}`, own);
      expect([answer.status, answer.text]).toEqual([200, plain.text]);
      expect(answer.text).not.toBe('');
      const unknown = await service.get(`/export${path}?account=nobody`, token);
      expect([unknown.status, unknown.body]).toEqual([404, { error: 'Account not found' }]);
      expect((await service.get(`/export${path}?account=bea`, own)).text).toBe(plain.text);
    },
  );
});

describe('a streamed export', () => {
  const url = (from = service) => `${from.url}/export/reports/intervention`;
  const headers = (token: string) => ({ authorization: `Bearer ${token}`, 'accept-encoding': 'identity' });
  let largeKey: string;
  let otherKey: string;
  /** The key of an account whose texts hardly compress. */
  let random: string;

  /** Uses a separate connection with small socket buffers. */
  const streamed = (token = largeKey, from = service) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request(url(from), { agent: false, headers: headers(token) }, resolve)
        .on('error', reject)
        .end();
    });

  /**
   * The number of records of a megabyte: more than the buffers of the kernel between PostgreSQL and the client can hold,
   * of which one grows up to 32 MB (`net.ipv4.tcp_rmem`).
   */
  const LARGE = 48;

  /** Stores an account with this text in all of its records, and returns its key. */
  async function storeLarge(accountId: string, raw: string): Promise<string> {
    const opened = await open(service, personal(accountId), plan(accountId));
    await service.load(report(accountId, 'intervention', 'large', { raw }));
    await copyReport(service.databaseUrl, { accountId, type: 'intervention', count: LARGE - 1 });
    return opened;
  }

  /** Reads the whole export and returns the id of its last record. Storing and parsing all would take most of the time. */
  async function readLast(response: IncomingMessage): Promise<string | undefined> {
    let last: string | undefined;
    for await (const piece of response as AsyncIterable<Buffer>)
      if (piece.includes('"id":"')) last = piece.toString('latin1');
    const ids = last?.match(/"id":"[^"]+"/g)?.at(-1);
    return ids && JSON.parse(`{${ids}}`).id;
  }

  async function findOldest(account: string): Promise<string> {
    const sql = connectOperator(service.databaseUrl);
    const [oldest] = await sql<{ id: string }[]>`select id from report
      where account_id = ${account} and type = 'intervention' order by date, id limit 1`;
    await sql.end();
    return oldest!.id;
  }

  beforeAll(async () => {
    largeKey = await storeLarge('al', 'x'.repeat(1_000_000));
    otherKey = await storeLarge('bob', 'x'.repeat(1_000_000));
    random = await storeLarge('cy', randomBytes(500_000).toString('hex'));
  });

  it('does not occupy a place if its first rows cannot be read, whole or in pages', {
    tags: 'slow',
  }, async () => {
    await using broken = await startService({ now: NOW, mayFail: true });
    const token = await open(broken, personal('ada'), plan('ada'));
    const sql = connectOperator(broken.databaseUrl);
    for (const query of ['', '?after=', '?after=&limit=5']) {
      const ask = async () => (await broken.get(`/export/reports/csp${query}`, token)).status;
      await sql`alter table report rename to hidden`;
      // More than there are places.
      for (let time = 0; time < 5; time++) expect([query, await ask()]).toEqual([query, 500]);
      await sql`alter table hidden rename to report`;
      expect([query, await ask()]).toEqual([query, 200]);
    }
    await sql.end();
  });

  it('is limited in number, overall and per account, and possible again after others end', {
    tags: 'slow',
  }, async () => {
    const streams: IncomingMessage[] = [];
    const stream = async (token: string) => {
      streams.push(await streamed(token));
      return streams.at(-1)!.statusCode;
    };
    const small = (token: string) => service.get('/export/reports/csp', token);
    expect([await stream(largeKey), await stream(largeKey)]).toEqual([200, 200]);
    const third = await small(largeKey);
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await small(otherKey)).status).toBe(200);
    expect([await stream(otherKey), await stream(otherKey)]).toEqual([200, 200]);
    const other = await open(service, personal('eve'), plan('eve'));
    expect((await small(other)).status).toBe(429);
    for (const response of streams) response.destroy();
    for (const token of [largeKey, otherKey, other])
      await until(async () => (await small(token)).status === 200);
  });

  it('is aborted in favour of another account if its client does not read', { tags: 'slow' }, async () => {
    await using hurried = await startService({
      now: NOW,
      databaseUrl: service.databaseUrl,
      exportConcurrency: 2,
      exportPatience: 1,
    });
    const streams = [];
    for (const token of [largeKey, otherKey]) streams.push(await streamed(token, hurried));
    const other = await open(service, personal('eva'), plan('eva'));
    await until(async () => (await hurried.get('/export/reports/csp', other)).status === 200);
    const read = await Promise.allSettled(streams.map(readLast));
    expect(read.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    const whole = await Promise.all(['al', 'bob'].map(findOldest));
    for (const [index, one] of read.entries())
      if (one.status === 'fulfilled') expect(one.value).toBe(whole[index]);
  });

  it('is never aborted in favour of its own account, even if it has stalled longest', {
    tags: 'slow',
  }, async () => {
    await using hurried = await startService({
      now: NOW,
      databaseUrl: service.databaseUrl,
      exportConcurrency: 3,
      exportPatience: 1,
    });
    const streams = [];
    for (const token of [random, largeKey, otherKey]) streams.push(await streamed(token, hurried));
    await until(async () => (await hurried.get('/export/reports/csp', random)).status === 200);
    const [own, ...others] = await Promise.allSettled(streams.map(readLast));
    expect(own).toEqual({ status: 'fulfilled', value: await findOldest('cy') });
    expect(others.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });

  it('pauses in PostgreSQL while the client does not read, and completes later', {
    tags: 'slow',
  }, async () => {
    const response = await streamed();
    const sql = connectOperator(service.databaseUrl);
    await until(async () => {
      const waiting = await sql`select from pg_stat_activity
        where datname = current_database() and xact_start is not null and wait_event = 'ClientWrite'`;
      return waiting.length === 1;
    });
    await sql.end();
    const lines = (await text(response)).split('\n').slice(0, -1);
    expect(lines.filter(line => line.startsWith('{"id":"') && line.endsWith('}'))).toHaveLength(LARGE);
  });

  it('reuses the connection of an ended stream', async () => {
    expect((await get('/reports/csp')).status).toBe(200);
    const { attempts } = service.database.counters;
    for (let times = 0; times < 5; times++) expect(ids(await get('/reports/csp'))).not.toEqual([]);
    expect(service.database.counters.attempts).toBe(attempts);
  });

  it('that fails is cut off after a complete record', async () => {
    const response = await streamed();
    const pieces: Buffer[] = [];
    const reading = (async () => {
      for await (const piece of response) {
        if (pieces.length === 0) await endSnapshot();
        pieces.push(piece);
      }
    })();
    await expect(reading).rejects.toThrow('aborted');
    expect(Buffer.concat(pieces).toString()).toMatch(/^(\{"id":"[\w-]+",[^\n]+\}\n)+$/);
    await until(async () => (await get('/reports/csp')).status === 200);
  });

  describe.skipIf(!hasProgram('curl'))('that fails', { tags: 'slow' }, () => {
    const cases = ['1.0', '1.1'].flatMap(version =>
      ['identity', 'gzip', 'br'].flatMap(coding =>
        ['ndjson', 'csv', 'json'].map(format => [version, coding, format] as const),
      ),
    );
    // In npm test, every second case, which covers each pair of version, coding and format.
    const tried = cases.filter((_, index) => IN_EARNEST || index % 2 === 0);

    it.each(tried)(
      'never looks complete to curl over HTTP/%s with coding %s as %s',
      async (version, coding, format) => {
        const target = `${service.url}/export/reports/intervention?format=${format}`;
        const fields = ['-H', `Authorization: Bearer ${random}`, '-H', `Accept-Encoding: ${coding}`];
        const curl = spawn('curl', ['-s', '--noproxy', '*', `--http${version}`, ...fields, target]);
        const closed = once(curl, 'close');
        let size = 0;
        for await (const piece of curl.stdout) {
          // curl blocks while nobody reads its output.
          if (size === 0) await endSnapshot();
          size += piece.length;
        }
        // 56: the connection was reset. 18: the last chunk is missing.
        expect(await closed).toEqual([version === '1.0' ? 56 : 18, null]);
        expect(size).toBeGreaterThan(0);
      },
    );
  });

  it.each(['bytes=0-9', 'bytes=-1', 'records=0-9'])('ignores Range: %s', async range => {
    const plain = await get('/reports/csp');
    const answer = await service.get('/export/reports/csp', key, { range });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([200, null]);
    expect(answer.text).toBe(plain.text);
  });

  it('rejects HEAD, which would count and read everything', async () => {
    const head = await service.request('/export/reports/csp', {
      method: 'HEAD',
      headers: { authorization: `Bearer ${key}` },
    });
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET']);
  });

  /** Terminates every session with an open transaction, including that of the stream. */
  async function endSnapshot(): Promise<void> {
    const sql = connectOperator(service.databaseUrl);
    const ended = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`;
    expect(ended.length).toBeGreaterThan(0);
    await sql.end();
  }
});

describe('a page for an HTTP/1.0 client', () => {
  it.each([
    ['identity', 'ndjson'],
    ['identity', 'csv'],
    ['gzip', 'json'],
  ])('has a Content-Length: %s, %s', async (coding, format) => {
    const request = `GET /export/reports/csp?after=&format=${format} HTTP/1.0`;
    const lines = [request, `Authorization: Bearer ${key}`, `Accept-Encoding: ${coding}`, '', ''];
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    socket.write(lines.join('\r\n'));
    const [head, body] = (await text(socket)).split('\r\n\r\n', 2);
    expect(head).toContain('200 OK');
    expect(body!.length).toBeGreaterThan(100);
    expect(head).toMatch(new RegExp(`^Content-Length: ${body!.length}$`, 'm'));
    expect(head).not.toContain('Transfer-Encoding');
  });
});

describe('an export poller', () => {
  const toCursorText = ({ headers }: Answer) => headers.get('sightline-cursor')!;
  const since = (cursor: string, rest = '') => get(`/reports/permissions_policy?after=${cursor}${rest}`);
  const permission = (name: string, fields = {}, account = 'ada') =>
    report(account, 'permissions_policy', name, fields);

  it('receives records in the order of arrival, regardless of their dates', async () => {
    const start = toCursorText(await since('now'));
    expect((await since('now')).text).toBe('');
    await service.load(permission('late', { date: '2026-05-20T10:00:00Z' }));
    await service.load(permission('early', { date: '2026-05-01T10:00:00Z' }));
    const first = await since(start, '&limit=1');
    expect(ids(first)).toEqual(['late']);
    expect(first.headers.get('link')).toBe(
      `</export/reports/permissions_policy?limit=1&after=${toCursorText(first)}>; rel="next"`,
    );
    const second = await since(toCursorText(first), '&limit=1');
    expect(ids(second)).toEqual(['early']);
    const none = await since(toCursorText(second), '&limit=1');
    expect([none.text, none.headers.get('retry-after')]).toEqual(['', '60']);
    expect(toCursorText(none)).toBe(toCursorText(second));
  });

  it('receives a valid link for any characters in the query', async () => {
    const answer = await since('now', '&&hostnames=<a>,"b"');
    expect(answer.headers.get('link')).toBe(
      `</export/reports/permissions_policy?hostnames=%3Ca%3E,%22b%22&after=${toCursorText(answer)}>; rel="next"`,
    );
  });

  it('receives a link with one cursor for any encoding of the parameter name', async () => {
    const answer = await get('/reports/permissions_policy?%61fter=now&limit=1');
    expect(answer.headers.get('link')).toBe(
      `</export/reports/permissions_policy?limit=1&after=${toCursorText(answer)}>; rel="next"`,
    );
  });

  it('receives a link below the public path', async () => {
    await using below = await startService({ publicPath: '/sub', databaseUrl: service.databaseUrl });
    const { headers } = await below.get('/export/findings?after=now', key);
    expect(headers.get('link')).toMatch(/^<\/sub\/export\/findings\?after=/);
    expect((await below.get('/')).headers.get('location')).toBe('/sub/app');
    const nowhere = await below.get('/nowhere', undefined, { accept: 'text/html' });
    expect(nowhere.text).toContain('href="/sub/docs"');
  });

  it('receives records from before the introduction of positions first, page by page', async () => {
    const sql = connectOperator(service.databaseUrl);
    const made = await sql<{ id: string }[]>`
      with made as (
        insert into report (account_id, type, date, id, count, raw)
        select 'ada', 'csp_integrity', timestamptz '2026-05-20' + interval '1 s' * (n / 3), 'early-' || n, 1, ''
        from generate_series(1, 20) n returning date, id)
      select id from made order by date, id`;
    await sql.end();
    await service.load(report('ada', 'csp_integrity', 'later', { date: '2026-05-01T00:00:00Z' }));
    const seen: unknown[] = [];
    for (let [cursor, isMore] = ['', true]; isMore; ) {
      const page = await get(`/reports/csp_integrity?after=${cursor}&limit=6`);
      seen.push(...ids(page));
      cursor = toCursorText(page);
      isMore = ids(page).length > 0;
    }
    expect(seen).toEqual([...made.map(({ id }) => id), 'r-1', 'later']);
  });

  it('receives records from a promoted standby that has lost the last positions', async () => {
    await service.load(permission('before'));
    const start = toCursorText(await since('now'));
    const sql = connectOperator(service.databaseUrl);
    await sql`select setval('load_position', 1)`;
    await sql.end();
    await service.load(permission('after'));
    expect(ids(await since(start))).toEqual(['after']);
  });

  it('receives changed records again, and no deleted ones', async () => {
    const start = toCursorText(await since('now'));
    await service.load(permission('changed'), permission('gone'));
    const seen = await since(start);
    expect(ids(seen)).toEqual(['gone', 'changed'].sort());
    await service.load(permission('changed', { message: 'anew' }), {
      ...permission('gone'),
      deleted: true,
    } as Line);
    const news = records(await since(toCursorText(seen)));
    expect(news.map(({ id, message }) => [id, message])).toEqual([['changed', 'anew']]);
  });

  it('starts with the oldest records and can continue after any record', async () => {
    const everything = await since('', '&cursors=true');
    const [first, ...others] = records(everything) as { id: string; cursor: string }[];
    expect(others.length).toBeGreaterThan(2);
    expect(ids(await since(first!.cursor))).toEqual(others.map(({ id }) => id));
    expect(ids(await since(others.at(-1)!.cursor))).toEqual([]);
  });

  it('skips records that the filters exclude', async () => {
    const start = toCursorText(await since('now'));
    await service.load(permission('other', { property: 'camera' }));
    const filtered = await since(start, '&property=usb');
    expect(filtered.text).toBe('');
    expect(ids(await since(toCursorText(filtered)))).toEqual([]);
  });

  it('can use a cursor only for the same account and list', async () => {
    const cursor = toCursorText(await since('now'));
    const other = await open(service, personal('eve'), plan('eve'));
    const refused = [
      await service.get(`/export/reports/permissions_policy?after=${cursor}`, other),
      await get(`/reports/csp?after=${cursor}`),
      await get(`/audit-log?after=${cursor}`),
      await since(`${cursor}A`),
    ];
    for (const { status, body } of refused) {
      expect([status, body]).toEqual([400, { error: 'Invalid value for parameter: after' }]);
    }
  });

  it.each([
    ['a null character', (text: string) => `${text}\0`],
    ['a position that is no number', (text: string) => text.replace(/^(1\.[^.]+)\.\d+/, '$1.x')],
    [
      'a position that is too large',
      (text: string) => text.replace(/^(1\.[^.]+)\.\d+/, `$1.${'9'.repeat(19)}`),
    ],
    [
      'a time that is too large',
      (text: string) => text.replace(/^(1\.[^.]+\.\d+)\.\d+/, `$1.${'9'.repeat(19)}`),
    ],
    ['a time without an id', (text: string) => text.replace(/^(1\.[^.]+\.\d+\.\d+).*/s, '$1')],
    ['another version', (text: string) => text.replace(/^1/, '2')],
  ])('cannot use a cursor with %s', async (_, change) => {
    await service.load(permission('line\nbreak'));
    const { cursor } = records(await since('', '&cursors=true')).find(({ id }) => id === 'line\nbreak')!;
    const encode = (text: string) => Buffer.from(text).toString('base64url');
    const text = Buffer.from(cursor as string, 'base64url').toString();
    expect((await since(encode(text))).status).toBe(200);
    const { status, body } = await since(encode(change(text)));
    expect([status, body]).toEqual([400, { error: 'Invalid value for parameter: after' }]);
  });

  it('is notified of a gap if unseen reports were removed', async () => {
    const start = toCursorText(await since('now'));
    const other = toCursorText(await get('/reports/intervention?after=now'));
    const readOtherGap = async () =>
      (await get(`/reports/intervention?after=${other}`)).headers.get('sightline-gap');
    await service.load(permission('old', { date: '2026-04-10T00:00:00Z' }));
    const hidden = await since(start);
    expect([hidden.text, hidden.headers.get('sightline-gap')]).toEqual(['', 'true']);
    expect(await readOtherGap()).toBeNull();
    const sql = connectOperator(service.databaseUrl);
    const second = connectOperator(service.databaseUrl);
    await prune(sql, new Announcer(second, 0), DAY);
    await Promise.all([sql.end(), second.end()]);
    expect((await since(start)).headers.get('sightline-gap')).toBe('true');
    expect(await readOtherGap()).toBeNull();
    expect((await since(toCursorText(hidden))).headers.get('sightline-gap')).toBeNull();
    expect((await since('')).headers.get('sightline-gap')).toBeNull();
  });

  it('is not notified of a gap for the first instant of the retention', async () => {
    const own = await open(service, personal('edge'), plan('edge', { dataRetentionDays: 30 }));
    const since = (cursor: string) => service.get(`/export/reports/permissions_policy?after=${cursor}`, own);
    const start = toCursorText(await since('now'));
    await service.load(permission('first', { date: '2026-04-20T00:00:00Z' }, 'edge'));
    const found = await since(start);
    expect(found.text).toContain('"first"');
    expect(found.headers.get('sightline-gap')).toBeNull();
  });

  it('is notified of a gap for all removed reports, regardless of their order', async () => {
    const own = await open(service, personal('mel'), plan('mel', { dataRetentionDays: 30 }));
    const since = (cursor: string) => service.get(`/export/reports/permissions_policy?after=${cursor}`, own);
    await service.load(permission('first', { date: '2026-04-10T00:00:00Z' }, 'mel'));
    const afterFirst = toCursorText(await since('now'));
    await service.load(permission('second', { date: '2026-04-01T00:00:00Z' }, 'mel'));
    const [sql, other] = [connectOperator(service.databaseUrl), connectOperator(service.databaseUrl)];
    for (const today of ['2026-05-05', DAY]) await prune(sql, new Announcer(other, 0), today);
    await Promise.all([sql.end(), other.end()]);
    expect((await since(afterFirst)).headers.get('sightline-gap')).toBe('true');
  });

  /** Loads over separate connections, with failing loads in between. */
  async function loadOneByOne(account: string, names: readonly string[]): Promise<void> {
    const [sql, second] = [connectOperator(service.databaseUrl), connectOperator(service.databaseUrl)];
    const load = (line: Line) =>
      loadFeed(sql, new Announcer(second, 0), [{ name: 'feed', content: [`${JSON.stringify(line)}\n`] }]);
    for (const name of names) {
      await load(permission(name, {}, account));
      await expect(load({ ...permission('refused'), accountId: 'nobody' })).rejects.toThrow(LoadRefused);
    }
    await Promise.all([sql.end(), second.end()]);
  }

  it('misses no report of a concurrent load', { tags: 'slow' }, async () => {
    // An account without these reports, because it sends many requests.
    const own = await open(service, personal('pat'), plan('pat'));
    const since = (rest: string) => service.get(`/export/reports/permissions_policy?after=${rest}`, own);
    const seen = new Set<unknown>();
    let cursor = toCursorText(await since('now'));
    // export-sync.test.ts has longer runs.
    const names = Array.from({ length: 6 }, (_, index) => `concurrent-${index}`);
    let isLoading = true;
    const loading = Promise.all(
      [0, 1, 2].map(turn =>
        loadOneByOne(
          'pat',
          names.filter((_, at) => at % 3 === turn),
        ),
      ),
    ).finally(() => {
      isLoading = false;
    });
    const poll = async () => {
      const answer = await since(`${cursor}&limit=2`);
      for (const id of ids(answer)) seen.add(id);
      cursor = toCursorText(answer);
      return ids(answer).length;
    };
    while (isLoading) {
      await poll();
      // A few times per load is enough; more would slow the loads down.
      await sleep(10);
    }
    await loading;
    while ((await poll()) > 0);
    expect([...seen].sort()).toEqual(names.sort());
  });
});

describe('an export of', () => {
  it('the audit log contains every event with its id, and continues after a cursor', async () => {
    await service.load(
      auditEvent('ada', 'e-1'),
      auditEvent('ada', 'e-2', { timestamp: '2020-01-01T00:00:00Z' }),
    );
    expect(ids(await get('/audit-log'))).toEqual(['e-1', 'e-2']);
    const { body } = await service.get('/v1/audit-log', key);
    const [first] = records(await get('/audit-log'));
    expect(first).toEqual({ id: 'e-1', ...body.events[0] });
    const cursor = (await get('/audit-log?after=now')).headers.get('sightline-cursor');
    await service.load(auditEvent('ada', 'e-3', { timestamp: '2019-01-01T00:00:00Z' }));
    expect(ids(await get(`/audit-log?after=${cursor}`))).toEqual(['e-3']);
    expect(ids(await get('/audit-log?from=2019-06-01&to=2021-01-01'))).toEqual(['e-2']);
  });

  it('the findings contains those of all products', async () => {
    await service.load(
      watch('ada', 'script', 'www.example.com'),
      watch('ada', 'policy', 'www.example.com'),
      finding('ada', 'script', 'www.example.com', 'https://cdn.example/x.js'),
      policyFinding('ada', 'www.example.com', "default-src 'none'"),
    );
    const found = records(await get('/findings'));
    expect(found.map(({ product }) => product).sort()).toEqual(['policy', 'script']);
    expect(found.find(({ product }) => product === 'script')).toMatchObject({
      site: 'www.example.com',
      uri: 'https://cdn.example/x.js',
      policy: null,
      enforced: null,
    });
    const cursor = (await get('/findings?after=now')).headers.get('sightline-cursor');
    expect(ids(await get(`/findings?after=${cursor}`))).toEqual([]);
  });

  it('the verdicts contains those of all kinds, and continues after a cursor', async () => {
    await service.load(
      verdict('ada', 'sender', 'list.example', { verdict: 'forwarder' }),
      scriptVerdict('ada', 'shop.example', 'https://pay.example/*', { decidedAt: '2026-02-01T00:00:00Z' }),
    );
    const found = records(await get('/verdicts'));
    expect(found.map(({ id }) => id)).toEqual([
      'script:shop.example:https://pay.example/*',
      'sender::list.example',
    ]);
    expect(found[1]).toEqual({
      ...{ id: 'sender::list.example', subjectKind: 'sender', site: null, subject: 'list.example' },
      ...{ verdict: 'forwarder', reason: 'We know it', owner: null, hashes: [], count: null },
      ...{ decidedBy: 'ann@example.com', decidedAt: '2026-01-02T00:00:00+00:00', expiresAt: null },
    });
    const cursor = (await get('/verdicts?after=now')).headers.get('sightline-cursor');
    await service.load(verdict('ada', 'sender', 'list.example', { verdict: 'notMine' }));
    expect(ids(await get(`/verdicts?after=${cursor}`))).toEqual(['sender::list.example']);
    expect(ids(await get('/verdicts?from=2026-01-15'))).toEqual([
      'script:shop.example:https://pay.example/*',
    ]);
  });
});
