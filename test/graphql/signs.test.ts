import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sign } from '../../schema/sign.ts';
import { Announcer } from '../../sql/changes/announcer.ts';
import { maintain } from '../../sql/maintenance/maintain.ts';
import { IN_EARNEST } from '../faults/scale.ts';
import { finding, open, personal, plan, report, watch } from '../support/fixtures.ts';
import { ask, data } from '../support/graphql.ts';
import { connectOperator, type Operator } from '../support/operator.ts';
import { ordinary, type Planted, planted, stamp } from '../support/planted.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

/** Signs of incidents that are planted among ordinary data, and of what has to be no sign. */

const TODAY = '2026-05-20';
const NOW = `${TODAY}T01:00:00Z`;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Incidents of each of ten kinds. */
const PLANTINGS = IN_EARNEST ? 20 : 1;

let service: TestService;
const keys: string[] = [];
const incidents: Planted[][] = [];
const background = ordinary('ACCOUNT', TODAY, 1);

const named = (lines: readonly Line[], account: string) =>
  lines.map(line => JSON.parse(JSON.stringify(line).replaceAll('ACCOUNT', account)) as Line);

beforeAll(async () => {
  service = await startService({ now: NOW });
  for (let number = 0; number < PLANTINGS; number++) {
    const account = `planted-${number}`;
    const own = planted(account, TODAY, number + 1);
    incidents.push(own);
    await service.load(...named(background, account), ...own.flatMap(({ lines }) => lines));
    keys.push(await service.key('personal', account));
  }
});
afterAll(() => service?.close());

const SIGNS = `query ($since: Instant, $until: Instant) {
  viewer { signs(since: $since, until: $until) {
    id kind severity title detail subject firstSeen lastSeen count usual link query
  } }
}`;

async function signs(key: string, variables: Record<string, unknown> = {}): Promise<Sign[]> {
  return (await data(service, key, SIGNS, { variables })).viewer.signs;
}

/** Where a sign is missing, what is expected of it says so. */
const of = (found: readonly Sign[], kind?: string) =>
  found.filter(sign => kind === undefined || sign.kind === kind) as [Sign, ...Sign[]];

describe('incidents', () => {
  it('are found within an hour of data, named by their subject', async () => {
    const missed: string[] = [];
    let all = 0;
    for (const [number, own] of incidents.entries()) {
      for (const { at, kinds, subject } of own) {
        const found = await signs(keys[number]!, { until: stamp(at + HOUR) });
        const isNamed = found.some(
          sign => kinds.includes(sign.kind) && `${sign.subject} ${sign.title}`.includes(subject),
        );
        all++;
        if (!isNamed)
          missed.push(`${number} ${kinds} ${subject}: ${found.map(({ id, title }) => `${id} ${title}`)}`);
      }
    }
    process.stderr.write(`${all - missed.length} of ${all} planted incidents are found within an hour\n`);
    expect(missed.length / all, missed.join('\n')).toBeLessThanOrEqual(0.05);
  });

  it('keep their ids from the first hour on, however the period is asked for', async () => {
    const [own] = incidents as [Planted[]];
    for (const { at } of own.slice(0, 4)) {
      const early = await signs(keys[0]!, { until: stamp(at + HOUR) });
      const late = await signs(keys[0]!, { since: stamp(at - 10 * DAY) });
      const ids = new Set(late.map(({ id }) => id));
      expect(early.filter(({ kind }) => kind !== 'silence').filter(({ id }) => !ids.has(id))).toEqual([]);
    }
    const all = await signs(keys[0]!);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });
});

/** So many one-off hosts within an hour: what anyone can send. */
const forged = (account: string, at: number, count: number): Line[] =>
  Array.from({ length: count }, (_, index) =>
    report(account, 'csp', `forged-${at}-${index}`, {
      date: stamp(at + Math.floor((index / count) * HOUR)),
      uri: 'https://www.example.com/',
      directive: 'script-src-elem',
      blockedUri: `https://x${index}.forged-${at % 1000}.test/a.js`,
      browser: 'Chrome',
      platform: 'Windows',
    }),
  );

describe('a hundred strangers', () => {
  it('cannot hide an incident behind hosts that they make up', async () => {
    const [own] = incidents as [Planted[]];
    const before = await signs(keys[0]!);
    await service.load(...forged('planted-0', Date.parse(TODAY) - 2 * DAY, 5000));
    const after = await signs(keys[0]!);
    const found = ({ subject, kinds }: Planted, all: typeof after) =>
      all.some(
        sign => kinds.includes(sign.kind) && `${sign.subject} ${sign.title} ${sign.detail}`.includes(subject),
      );
    const seen = own.filter(one => found(one, before));
    expect(seen.length).toBeGreaterThanOrEqual(9);
    expect(seen.filter(one => !found(one, after) && !one.kinds.includes('jump'))).toEqual([]);
    expect(of(after, 'manyNewHosts')).toHaveLength(1);
    expect(of(after, 'manyNewHosts')[0].count).toBeGreaterThanOrEqual(5000);
    expect(of(after, 'manyNewHosts')[0]).toMatchObject({ severity: 'notice' });
    expect(after.length).toBeLessThan(before.length + 5);
  });

  it('push out no kind, and what is left out is told', async () => {
    const [own] = incidents as [Planted[]];
    const at = Date.parse(TODAY) - DAY;
    const lines = Array.from({ length: 60 }, (_, host) =>
      Array.from({ length: 12 }, (_, index) =>
        report('planted-0', 'csp', `far-${host}-${index}`, {
          date: stamp(at + index * 60_000),
          uri: 'https://www.example.com/',
          directive: 'img-src',
          blockedUri: `https://far${host}.test/a.png`,
          browser: index % 2 === 0 ? 'Chrome' : 'Firefox',
        }),
      ),
    );
    await service.load(...lines.flat());
    const found = await signs(keys[0]!);
    expect(of(found, 'newBlockedHost')).toHaveLength(20);
    expect(of(found, 'newBlockedHost')[0]).toMatchObject({ severity: 'threat', subject: own[0]!.subject });
    const [more] = of(found, 'more');
    expect(more).toMatchObject({ subject: 'newBlockedHost', severity: 'change' });
    expect(Number(/^\d+/.exec(more.title)?.[0])).toBeGreaterThanOrEqual(41);
  });
});

// In npm test `kept-hours.test.ts` compares them alone.
describe.runIf(IN_EARNEST)('kept groups', () => {
  let sql: Operator;
  let lock: Operator;
  beforeAll(() => {
    sql = connectOperator(service.databaseUrl);
    lock = connectOperator(service.databaseUrl);
  });
  afterAll(() => Promise.all([sql?.end(), lock?.end()]));

  it('tell the same signs as the reports', async () => {
    const days = [3, 9, 20];
    await service.load(...days.flatMap(day => forged('planted-0', Date.parse(TODAY) - day * DAY, 210)));
    const periods = [{}, { since: `2026-04-20T07:30:00Z`, until: '2026-05-12T10:10:00Z' }];
    const ask = () => Promise.all(periods.map(period => signs(keys[0]!, period)));
    const read = await ask();
    const announcer = new Announcer(lock, 0);
    await maintain(sql, lock, { announcer, today: TODAY, tell: () => {} });
    const kept = await sql`select distinct dimensions from daily_group where dimensions like 'hours %'`;
    expect(kept.length).toBeGreaterThanOrEqual(4);
    // Another version, so that nothing comes from memory.
    await service.load(plan('planted-0', { reportQuota: 123_456 }));
    await service.load(plan('planted-0', { reportQuota: 500_000 }, { threatIntelligence: true }));
    expect((await ask()).map(byId)).toEqual(read.map(byId));
    expect(read[0]!.length).toBeGreaterThan(5);
  });
});

const byId = (found: readonly { id: string }[]) =>
  found.toSorted((one, other) => (one.id < other.id ? -1 : 1));

describe('a small account', () => {
  const start = Date.parse(TODAY) - 40 * DAY;
  /** A few reports of a type on each day, some hours apart. */
  const daily = (
    account: string,
    type: string,
    each: number,
    fieldsOf: (day: number, index: number) => object,
    days = 40,
  ) =>
    Array.from({ length: days * each }, (_, number) => {
      const [day, index] = [Math.floor(number / each), number % each];
      const date = stamp(start + day * DAY + (index * DAY) / each);
      return report(account, type, `${type}-${number}`, { date, ...fieldsOf(day, index) });
    });
  const opened = (account: string, fields = {}, features = { threatIntelligence: true }) =>
    open(service, personal(account), plan(account, fields, features));

  it('without reports has no signs', async () => {
    expect(await signs(await opened('empty'))).toEqual([]);
  });

  it('of which everything is new has none of that', async () => {
    const key = await opened('fresh');
    await service.load(
      ...forged('fresh', Date.parse(TODAY) - 2 * DAY, 300),
      ...daily('fresh', 'nel', 3, () => ({ uri: 'https://a.example/', nelType: 'dns.unreachable' }), 3),
    );
    expect(await signs(key)).toEqual([]);
  });

  it('has one sign for what certificates, network errors and mail tell of one host', async () => {
    const key = await opened('joined');
    const at = Date.parse('2026-05-18T09:00:00Z');
    const [host, minute] = ['mx1.example.com', 60_000];
    await service.load(
      ...daily('joined', 'certificate_transparency', 1, () => ({
        issuer: 'CN=Known',
        hostnames: ['example.com'],
      })),
      ...daily('joined', 'nel', 4, () => ({ uri: 'https://www.example.com/', nelType: 'tcp.reset' })),
      ...daily('joined', 'tls_rpt', 1, () => ({
        domain: 'example.com',
        successfulSessions: 900,
        failedSessions: 0,
      })),
      report('joined', 'certificate_transparency', 'changed', {
        date: stamp(at),
        issuer: 'CN=Other CA',
        hostnames: [host],
      }),
      ...Array.from({ length: 30 }, (_, index) =>
        report('joined', 'nel', `error-${index}`, {
          date: stamp(at + (10 + index) * minute),
          uri: `https://${host}/`,
          nelType: 'tls.cert.name_invalid',
        }),
      ),
      report('joined', 'tls_rpt', 'mismatch', {
        date: stamp(at + 45 * minute),
        domain: 'example.com',
        successfulSessions: 300,
        failedSessions: 200,
        failureDetails: [
          { resultType: 'certificate-host-mismatch', failedSessions: 200, receivingMxHostname: host },
        ],
      }),
    );
    const [only, ...rest] = of(await signs(key));
    expect(rest).toEqual([]);
    expect(only).toMatchObject({ kind: 'together', severity: 'incident', subject: host });
    expect(only.title).toBe(
      `${host}: Certificate Transparency, then Network Error Logging, then SMTP TLS Reporting`,
    );
    expect(only.detail).toMatch(/Other CA issued .* tls\.cert\.name_invalid on .* certificate-host-mismatch/);
  });

  it('is told of a jump by its host alone, where that explains page and directive', async () => {
    const key = await opened('jumped');
    const of = (host: string, page: string) => ({
      uri: `https://a.example/${page}`,
      blockedUri: `https://${host}/x.js`,
      directive: 'script-src',
    });
    const at = Date.parse('2026-05-18T10:00:00Z');
    await service.load(
      ...daily('jumped', 'csp', 24, (_, index) => (index % 2 ? of('x.test', 'shop') : of('y.test', 'news'))),
      ...Array.from({ length: 400 }, (_, index) =>
        report('jumped', 'csp', `more-${index}`, {
          date: stamp(at + index * 15_000),
          ...of('x.test', 'shop'),
        }),
      ),
    );
    expect((await signs(key)).map(({ kind, subject }) => `${kind} ${subject}`)).toEqual(['jump x.test']);
  });

  it('is told of mail that begins to fail, with all hours in which it did', async () => {
    const key = await opened('failing');
    const mail = (id: string, at: number, aligned: boolean, count: number) =>
      report('failing', 'dmarc', id, { date: stamp(at), organisation: 'Mailer', aligned, count });
    const at = Date.parse('2026-05-18T06:00:00Z');
    await service.load(
      ...daily('failing', 'dmarc', 2, () => ({ organisation: 'Mailer', aligned: true })).filter(
        ({ date }) => Date.parse(date as string) < at,
      ),
      ...[0, 1, 2, 3].flatMap(hour => [
        mail(`failed-${hour}`, at + hour * HOUR + 600_000, false, 15),
        mail(`passed-${hour}`, at + hour * HOUR + 3_000_000, true, 1),
      ]),
    );
    expect(of(await signs(key), 'senderFails')).toMatchObject([
      {
        subject: 'Mailer',
        count: 60,
        firstSeen: '2026-05-18T06:10:00+00:00',
        lastSeen: '2026-05-18T09:50:00+00:00',
      },
    ]);
  });

  it('is told of types and reporters that stop', async () => {
    const key = await opened('silent');
    await service.load(
      ...daily('silent', 'csp', 24, () => ({ uri: 'https://a.example/', blockedUri: 'inline' })),
      ...daily('silent', 'crash', 2, () => ({ uri: 'https://a.example/' }), 37),
      ...daily('silent', 'dmarc', 3, (day, index) => ({
        reporter: index === 2 && day > 36 ? 'One' : ['One', 'Two', 'Three'][index],
        aligned: true,
      })),
    );
    const found = of(await signs(key), 'silence');
    expect(found.map(({ subject }) => subject).sort()).toEqual(['Three', 'crash']);
    expect(found.find(({ subject }) => subject === 'crash')).toMatchObject({
      firstSeen: '2026-05-16T12:00:00+00:00',
      title: 'Crash reports stopped',
    });
    // One a day, for three days.
    expect(found.find(({ subject }) => subject === 'Three')).toMatchObject({ count: 0, usual: 3 });
  });

  it('hears of no silence of mail before the report of the day is due', async () => {
    const [alone, beside] = [await opened('mailbox'), await opened('mailbox-and-site')];
    // Reports of days of which the last is the 17th: that of the 18th comes in the course of the 19th.
    const mails = (account: string) => daily(account, 'dmarc', 1, () => ({ aligned: true }), 38);
    await service.load(
      ...mails('mailbox'),
      ...mails('mailbox-and-site'),
      ...daily('mailbox-and-site', 'crash', 24, () => ({ uri: 'https://a.example/' }), 41),
    );
    const silent = async (key: string, until: string) =>
      of(await signs(key, { until }), 'silence').map(({ subject }) => subject);
    expect(await silent(alone, '2026-05-19T18:00:00Z')).toEqual([]);
    expect(await silent(beside, '2026-05-19T18:00:00Z')).toEqual([]);
    expect(await silent(alone, '2026-05-20T00:30:00Z')).toEqual(['']);
    expect(await silent(beside, '2026-05-20T00:30:00Z')).toEqual(['dmarc']);
  });

  it('is told within an hour of a busy type that stops', async () => {
    const key = await opened('stopped');
    const hours = daily('stopped', 'coop', 24 * 30, () => ({ uri: 'https://a.example/' }), 17);
    const gone = start + 16 * DAY + 5 * HOUR + 20 * 60_000;
    await service.load(
      ...hours.filter(({ date }) => Date.parse(date as string) < gone),
      ...daily('stopped', 'nel', 24 * 4, () => ({ uri: 'https://a.example/', nelType: 'abandoned' }), 17),
    );
    const until = (minutes: number) => ({ until: stamp(gone + minutes * 60_000) });
    expect(of(await signs(key, until(60)), 'silence').map(({ subject }) => subject)).toEqual(['coop']);
    expect(of(await signs(key, until(20)), 'silence')).toEqual([]);
  });

  it('is told of a quota that will not last, since the day that said so first', async () => {
    const key = await opened('quota', { reportQuota: 600 });
    await service.load(
      ...daily('quota', 'coep', 20, day => ({ uri: 'https://a.example/', count: day > 31 ? 3 : 1 })),
    );
    const [sign, ...rest] = of(await signs(key), 'quota');
    expect(rest).toEqual([]);
    expect(sign).toMatchObject({ subject: '2026-05', usual: 600, title: 'The quota is used up' });
    const before = of(await signs(key, { since: '2026-05-01', until: '2026-05-14T12:00:00Z' }), 'quota');
    expect(before.map(({ id }) => id)).toEqual([sign.id]);
  });

  it('is told of what a quiet watch finds', async () => {
    const key = await opened('watched');
    const found = (uri: string, firstSeen: string) =>
      finding('watched', 'script', 'a.example', uri, { firstSeen, lastSeen: firstSeen });
    await service.load(
      watch('watched', 'script', 'a.example'),
      found('https://x.test/1.js', '2026-04-01T00:00:00Z'),
      found('https://x.test/2.js', '2026-05-17T08:00:00Z'),
      found('https://x.test/3.js', '2026-05-18T08:00:00Z'),
    );
    const told = of(await signs(key), 'newFinding');
    expect(told).toMatchObject([
      { subject: 'a.example', count: 1, detail: 'The newest is https://x.test/2.js.' },
    ]);
  });

  it('hears of threats with a plan that has Threat Intelligence alone', async () => {
    const key = await opened('plain', {}, { threatIntelligence: false });
    await service.load(...named(background, 'plain'), plan('plain'), ...planted('plain', TODAY, 1)[0]!.lines);
    const [sign] = of(await signs(key), 'newBlockedHost');
    expect(sign).toMatchObject({ severity: 'change', subject: planted('plain', TODAY, 1)[0]!.subject });
  });

  it('is told nothing of another one, and nothing for a period that is too long', async () => {
    const key = await opened('curious');
    const query = 'query ($id: ID!) { account(id: $id) { signs { id } } }';
    const other = await ask(service, key, query, { variables: { id: 'planted-0' } });
    expect(other.body.data.account).toBeNull();
    const { body } = await ask(service, key, SIGNS, { variables: { since: '2025-01-01' } });
    expect(body.errors[0].message).toBe(
      'Invalid value for parameter: since. Signs are told of 92 days at most.',
    );
    expect(await signs(key, { since: '2026-05-21' })).toEqual([]);
  });

  it('gets links and requests that hold what reports say without being led astray by it', async () => {
    const key = await opened('hostile');
    await service.load(
      ...daily('hostile', 'dmarc', 6, () => ({ organisation: 'Good', aligned: true, count: 9 })),
      ...Array.from({ length: 5 }, (_, index) =>
        report('hostile', 'dmarc', `evil-${index}`, {
          date: `2026-05-18T0${index}:00:00Z`,
          organisation: '\u202eEvil"&x=1#\n<b>Ltd</b>',
          aligned: false,
          count: 99,
        }),
      ),
    );
    const [sign] = of(await signs(key), 'newSender');
    expect(sign.title).toBe(
      'Evil"&x=1# <b>Ltd</b> sends mail in your name for the first time, and fails DMARC',
    );
    expect(new URL(sign.query!, 'http://x').searchParams.get('sender')).toBe('\u202eEvil"&x=1#\n<b>Ltd</b>');
    const { body } = await service.get(`${sign.query}&format=json`, key);
    expect(body).toHaveLength(5);
    expect(new URLSearchParams(sign.link.split('?')[1]).get('sender')).toContain('Evil');
  });
});
