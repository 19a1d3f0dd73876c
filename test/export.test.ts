import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { REPORT_TYPE_DEFINITIONS, REPORT_TYPES } from '@sightline/reports';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Announcer } from '../sql/changes/announcer.ts';
import { prune } from '../sql/maintenance/prune.ts';
import { LoadRefused, loadFeed } from '../src/feed/load.ts';
import {
  auditEvent,
  finding,
  NOW,
  open,
  personal,
  plan,
  policyFinding,
  report,
  THREAT_INTELLIGENCE,
  watch,
} from './support/fixtures.ts';
import { connectOperator } from './support/operator.ts';
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

/** Characters at which some reader of CSV or of lines ends a line. */
const SEPARATORS = ['\n', '\r', '\v', '\f', '\x1c', '\x1d', '\x1e', '\x85', '\u2028', '\u2029'];

const get = (path: string, headers?: Record<string, string>) => service.get(`/export${path}`, key, headers);

type Exported = { [name: string]: unknown };

const records = ({ text }: Pick<Answer, 'text'>): Exported[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line));

const ids = (answer: Pick<Answer, 'text'>) => records(answer).map(({ id }) => id);

describe('an export of reports', () => {
  it.each(REPORT_TYPES)(
    'of type %s has id, type and the record as /v1 has it, with what only exports have, a line each',
    async type => {
      const answer = await get(`/reports/${type}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
      expect(answer.headers.get('content-disposition')).toBe(
        `attachment; filename="sightline-${type}-${DAY}.ndjson"`,
      );
      const { body } = await service.get(`/v1/reports/${type}?unit=days&date=${DAY}`, key);
      const { id: _, ...record } = body.reports[0];
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

  it('has all records, newest first, however many there are', async () => {
    const sql = connectOperator(service.databaseUrl);
    // More than a statement gives. Three have the same date, so that their ids lead on from one statement to the next.
    const made = await sql<{ id: string }[]>`
      with made as (
        insert into report (account_id, type, date, id, count, raw)
        select 'ada', 'crash', timestamptz '2026-05-19' - interval '1 ms' * (n / 3), 'crash-' || n, 1, ''
        from generate_series(1, 20500) n returning date, id)
      select id from made order by date desc, id desc`;
    await sql.end();
    const expected = ['r-1', ...made.map(({ id }) => id)];
    // To hold so many alike to the description takes longer than the service keeps a connection without a request.
    const ask = (query = '') =>
      fetch(`${service.url}/export/reports/crash${query}`, { headers: { authorization: `Bearer ${key}` } });
    expect(ids({ text: await (await ask()).text() }).join()).toBe(expected.join());
    const list = (await (await ask('?format=json')).json()) as Exported[];
    expect(list.map(({ id }) => id).join()).toBe(expected.join());
  });

  it('is CSV with a header, lists and objects as JSON, and no formula', async () => {
    await service.load(
      report('ada', 'deprecation', 'csv', { message: '=1+1,"x"\r\ny', featureId: '@SUM', date: NOW }),
    );
    const answer = await get('/reports/deprecation?not.message=Unload', { accept: 'text/csv' });
    expect(answer.headers.get('content-type')).toContain('text/csv');
    const [header, row] = answer.text.split(/\r\n(?=csv|$)/);
    expect(header).toBe(
      'id,type,date,uri,raw,count,browser,platform,featureId,message,sourceFile,lineNumber,columnNumber,anticipatedRemoval,samplingRate',
    );
    expect(row).toContain(`'@SUM,"'=1+1,""x""\r\ny"`);
    const mail = await get('/reports/dmarc?format=csv');
    expect(mail.text).toContain('"[{""type"":""forwarded"",""comment"":""known forwarder""}]"');
  });

  it('is CSV whose rows are the records, whatever separators a stranger puts into a text', async () => {
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
    const { text } = await get(`${path}&format=csv`);
    // A reader that splits lines first ends one at each of them.
    const [header, ...rows] = parse(text, { record_delimiter: ['\r\n', ...SEPARATORS] }) as string[][];
    const [id, message] = [header!.indexOf('id'), header!.indexOf('message')];
    const cells = rows.map(row => [row[id], row[message]!.replace(/^'/, '')]);
    expect(cells).toEqual(found);
    for (const row of rows) for (const cell of row) expect(cell).not.toMatch(/^[\t\n\r]*[=+@]/);
  });

  it('takes filters, exclusions and a period', async () => {
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
  });

  it('takes values with commas in lists', async () => {
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
    [`/findings?${'x'.repeat(1000)}`, 400, `Unknown parameter: ${'x'.repeat(64)}`],
    ['/reports/csp?action=odd', 400, 'Invalid value for parameter: action'],
    ['/reports/csp?from=yesterday', 400, 'Invalid value for parameter: from'],
    ['/reports/csp?to=2026-02-30', 400, 'Invalid value for parameter: to'],
    ['/reports/csp?format=xml', 400, 'Invalid value for parameter: format'],
    ['/reports/csp?limit=5', 400, 'Parameter limit goes with after'],
    ['/reports/csp?after=&limit=0', 400, 'Invalid value for parameter: limit'],
    ['/reports/csp?after=&limit=10001', 400, 'Invalid value for parameter: limit'],
    ['/reports/csp?after=odd', 400, 'Invalid value for parameter: after'],
    ['/reports/csp?after=now&after=now', 400, 'Invalid value for parameter: after'],
    ['/reports/csp?after=&cursors=yes', 400, 'Invalid value for parameter: cursors'],
    ['/reports/odd', 404, 'Unknown report type'],
    ['/odd', 404, 'Not found'],
  ])('refuses %s', async (path, status, error) => {
    const answer = await get(path);
    expect([answer.status, answer.body]).toEqual([status, { error }]);
  });

  it('has the doors of /v1', async () => {
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

  it('shows nothing of another account', async () => {
    const other = await open(service, personal('other'), plan('other'));
    expect((await service.get('/export/reports/csp', other)).text).toBe('');
    const named = await service.get('/export/reports/csp?account=ada', other);
    expect([named.status, named.body]).toEqual([403, { error: 'An internal token is required' }]);
  });

  it.each(['/reports/dmarc', '/audit-log', '/findings'])(
    'of %s is what an internal token gets, of the account that it names',
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

describe('a stream', () => {
  const url = (from = service) => `${from.url}/export/reports/intervention`;
  const headers = (token: string) => ({ authorization: `Bearer ${token}`, 'accept-encoding': 'identity' });
  let otherKey: string;

  /** On a connection of its own, of which the system holds little back: it keeps more of one that was read from. */
  const streamed = (token = key, from = service) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request(url(from), { agent: false, headers: headers(token) }, resolve)
        .on('error', reject)
        .end();
    });

  /** To load so much line by line would take most of the time. */
  async function storeLarge(): Promise<void> {
    const sql = connectOperator(service.databaseUrl);
    await sql`insert into report (account_id, type, date, id, count, raw)
      select account, 'intervention', ${NOW}, 'large-' || n, 1, repeat('x', 1000000)
      from unnest(array['ada', 'bob']) account, generate_series(1, 16) n`;
    await sql.end();
  }

  beforeAll(async () => {
    otherKey = await open(service, personal('bob'), plan('bob'));
    await storeLarge();
  });

  it('is one of as many at once as are set, half of them of one account, and others come again', async () => {
    const streams: IncomingMessage[] = [];
    const stream = async (token: string) => {
      streams.push(await streamed(token));
      return streams.at(-1)!.statusCode;
    };
    const small = (token: string) => service.get('/export/reports/csp', token);
    expect([await stream(key), await stream(key)]).toEqual([200, 200]);
    const third = await small(key);
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await small(otherKey)).status).toBe(200);
    expect([await stream(otherKey), await stream(otherKey)]).toEqual([200, 200]);
    const stranger = await open(service, personal('eve'), plan('eve'));
    expect((await small(stranger)).status).toBe(429);
    for (const response of streams) response.destroy();
    for (const token of [key, otherKey, stranger])
      await until(async () => (await small(token)).status === 200);
  });

  it('makes room for another account where its client does not read', async () => {
    await using hurried = await startService({
      now: NOW,
      databaseUrl: service.databaseUrl,
      exportPatience: 1,
    });
    const streams = [];
    for (const token of [key, key, otherKey, otherKey]) streams.push(await streamed(token, hurried));
    const stranger = await open(service, personal('eva'), plan('eva'));
    await until(async () => (await hurried.get('/export/reports/csp', stranger)).status === 200);
    const read = await Promise.allSettled(streams.map(text));
    const cut = read.filter(({ status }) => status === 'rejected');
    expect(cut).toHaveLength(1);
    for (const one of read) {
      // To read it as JSON would take most of the time.
      if (one.status === 'fulfilled') expect(one.value.includes('"id":"large-16"')).toBe(true);
    }
  });

  it('stands still in PostgreSQL while its client takes nothing, and gives it all of it later', async () => {
    const response = await streamed();
    const sql = connectOperator(service.databaseUrl);
    await until(async () => {
      const waiting = await sql`select from pg_stat_activity
        where datname = current_database() and xact_start is not null and wait_event = 'ClientWrite'`;
      return waiting.length === 1;
    });
    await sql.end();
    const lines = (await text(response)).split('\n').slice(0, -1);
    expect(lines.filter(line => JSON.parse(line).id.startsWith('large'))).toHaveLength(16);
  });

  it('takes the connection of one that has ended', async () => {
    expect((await get('/reports/csp')).status).toBe(200);
    const { attempts } = service.database.counters;
    for (let times = 0; times < 5; times++) expect(ids(await get('/reports/csp'))).not.toEqual([]);
    expect(service.database.counters.attempts).toBe(attempts);
  });

  it('that breaks has no end, and ends with a whole record', async () => {
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

  /** Ends every session with a transaction, of which the stream's is one. */
  async function endSnapshot(): Promise<void> {
    const sql = connectOperator(service.databaseUrl);
    const ended = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`;
    expect(ended.length).toBeGreaterThan(0);
    await sql.end();
  }
});

describe('a poller', () => {
  const cursorOf = ({ headers }: Answer) => headers.get('sightline-cursor')!;
  const since = (cursor: string, rest = '') => get(`/reports/permissions_policy?after=${cursor}${rest}`);
  const permission = (name: string, fields = {}, account = 'ada') =>
    report(account, 'permissions_policy', name, fields);

  it('gets what came, in the order in which it came, whatever its date', async () => {
    const start = cursorOf(await since('now'));
    expect((await since('now')).text).toBe('');
    await service.load(permission('late', { date: '2026-05-20T10:00:00Z' }));
    await service.load(permission('early', { date: '2026-05-01T10:00:00Z' }));
    const first = await since(start, '&limit=1');
    expect(ids(first)).toEqual(['late']);
    expect(first.headers.get('link')).toBe(
      `</export/reports/permissions_policy?limit=1&after=${cursorOf(first)}>; rel="next"`,
    );
    const second = await since(cursorOf(first), '&limit=1');
    expect(ids(second)).toEqual(['early']);
    const none = await since(cursorOf(second), '&limit=1');
    expect([none.text, none.headers.get('retry-after')]).toEqual(['', '60']);
    expect(cursorOf(none)).toBe(cursorOf(second));
  });

  it('gets a link that is one, whatever its query has', async () => {
    const answer = await since('now', '&hostnames=<a>,"b"');
    expect(answer.headers.get('link')).toBe(
      `</export/reports/permissions_policy?hostnames=%3Ca%3E,%22b%22&after=${cursorOf(answer)}>; rel="next"`,
    );
  });

  it('gets what came before there were positions first, page by page', async () => {
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
      cursor = cursorOf(page);
      isMore = ids(page).length > 0;
    }
    expect(seen).toEqual([...made.map(({ id }) => id), 'r-1', 'later']);
  });

  it('gets what comes to a standby that has taken over and lost the last numbers', async () => {
    await service.load(permission('before'));
    const start = cursorOf(await since('now'));
    const sql = connectOperator(service.databaseUrl);
    await sql`select setval('load_position', 1)`;
    await sql.end();
    await service.load(permission('after'));
    expect(ids(await since(start))).toEqual(['after']);
  });

  it('gets what was changed once more, and nothing that was deleted', async () => {
    const start = cursorOf(await since('now'));
    await service.load(permission('changed'), permission('gone'));
    const seen = await since(start);
    expect(ids(seen)).toEqual(['gone', 'changed'].sort());
    await service.load(permission('changed', { message: 'anew' }), {
      ...permission('gone'),
      deleted: true,
    } as Line);
    const news = records(await since(cursorOf(seen)));
    expect(news.map(({ id, message }) => [id, message])).toEqual([['changed', 'anew']]);
  });

  it('begins with what is oldest, and can go on behind any record', async () => {
    const everything = await since('', '&cursors=true');
    const [first, ...others] = records(everything) as { id: string; cursor: string }[];
    expect(others.length).toBeGreaterThan(2);
    expect(ids(await since(first!.cursor))).toEqual(others.map(({ id }) => id));
    expect(ids(await since(others.at(-1)!.cursor))).toEqual([]);
  });

  it('is past what its filters leave out', async () => {
    const start = cursorOf(await since('now'));
    await service.load(permission('other', { property: 'camera' }));
    const filtered = await since(start, '&property=usb');
    expect(filtered.text).toBe('');
    expect(ids(await since(cursorOf(filtered)))).toEqual([]);
  });

  it('has a cursor for one account and one list alone', async () => {
    const cursor = cursorOf(await since('now'));
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

  it('is told that reports are gone that it has not seen', async () => {
    const start = cursorOf(await since('now'));
    await service.load(permission('old', { date: '2026-04-10T00:00:00Z' }));
    const hidden = await since(start);
    expect([hidden.text, hidden.headers.get('sightline-gap')]).toEqual(['', 'true']);
    const sql = connectOperator(service.databaseUrl);
    const second = connectOperator(service.databaseUrl);
    await prune(sql, new Announcer(second, 0), DAY);
    await Promise.all([sql.end(), second.end()]);
    expect((await since(start)).headers.get('sightline-gap')).toBe('true');
    expect((await since(cursorOf(hidden))).headers.get('sightline-gap')).toBeNull();
    expect((await since('')).headers.get('sightline-gap')).toBeNull();
  });

  it('is told of none while the first instant of the retention is still shown', async () => {
    const own = await open(service, personal('edge'), plan('edge', { dataRetentionDays: 30 }));
    const since = (cursor: string) => service.get(`/export/reports/permissions_policy?after=${cursor}`, own);
    const start = cursorOf(await since('now'));
    await service.load(permission('first', { date: '2026-04-20T00:00:00Z' }, 'edge'));
    const found = await since(start);
    expect(found.text).toContain('"first"');
    expect(found.headers.get('sightline-gap')).toBeNull();
  });

  it('is told so of all that are gone, in whatever order they went', async () => {
    const own = await open(service, personal('mel'), plan('mel', { dataRetentionDays: 30 }));
    const since = (cursor: string) => service.get(`/export/reports/permissions_policy?after=${cursor}`, own);
    await service.load(permission('first', { date: '2026-04-10T00:00:00Z' }, 'mel'));
    const afterFirst = cursorOf(await since('now'));
    await service.load(permission('second', { date: '2026-04-01T00:00:00Z' }, 'mel'));
    const [sql, other] = [connectOperator(service.databaseUrl), connectOperator(service.databaseUrl)];
    for (const today of ['2026-05-05', DAY]) await prune(sql, new Announcer(other, 0), today);
    await Promise.all([sql.end(), other.end()]);
    expect((await since(afterFirst)).headers.get('sightline-gap')).toBe('true');
  });

  /** On connections of its own, with loads between that fail. */
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

  it('misses no report whose load ends while it asks', async () => {
    // An account without the reports above asks, since it asks often.
    const own = await open(service, personal('pat'), plan('pat'));
    const since = (rest: string) => service.get(`/export/reports/permissions_policy?after=${rest}`, own);
    const seen = new Set<unknown>();
    let cursor = cursorOf(await since('now'));
    // More of it, and for longer: export-sync.test.ts.
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
      cursor = cursorOf(answer);
      return ids(answer).length;
    };
    while (isLoading) {
      await poll();
      // Several times during each load is often enough: more would keep the loads from their work.
      await sleep(3);
    }
    await loading;
    while ((await poll()) > 0);
    expect([...seen].sort()).toEqual(names.sort());
  });
});

describe('an export of', () => {
  it('the audit log has every event with its id, and what came behind a cursor', async () => {
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

  it('the findings has those of all products', async () => {
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
});
