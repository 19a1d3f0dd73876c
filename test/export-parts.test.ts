import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyReport } from './support/copied-reports.ts';
import { auditEvent, finding, NOW, open, personal, plan, report, watch } from './support/fixtures.ts';
import { connectOperator } from './support/operator.ts';
import { type BodyPart, splitParts } from './support/parts.ts';
import { type Answer, startService, type TestService } from './support/service.ts';

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada', { dataRetentionDays: 30 }));
  await loadInParts();
});
afterAll(() => service.close());

/** Loads a large position, several small ones, and one with long texts. Some dates have microseconds. */
async function loadInParts(): Promise<void> {
  await service.load(...names('first', 40).map((id, index) => toReport(id, index, 'x'.repeat(60_000))));
  for (const load of ['second', 'third', 'fourth'])
    await service.load(...names(load, 3).map((id, index) => toReport(id, index)));
  await service.load(
    ...names('last', 12).map((id, index) => toReport(id, 40 - index, 'ü"\u2028'.repeat(25_000))),
  );
  const sql = connectOperator(service.databaseUrl);
  await sql`update report set date = date + interval '1 microsecond' * length(id) where id like '%1%'`;
  await sql.end();
}

const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(2, '0')}`);

/** Several reports have the same date. */
function toReport(id: string, index: number, raw = '{}') {
  const date = new Date(Date.parse(NOW) - Math.floor(index / 3) * 1001).toISOString();
  return report('ada', 'csp', id, { date, raw, browser: index % 2 ? 'Firefox' : 'Chrome' });
}

const MULTIPART = { accept: 'multipart/mixed' };

const get = (query: string, headers: Record<string, string> = MULTIPART, token = key, list = 'reports/csp') =>
  service.get(`/export/${list}?${query}`, token, headers);

const toParts = ({ headers, text }: Answer) => splitParts(headers.get('content-type')!, text);

const toIds = (text: string): string[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line).id);

/** Reads everything page by page, as clients do that do not know parts. */
async function readPages(query: string, after = ''): Promise<string[]> {
  const answer = await get(`${query}&after=${after}&limit=7`, {});
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  const ids = toIds(answer.text);
  return ids.length === 0
    ? []
    : [...ids, ...(await readPages(query, answer.headers.get('sightline-cursor')!))];
}

const cursorOf = ({ headers }: BodyPart) => headers.get('sightline-cursor')!;

describe('an export in parts', () => {
  it.each([
    ['all reports', 'from=2000-01-01T00:00:00Z'],
    ['reports that match a filter', 'browser=Firefox'],
    ['reports without those that match', 'not.browser=Firefox'],
  ])('contains %s in the order of arrival', { tags: 'slow' }, async (_, query) => {
    const parts = toParts(await get(`${query}&after=&limit=2`));
    const ids = parts.flatMap(({ text }) => toIds(text));
    expect(ids).toEqual(await readPages(query));
    expect(ids.length).toBeGreaterThan(20);
    expect(parts.length).toBeGreaterThan(2);
  });

  it('can be continued after any part, as parts or as pages', { tags: 'slow' }, async () => {
    const parts = toParts(await get('after=&limit=2'));
    // The other parts of a load are alike.
    const isTried = (index: number) => index % 3 === 0 || index === parts.length - 1;
    for (const [index, part] of parts.entries()) {
      if (!isTried(index)) continue;
      const rest = parts.slice(index + 1).flatMap(({ text }) => toIds(text));
      expect(await readPages('', cursorOf(part))).toEqual(rest);
      const next = await get(`after=${cursorOf(part)}&limit=2`);
      const isPage = next.headers.get('sightline-cursor') !== null;
      const ids = isPage ? toIds(next.text) : toParts(next).flatMap(({ text }) => toIds(text));
      expect(ids).toEqual(rest);
    }
  });

  it('ends with a cursor for future reports', async () => {
    const other = await open(service, personal('bob'), plan('bob'));
    await service.load(...names('old', 5).map(id => report('bob', 'csp', id, { date: NOW })));
    const parts = toParts(await get('after=&limit=2', MULTIPART, other));
    const end = `after=${cursorOf(parts.at(-1)!)}&limit=2`;
    const empty = await get(end, MULTIPART, other);
    expect([empty.text, empty.headers.get('retry-after'), empty.headers.get('sightline-cursor')]).toEqual([
      '',
      '60',
      cursorOf(parts.at(-1)!),
    ]);
    await service.load(report('bob', 'csp', 'new', { date: '2026-05-01T00:00:00Z' }));
    expect(toIds((await get(end, MULTIPART, other)).text)).toEqual(['new']);
  });

  it('is a single page if no more follow, if each record needs a cursor, and for other clients', async () => {
    const pages = [
      await get('after=&limit=1000&browser=Safari'),
      await get('after=now'),
      await get('after=&limit=2&cursors=true'),
      await get('after=&limit=2', { accept: '*/*' }),
      await get('after=&limit=2', { accept: 'text/csv' }),
    ];
    for (const { status, headers } of pages) {
      expect(status).toBe(200);
      expect([headers.get('sightline-cursor'), headers.get('content-type')]).not.toContain(null);
      expect(headers.get('content-type')).not.toContain('multipart');
    }
  });

  it.each([
    ['csv', 'text/csv; charset=utf-8; header=present', (text: string) => text.split('\r\n').slice(0, -1)],
    ['json', 'application/json; charset=utf-8', (text: string) => JSON.parse(text)],
  ])('has complete %s in each part', { tags: 'slow' }, async (format, type, read) => {
    const parts = toParts(await get(`after=&limit=2&format=${format}`));
    const whole = read((await get(`after=&limit=10000&format=${format}&browser=Chrome`, {})).text);
    const header = format === 'csv' ? 1 : 0;
    expect(parts.map(part => part.headers.get('content-type'))).toEqual(parts.map(() => type));
    expect(parts.reduce((sum, { text }) => sum + read(text).length - header, 0)).toBe(61);
    if (header) for (const { text } of parts) expect(read(text)[0]).toBe(whole[0]);
  });

  it('is compressed as a whole', { tags: 'slow' }, async () => {
    const plain = await get('after=&limit=2', { ...MULTIPART, 'accept-encoding': 'identity' });
    const compressed = await get('after=&limit=2', { ...MULTIPART, 'accept-encoding': 'gzip' });
    expect([plain.headers.get('content-encoding'), compressed.headers.get('content-encoding')]).toEqual([
      null,
      'gzip',
    ]);
    expect(
      toParts(compressed)
        .map(({ text }) => text)
        .join(''),
    ).toBe(
      toParts(plain)
        .map(({ text }) => text)
        .join(''),
    );
  });

  it('names a gap in its first part', async () => {
    const other = await open(service, personal('cy'), plan('cy', { dataRetentionDays: 5 }));
    await service.load(report('cy', 'csp', 'seen', { date: NOW }));
    const cursor = (await get('after=&limit=2', {}, other)).headers.get('sightline-cursor');
    await service.load(
      report('cy', 'csp', 'expired', { date: '2026-05-01T00:00:00Z' }),
      ...names('present', 5).map(id => report('cy', 'csp', id, { date: NOW })),
    );
    const parts = toParts(await get(`after=${cursor}&limit=2`, MULTIPART, other));
    expect(parts.map(({ headers }) => headers.get('sightline-gap'))).toEqual([
      'true',
      ...parts.slice(1).map(() => null),
    ]);
    expect(parts.flatMap(({ text }) => toIds(text))).toEqual(names('present', 5));
    expect(
      toParts(await get('after=&limit=2', MULTIPART, other))[0]!.headers.get('sightline-gap'),
    ).toBeNull();
  });

  it('contains the audit log and findings as well', async () => {
    const other = await open(service, personal('dan'), plan('dan'));
    await service.load(
      ...names('event', 6).map(id => auditEvent('dan', id)),
      watch('dan', 'script', 'a.example'),
      ...names('uri', 6).map(uri => finding('dan', 'script', 'a.example', `https://x.example/${uri}`)),
    );
    for (const list of ['audit-log', 'findings']) {
      const found = toParts(await get('after=&limit=2', MULTIPART, other, list)).flatMap(({ text }) =>
        toIds(text),
      );
      const pages = toIds((await get('after=&limit=100', {}, other, list)).text);
      expect([found.length, found]).toEqual([6, pages]);
    }
  });

  it('is a page if the streams of the account are all in use, and releases its own', {
    tags: 'slow',
  }, async () => {
    // More than the buffers of a connection contain.
    const other = await open(service, personal('eve'), plan('eve'));
    const raw = 'x'.repeat(400_000);
    await service.load(
      report('eve', 'csp', 'long', { date: NOW, raw }),
      ...names('event', 250).map(id => auditEvent('eve', id)),
    );
    await copyReport(service.databaseUrl, { accountId: 'eve', type: 'csp', count: 23 });
    const getEvents = () => get('after=&limit=225', MULTIPART, other, 'audit-log');
    const getPart = () => get('after=&limit=2', MULTIPART, other);
    const answers: IncomingMessage[] = [];
    const stream = async () => {
      const [answer] = (await once(
        httpGet(`${service.url}/export/reports/csp?after=&limit=2`, {
          agent: false,
          headers: { ...MULTIPART, authorization: `Bearer ${other}`, 'accept-encoding': 'identity' },
        }),
        'response',
      )) as [IncomingMessage];
      answers.push(answer);
      return answer.headers['content-type'];
    };
    expect(await stream()).toContain('multipart/mixed');
    expect(await stream()).toContain('multipart/mixed');
    const third = await getPart();
    expect([third.status, third.headers.get('content-type'), toIds(third.text).length]).toEqual([
      200,
      'application/x-ndjson; charset=utf-8',
      2,
    ]);
    expect(toIds((await getEvents()).text)).toHaveLength(225);
    for (const answer of answers) answer.destroy();
    await expect
      .poll(async () => (await getEvents()).headers.get('content-type'))
      .toContain('multipart/mixed');
    // More often than there are slots.
    for (let count = 0; count < 3; count++) toParts(await getEvents());
    expect(toParts(await getPart()).flatMap(({ text }) => toIds(text))).toHaveLength(24);
    expect(toParts(await getEvents()).flatMap(({ text }) => toIds(text))).toHaveLength(250);
  });
});
