import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditEvent, NOW, open, personal, plan } from '../support/fixtures.ts';
import { type Answer, startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ now: NOW });
});
afterAll(() => service.close());

const newAccount = (id: string) => open(service, personal(id), plan(id));
const ids = ({ body }: Answer): string[] =>
  body.events.map(({ message }: { message: string }) => message.replace('Event ', ''));
const isoAt = (second: number) => new Date(Date.parse('2026-05-01T00:00:00Z') + second * 1000).toISOString();
/** Makes this many events, one second apart, the last of which is the newest. */
const events = (account: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => {
    const number = String(from + index).padStart(5, '0');
    return auditEvent(account, number, { timestamp: isoAt(from + index) });
  });
const descending = (from: number, to: number) =>
  Array.from({ length: from - to }, (_, index) => String(from - 1 - index).padStart(5, '0'));

describe('an event of GET /v1/audit-log', () => {
  it('has exactly the documented keys in the documented order', async () => {
    const key = await newAccount('keys');
    await service.load(
      auditEvent('keys', 'a', {
        timestamp: '2026-05-20T16:30:15.999+02:00',
        event: 'apiKeyCreated',
        message: 'Key "é" was made',
        loggedById: 'user-1',
        loggedByEmail: 'ada@example.com',
        requestIp: '2001:db8::1',
      }),
    );
    const event = {
      timestamp: '2026-05-20T14:30:15+00:00',
      event: 'apiKeyCreated',
      message: 'Key "é" was made',
      loggedById: 'user-1',
      loggedByEmail: 'ada@example.com',
      requestIp: '2001:db8::1',
    };
    expect((await service.get('/v1/audit-log', key)).text).toBe(
      JSON.stringify({ events: [event], nextCursor: null, truncated: false }),
    );
    const { kind, accountId, id, timestamp, ...rest } = auditEvent('keys', 'a');
    await service.load({ kind, accountId, id, timestamp, ...rest, requestIp: null });
    expect((await service.get('/v1/audit-log', key)).body.events[0].requestIp).toBe('');
  });

  it('is sorted by time, newest first, and by id for the same time', async () => {
    const key = await newAccount('order');
    const at = (id: string, timestamp: string) => auditEvent('order', id, { timestamp });
    await service.load(
      at('b', '2026-05-01T00:00:00Z'),
      at('a', '2026-05-01T00:00:00Z'),
      at('B', '2026-05-01T00:00:00Z'),
      at('é', '2026-05-01T00:00:00Z'),
      at('a earlier', '2026-04-30T23:59:59.999999Z'),
      at('a later', '2026-05-01T00:00:00.000001Z'),
    );
    const order = ['a later', 'é', 'b', 'a', 'B', 'a earlier'];
    expect(ids(await service.get('/v1/audit-log', key))).toEqual(order);
    expect(await pages('/v1/audit-log?limit=1', key)).toEqual(order.map(id => [id]));
  });
});

/** Returns the ids on each page, in order. */
async function pages(path: string, key: string): Promise<string[][]> {
  const found: string[][] = [];
  for (let cursor: string | null = ''; cursor !== null && found.length < 50; ) {
    const suffix: string = cursor && `${path.includes('?') ? '&' : '?'}cursor=${cursor}`;
    const answer = await service.get(path + suffix, key);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['events', 'nextCursor', 'truncated']);
    expect(answer.body.truncated).toBe(answer.body.nextCursor !== null);
    found.push(ids(answer));
    cursor = answer.body.nextCursor;
  }
  return found;
}

describe('GET /v1/audit-log without a limit', { tags: 'slow' }, () => {
  let key: string;
  beforeAll(async () => {
    key = await newAccount('whole');
  });

  it('returns an empty list when there are no events', async () => {
    expect((await service.get('/v1/audit-log', key)).text).toBe(
      '{"events":[],"nextCursor":null,"truncated":false}',
    );
  });

  it.each([
    [999, 0],
    [1000, 999],
    [1001, 1000],
    [2000, 1001],
    [2503, 2000],
  ])('returns all %i events in one response', async (count, before) => {
    await service.load(...events('whole', count - before, before));
    const answer = await service.get('/v1/audit-log', key);
    expect(answer.body).toMatchObject({ nextCursor: null, truncated: false });
    expect(Object.keys(answer.body)).toEqual(['events', 'nextCursor', 'truncated']);
    expect(ids(answer)).toEqual(descending(count, 0));
    expect(JSON.stringify(answer.body)).toBe(answer.text);
  });

  it('is streamed in every content coding, with all headers and an entity tag', async () => {
    const plain = await service.get('/v1/audit-log', key, { 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-length')).toBeNull();
    expect(plain.headers.get('content-type')).toBe('application/json; charset=utf-8');
    for (const coding of ['br', 'gzip']) {
      const packed = await service.get('/v1/audit-log', key, { 'accept-encoding': coding });
      expect(packed.headers.get('content-encoding')).toBe(coding);
      expect(packed.text).toBe(plain.text);
    }
    const tag = plain.headers.get('etag')!;
    expect((await service.get('/v1/audit-log', key, { 'if-none-match': tag })).status).toBe(304);
  });

  it('runs one statement per page of events', async () => {
    const before = service.statements;
    await service.get('/v1/audit-log?x=not-kept', key);
    expect(service.statements - before).toBe(4);
  });

  it('returns a consistent list while events arrive during the response', async () => {
    const response = await fetch(`${service.url}/v1/audit-log?x=slow`, {
      headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
    });
    const reader = response.body!.getReader();
    const first = await reader.read();
    await service.load(...events('whole', 5, 3000), auditEvent('whole', 'old', { timestamp: isoAt(-1) }));
    const chunks = [first.value!];
    for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const seen = body.events.map(({ message }: { message: string }) => message.replace('Event ', ''));
    expect(seen.filter((id: string) => id !== 'old')).toEqual(descending(2503, 0));
  });

  it('ignores unknown and misspelled parameters', async () => {
    const whole = ids(await service.get('/v1/audit-log', key));
    expect(ids(await service.get('/v1/audit-log?page=2&Limit=1&CURSOR=x', key))).toEqual(whole);
  });
});

describe('the limit parameter', () => {
  let key: string;
  beforeAll(async () => {
    key = await newAccount('limit');
    await service.load(...events('limit', 1001));
  });
  const page = async (query: string) => {
    const { body } = await service.get(`/v1/audit-log?${query}`, key);
    return [body.events.length, body.truncated, typeof body.nextCursor];
  };

  it.each([
    ['1', 1],
    ['2', 2],
    ['999', 999],
    ['1000', 1000],
    ['007', 7],
  ])('of %s returns pages of %i events', async (limit, size) => {
    expect(await page(`limit=${limit}`)).toEqual([size, true, 'string']);
  });

  it.each([
    ...['1001', '5000', '99999999999999999999', '9'.repeat(400)],
    ...[
      '',
      '0',
      '-1',
      '+5',
      '1.5',
      '1e2',
      '0x10',
      'abc',
      '%2010',
      '10%20',
      '1,2',
      'null',
      'true',
      'NaN',
      'Infinity',
    ],
    ...['%00', '5%00', '%zz', '%', '%ff', '٣'],
  ])('of "%s" falls back to 1000', async limit => {
    expect(await page(`limit=${limit}`)).toEqual([1000, true, 'string']);
  });

  it('falls back to 1000 when it has no value, or when only a cursor is given', async () => {
    expect(await page('limit')).toEqual([1000, true, 'string']);
    const { nextCursor } = (await service.get('/v1/audit-log?limit=1', key)).body;
    expect(await page(`cursor=${nextCursor}`)).toEqual([1000, false, 'object']);
  });

  it('can be given only once', async () => {
    for (const query of ['limit=1&limit=1', 'limit=1&limit=', 'limit=x&limit=y']) {
      const { status, text } = await service.get(`/v1/audit-log?${query}`, key);
      expect([status, text]).toEqual([400, '{"error":"Invalid value for parameter: limit"}']);
    }
  });

  it('ends with the last event, without an empty page after it', async () => {
    const exact = await newAccount('exact');
    await service.load(...events('exact', 6));
    expect((await pages('/v1/audit-log?limit=3', exact)).map(page => page.length)).toEqual([3, 3]);
    expect((await pages('/v1/audit-log?limit=4', exact)).map(page => page.length)).toEqual([4, 2]);
    expect((await pages('/v1/audit-log?limit=6', exact)).map(page => page.length)).toEqual([6]);
    expect((await pages('/v1/audit-log?limit=7', exact)).map(page => page.length)).toEqual([6]);
  });

  it('can change from page to page', async () => {
    const first = await service.get('/v1/audit-log?limit=2', key);
    const second = await service.get(`/v1/audit-log?limit=3&cursor=${first.body.nextCursor}`, key);
    expect([...ids(first), ...ids(second)]).toEqual(descending(1001, 996));
  });
});

describe('the cursor parameter', () => {
  let key: string;
  let cursor: string;
  beforeAll(async () => {
    key = await newAccount('cursor');
    await service.load(...events('cursor', 10));
    cursor = (await service.get('/v1/audit-log?limit=4', key)).body.nextCursor;
  });
  const refuse = async (query: string, as = key) => {
    const { status, text } = await service.get(`/v1/audit-log?${query}`, as);
    expect([status, text], query).toEqual([400, '{"error":"Invalid cursor"}']);
  };

  it('contains only URL-safe characters', () => {
    expect(cursor).toMatch(/^[\w-]+$/);
  });

  it('returns the same page every time', async () => {
    const read = async () => ids(await service.get(`/v1/audit-log?limit=4&cursor=${cursor}`, key));
    expect(await read()).toEqual(descending(6, 2));
    expect(await read()).toEqual(descending(6, 2));
  });

  it('neither repeats nor skips events while others are added and deleted', async () => {
    const own = await newAccount('busy');
    await service.load(...events('busy', 10));
    const first = await service.get('/v1/audit-log?limit=4', own);
    await service.load(...events('busy', 5, 100));
    const second = await service.get(`/v1/audit-log?limit=4&cursor=${first.body.nextCursor}`, own);
    // The event to which the cursor points is deleted as well.
    await service.load({ kind: 'auditEvent', accountId: 'busy', id: ids(second).at(-1)!, deleted: true });
    const third = await service.get(`/v1/audit-log?limit=4&cursor=${second.body.nextCursor}`, own);
    expect([...ids(first), ...ids(second), ...ids(third)]).toEqual(descending(10, 0));
    expect(third.body.nextCursor).toBeNull();
  });

  it('keeps the order of events within the same instant, to the microsecond', async () => {
    const own = await newAccount('instant');
    const at = (id: string, fraction: string) =>
      auditEvent('instant', id, { timestamp: `2026-05-01T00:00:00.${fraction}Z` });
    await service.load(
      at('c', '000001'),
      at('b', '000001'),
      at('a', '000001'),
      at('z', '000000'),
      at('0', '000002'),
    );
    expect(await pages('/v1/audit-log?limit=2', own)).toEqual([['0', 'c'], ['b', 'a'], ['z']]);
  });

  it('is valid only for its own account', async () => {
    const other = await newAccount('other');
    await service.load(...events('other', 10));
    await refuse(`cursor=${cursor}`, other);
    await refuse(`limit=4&cursor=${cursor}`, other);
  });

  it('returns 400 when it was tampered with', { tags: 'slow' }, async () => {
    for (let index = 0; index < cursor.length; index++) {
      const other = cursor[index] === 'A' ? 'B' : 'A';
      await refuse(`cursor=${cursor.slice(0, index)}${other}${cursor.slice(index + 1)}`);
    }
    for (const text of [
      cursor.slice(0, -1),
      cursor.slice(1),
      `${cursor}A`,
      `${cursor}!`,
      `${cursor}%3D`,
      `!${cursor}`,
    ]) {
      await refuse(`cursor=${text}`);
    }
  });

  it.each([
    ...[
      '',
      'x',
      'null',
      'undefined',
      '0',
      '%00',
      '%zz',
      '%ff',
      '[]',
      'W10',
      'e30',
      'bnVsbA',
      'a'.repeat(5000),
    ],
  ])('returns 400 for the value "%s"', async text => {
    await refuse(`cursor=${text}`);
    await refuse(`limit=5&cursor=${text}`);
  });

  it('returns 400 for a forged cursor with another version or an invalid position', async () => {
    const [version, , timestamp, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const forge = (version: unknown, timestamp: unknown, id: unknown, ...more: unknown[]) => {
      const mark = createHash('sha256')
        .update(JSON.stringify(['cursor', timestamp, id]))
        .digest('base64url');
      const parts = [version, mark.slice(0, 12), timestamp, id, ...more];
      return Buffer.from(JSON.stringify(parts)).toString('base64url');
    };
    expect(forge(version, timestamp, id)).toBe(cursor);
    const times = [
      '0000-01-01 00:00:00+00',
      '2026-02-30 00:00:00+00',
      '2026-01-01 24:00:00+00',
      'now',
      '',
      5,
      null,
    ];
    for (const time of times) await refuse(`cursor=${forge(version, time, id)}`);
    for (const bad of ['a\0', 5, null, ['a']]) await refuse(`cursor=${forge(version, timestamp, bad)}`);
    await refuse(`cursor=${forge('0', timestamp, id)}`);
    await refuse(`cursor=${forge(1, timestamp, id)}`);
    await refuse(`cursor=${forge(version, timestamp, id, 'more')}`);
  });

  it('can be given only once', async () => {
    await refuse(`cursor=${cursor}&cursor=${cursor}`);
    await refuse(`cursor=${cursor}&cursor=`);
  });
});
