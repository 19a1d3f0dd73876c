import { describe, expect, it } from 'vitest';
import { authenticationInsights } from '../../schema/insights/authentication.ts';
import { featureInsights } from '../../schema/insights/features.ts';
import { tlsInsights } from '../../schema/insights/mail.ts';
import type { InsightScope } from '../../schema/insights/scope.ts';
import { scriptInsights } from '../../schema/insights/scripts.ts';
import type { FeatureDay } from '../../sql/insights/features.ts';
import type { AuthenticationDay, TlsDay } from '../../sql/insights/mail.ts';

/** Tests rules on both sides of their thresholds, with the rows that the database would return. */

const DAY = 86_400;
const SINCE = Date.parse('2026-05-10T00:00:00Z') / 1000;
const toDate = (offset: number) => new Date((SINCE + offset * DAY) * 1000).toISOString().slice(0, 10);

/** A scope whose statements return these rows, one after the other. */
function scopeOf(...answers: (readonly object[])[]): InsightScope {
  let asked = 0;
  const queryTenant = async () => ({ objects: () => answers[asked++] ?? [] });
  return {
    account: { id: 'ada', plan: { dataRetentionDays: 90 } },
    database: { queryTenant },
    now: new Date('2026-05-20T00:00:00Z'),
    since: new Date(SINCE * 1000),
    until: new Date('2026-05-20T00:00:00Z'),
  } as unknown as InsightScope;
}

describe('a sender whose DKIM fails', () => {
  const day = (offset: number, fields: Partial<AuthenticationDay> = {}): AuthenticationDay => ({
    ...{ sender: 'Mailer', day: toDate(offset), messages: 10, rows: 1, dkim: 10, spf: 10 },
    ...{ dkimFails: 0, spfFails: 0, dkimReports: 0, spfReports: 0, dkimFailed: '', spfFailed: '' },
    ...{ first: SINCE + offset * DAY, last: SINCE + offset * DAY + 9 },
    ...fields,
  });
  const failing = (offset: number, fields: Partial<AuthenticationDay> = {}) =>
    day(offset, { messages: 20, rows: 3, dkim: 0, spf: 20, dkimFails: 20, dkimReports: 3, ...fields });
  /** Ten days with a hundred messages together. */
  const usual = (fields: Partial<AuthenticationDay> = {}) =>
    Array.from({ length: 10 }, (_, index) => day(index - 10, index === 0 ? fields : {}));
  const find = (...days: AuthenticationDay[]) => authenticationInsights(scopeOf(days));

  it.each<[string, AuthenticationDay[], number]>([
    ['for 20 messages in 3 rows', [...usual(), failing(0)], 1],
    ['for 19 messages', [...usual(), failing(0, { dkimFails: 19 })], 0],
    ['in 2 rows', [...usual(), failing(0, { dkimReports: 2 })], 0],
    ['in half of 6 rows', [...usual(), failing(0, { rows: 6 })], 1],
    ['in less than half of 7 rows', [...usual(), failing(0, { rows: 7 })], 0],
    ['for half of the messages', [...usual(), failing(0, { messages: 40, dkim: 20 })], 0],
    ['for more than half of the messages', [...usual(), failing(0, { messages: 40, dkim: 19 })], 1],
    ['after 90 % of the messages passed', [...usual({ dkim: 0 }), failing(0)], 1],
    ['after 89 % of the messages passed', [...usual({ messages: 11, dkim: 0 }), failing(0)], 0],
    ['after 20 messages', [day(-2), day(-1), failing(0)], 1],
    ['after 19 messages', [day(-2, { messages: 9 }), day(-1), failing(0)], 0],
    ['before the period', [...usual(), failing(0, { first: SINCE - 1 })], 0],
  ])('%s', async (_, days, count) => {
    expect(await find(...days)).toHaveLength(count);
  });

  it('is described with its days from the first to the last on which it fails', async () => {
    const what = { dkimFailed: 's2026 permerror' };
    const [found, ...others] = await find(
      ...usual({ dkim: 5 }),
      failing(0),
      day(1, { messages: 4, dkim: 4 }),
      failing(2, what),
      day(3),
    );
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      ...{ kind: 'authenticationFails', severity: 'incident', subject: 'Mailer', key: 'DKIM Mailer' },
      title: 'DKIM of Mailer fails, and only SPF keeps its mail aligned',
      pastTitle: 'DKIM of Mailer failed, and only SPF kept its mail aligned',
      detail:
        '91 % of 44 messages since 10 May 00:00 UTC, 5.0 % before. Most: selector s2026, result permerror.' +
        ' The key of the selector is missing in DNS, or cannot be read.',
      ...{ first: SINCE, last: SINCE + 2 * DAY + 9, count: 40, rank: 40 },
      reports: { type: 'dmarc', filters: { sender: 'Mailer' } },
    });
    expect(found!.baseline).toBeCloseTo(0.05 * 44);
  });

  it.each([
    [
      'bounce.example permerror',
      ' Most: domain bounce.example, result permerror. The record in DNS is wrong.',
    ],
    ['bounce.example softfail', ' Most: domain bounce.example, result softfail.'],
    ['bounce.example', ' Most: domain bounce.example, result unknown.'],
    ['', ''],
  ])('or its SPF, is described by the most frequent failure: %s', async (spfFailed, end) => {
    const spf = { dkim: 20, spf: 0, dkimFails: 0, dkimReports: 0, spfFails: 20, spfReports: 3, spfFailed };
    const [found] = await find(...usual(), failing(0, spf));
    expect([found!.key, found!.detail]).toEqual([
      'SPF Mailer',
      `100 % of 20 messages since 10 May 00:00 UTC, 0.0 % before.${end}`,
    ]);
  });
});

describe('mail to a domain that fails over TLS', () => {
  const day = (offset: number, failed: number, fields: Partial<TlsDay> = {}): TlsDay => ({
    ...{ domain: 'a.example', day: toDate(offset), failed, sessions: 1000, failedReports: failed && 2 },
    ...{ failure: '', exchanger: '', reporter: '', first: SINCE + offset * DAY, last: SINCE + offset * DAY },
    ...fields,
  });
  const usual = (failed: number) => Array.from({ length: 5 }, (_, index) => day(index - 9, failed));
  const find = (...days: TlsDay[]) => tlsInsights(scopeOf(days));

  it.each<[string, TlsDay[], number]>([
    ['in 20 sessions', [day(0, 20)], 1],
    ['in 19 sessions', [day(0, 19)], 0],
    ['in 1 % of the sessions', [day(0, 20, { sessions: 2000 })], 0],
    ['in more than 1 % of the sessions', [day(0, 21, { sessions: 2000 })], 1],
    ['in three times the usual share', [...usual(10), day(0, 30)], 0],
    ['in more than three times the usual share', [...usual(10), day(0, 31)], 1],
    ['in one report', [day(0, 99, { failedReports: 1 })], 0],
    ['in one report, for 10 % of the sessions', [day(0, 100, { failedReports: 1 })], 1],
    [
      'in one report on each of two days',
      [day(0, 20, { failedReports: 1 }), day(3, 70, { failedReports: 1 })],
      1,
    ],
    ['before the period', [day(-1, 20)], 0],
    ['since before the period', [day(-1, 20), day(1, 70)], 0],
    ['again after three days', [day(0, 20), day(3, 70)], 1],
    ['again after four days', [day(0, 20), day(4, 70)], 2],
    ['at two domains', [day(0, 20), day(0, 20, { domain: 'b.example' })], 2],
  ])('%s', async (_, days, count) => {
    expect(await find(...days)).toHaveLength(count);
  });

  it('is described with what most reports of its first day say', async () => {
    const says = { exchanger: 'mx.a.example', failure: 'certificate-expired', reporter: 'Big Mail' };
    expect(await find(...usual(5), day(0, 40, says), day(2, 60))).toMatchObject([
      {
        ...{ kind: 'tlsFailures', severity: 'incident', subject: 'a.example' },
        title: 'Mail to a.example fails over TLS at mx.a.example: certificate-expired',
        detail:
          '5.0 % of 2,000 sessions failed since 10 May 00:00 UTC, 0.5 % is usual. Most were reported by Big Mail.',
        ...{ first: SINCE, last: SINCE + 2 * DAY, count: 100, baseline: 10, rank: 100 },
        hosts: ['a.example', 'mx.a.example'],
      },
    ]);
    expect(await find(day(0, 40))).toMatchObject([
      {
        title: 'Mail to a.example fails over TLS',
        detail: '4.0 % of 1,000 sessions failed since 10 May 00:00 UTC, 0.0 % is usual.',
        hosts: ['a.example'],
      },
    ]);
  });
});

describe('a feature', () => {
  const FIRST = SINCE / DAY;
  const day = (feature: string, offset: number, reports: number, browser = 'Chrome'): FeatureDay => ({
    ...{ feature, day: FIRST + offset, reports, browser },
    ...{ first: SINCE + offset * DAY, last: SINCE + offset * DAY + 9 },
  });
  const find = (type: string, ...answers: FeatureDay[][]) =>
    featureInsights(scopeOf(...answers), new Set([type]) as never);

  it.each<[string, FeatureDay[], number]>([
    ['with 5 reports', [day('old', -9, 1), day('new', 0, 2), day('new', 3, 3)], 1],
    ['with 4 reports', [day('old', -9, 1), day('new', 0, 2), day('new', 3, 2)], 0],
    ['of the day before the period', [day('old', -9, 1), day('new', -1, 5)], 0],
    ['seven days after the first report of its type', [day('old', -6, 1), day('new', 1, 5)], 1],
    ['six days after the first report of its type', [day('old', -5, 1), day('new', 1, 5)], 0],
  ])('is new: %s', async (_, days, count) => {
    expect((await find('deprecation', days)).map(({ subject }) => subject)).toEqual(Array(count).fill('new'));
  });

  it.each([
    ['deprecation', 'A Feature', { message: 'A Feature' }, []],
    ['intervention', 'AFeature', { featureId: 'AFeature' }, []],
    ['permissions_policy', 'camera', { property: 'camera' }, []],
    ['connection_allowlist', 'x.example', { blockedHostnames: 'x.example' }, ['x.example']],
  ])('of type %s leads to its reports', async (type, name, filters, hosts) => {
    const [found] = await find(type, [day('old', -9, 1), day(name, 0, 5, '')]);
    expect(found).toMatchObject({
      ...{ kind: 'newFeature', severity: 'change', key: `${type} ${name}`, first: SINCE, last: SINCE + 9 },
      ...{ count: 5, baseline: 0, reports: { type, filters }, hosts, rank: 5 },
    });
    expect(found!.detail).toMatch(/^5 reports since 10 May 00:00 UTC, most by an unknown browser\. /);
  });

  it.each([
    ['half', 10, ['shop.example/cart']],
    ['less than half', 11, ['oom', 'shop.example/cart']],
  ])('of crashes is left out if a page has %s of them', async (_, reports, subjects) => {
    const reasons = [day('old', -9, 1), day('oom', 0, reports)];
    const pages = [day('shop.example/', -9, 1), day('shop.example/cart', 0, 5)];
    const found = await find('crash', reasons, pages);
    expect(found.map(({ subject }) => subject).sort()).toEqual(subjects);
    expect(found.find(({ subject }) => subject.includes('/'))!.reports).toEqual({
      ...{ type: 'crash', filters: { hostnames: 'shop.example', paths: '/cart' } },
    });
  });
});

describe('a script whose content changes', () => {
  const script = 'https://cdn.example/a.js';
  const hash = (name: string, first: number, fields: object = {}) => ({
    ...{ script, hash: name, reports: 3, browsers: 2, first, last: first + 9, began: SINCE - 20 * DAY },
    ...fields,
  });
  const old = hash('old', SINCE - 20 * DAY);
  const pages = (fields: object = {}) => ({
    ...{ hash: 'new', sampled: 3, pages: 2, path: '/pay', isSensitive: false, pageHosts: 'shop.example' },
    ...fields,
  });

  it.each<[string, object[], number]>([
    ['in 3 reports of 2 browsers', [hash('new', SINCE)], 1],
    ['in 2 reports', [hash('new', SINCE, { reports: 2 })], 0],
    ['for one browser', [hash('new', SINCE, { browsers: 1 })], 0],
    ['before the period', [hash('new', SINCE - 1)], 0],
    [
      'for the third time',
      [hash('one', SINCE - 9 * DAY), hash('two', SINCE - 8 * DAY), hash('new', SINCE)],
      1,
    ],
    [
      'for the fourth time',
      [...[9, 8, 7].map(days => hash(`${days}`, SINCE - days * DAY)), hash('new', SINCE)],
      0,
    ],
    [
      'of no host',
      [
        { ...old, script: 'inline' },
        { ...hash('new', SINCE), script: 'inline' },
      ],
      0,
    ],
  ])('%s', async (_, hashes, count) => {
    expect(await scriptInsights(scopeOf([old, ...hashes], [pages()]))).toHaveLength(count);
  });

  it.each([
    ['others, on a page', 'shop.example', false, 'incident'],
    ['others, on a page for payment', 'shop.example', true, 'threat'],
    ['the own site, on a page', 'www.cdn.example', false, 'change'],
    ['the own site, on a page for payment', 'www.cdn.example', true, 'incident'],
  ])('is more severe if it comes from %s', async (_, pageHosts, isSensitive, severity) => {
    const [found] = await scriptInsights(
      scopeOf([old, hash('new', SINCE)], [pages({ pageHosts, isSensitive })]),
    );
    expect(found).toMatchObject({
      severity,
      title: `The content of cdn.example/a.js changed${isSensitive ? ' on /pay' : ''}`,
      detail:
        '3 reports on 2 pages, such as /pay, by 2 browsers have the new hash new since 10 May 00:00 UTC. The former hash ' +
        'was seen last 20 Apr 00:00 UTC. If nobody deployed it, compare the contents.',
      ...{ subject: script, hosts: ['cdn.example'], rank: 2_200_003 },
    });
  });

  it.each<[string, number[], string[]]>([
    ['three scripts within an hour', [0, 60, 3600], ['cdn.example']],
    ['three scripts in more than an hour', [0, 60, 3601], [0, 1, 2].map(n => `https://cdn.example/${n}.js`)],
    ['two scripts', [0, 60], [0, 1].map(n => `https://cdn.example/${n}.js`)],
  ])('is one insight with others of its domain: %s', async (_, times, subjects) => {
    const hashes = times.flatMap((time, index) =>
      [hash('old', SINCE - 20 * DAY), hash(`new-${index}`, SINCE + time)].map(one => ({
        ...one,
        script: `https://cdn.example/${index}.js`,
      })),
    );
    const found = await scriptInsights(scopeOf(hashes));
    expect(found.map(({ subject }) => subject).sort()).toEqual(subjects);
  });
});
