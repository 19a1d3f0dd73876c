import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatRuleTable, type Insight } from '../../schema/insight.ts';
import { findGrowth, isEscalating } from '../../schema/insights/growth.ts';
import { findImitated } from '../../schema/insights/look-alike.ts';
import { open, personal, plan, report } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { stamp } from '../support/planted.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

/** Tests each attack rule just above and just below its threshold. */

const TODAY = '2026-05-20';
const NOW = `${TODAY}T01:00:00Z`;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const END = Date.parse(TODAY);
const BROWSERS = ['Chrome', 'Firefox', 'Safari', 'Edge'];

let service: TestService;
beforeAll(async () => {
  service = await startService({ now: NOW });
});
afterAll(() => service?.close());

const INSIGHTS = `query ($since: Instant, $until: Instant) { viewer { insights(since: $since, until: $until) {
  id kind severity state title detail subject firstSeen lastSeen count baseline link query } } }`;
const find = async (key: string, variables = {}): Promise<Insight[]> =>
  (await data(service, key, INSIGHTS, { variables })).viewer.insights;

let accounts = 0;
/** Creates an account whose baseline is 40 days of ordinary reports. */
async function account(lines: (id: string) => Line[]): Promise<string> {
  const id = `attacked-${accounts++}`;
  const ordinary = Array.from({ length: 40 }, (_, day) => [
    csp(id, `usual-${day}`, END - (40 - day) * DAY, { blockedUri: 'https://usual.test/a.js' }),
    hash(id, `usual-${day}`, END - (40 - day) * DAY, { hash: 'sha256-old' }),
  ]);
  return open(service, personal(id), plan(id), ...ordinary.flat(), ...lines(id));
}

const csp = (id: string, name: string, at: number, fields: object = {}): Line =>
  report(id, 'csp', `csp-${name}`, {
    date: stamp(at),
    uri: 'https://www.example.com/about',
    directive: 'script-src-elem',
    browser: 'Chrome',
    platform: 'Windows',
    ...fields,
  });

const SCRIPT = 'https://cdn.vendor.test/widget.js';
const hash = (id: string, name: string, at: number, fields: object = {}): Line =>
  report(id, 'csp_integrity', `hash-${name}`, {
    date: stamp(at),
    uri: 'https://www.example.com/about',
    subresourceUri: SCRIPT,
    destination: 'script',
    browser: 'Chrome',
    ...fields,
  });

/** Makes this many reports, one per minute, from each browser in turn. */
const several = (count: number, browsers: number, make: (index: number, browser: string) => Line) =>
  Array.from({ length: count }, (_, index) => make(index, BROWSERS[index % browsers]!));

const YESTERDAY = END - 10 * HOUR;

describe('the reach of an incident', () => {
  const uri = (index: number) => `https://www.example.com/page-${index}`;
  const blocked = (count: number) => (id: string) =>
    several(count, 3, (index, browser) =>
      csp(id, `wide-${index}`, YESTERDAY + index * 1000, {
        blockedUri: 'https://wide.test/a.js',
        uri: uri(index),
        browser,
      }),
    );
  const changed = (count: number) => (id: string) =>
    several(count, 3, (index, browser) =>
      hash(id, `wide-${index}`, YESTERDAY + index * 1000, { hash: 'sha256-new', uri: uri(index), browser }),
    );

  it.each([
    [99, '99 reports of script-src-elem on 99 pages, such as /page-0, by 3 browsers'],
    [130, '130 reports of script-src-elem on at least 100 pages, such as /page-0, by at least 3 browsers'],
  ])('of %i reports of a host does not pass off a sample as the whole', async (count, detail) => {
    const [found] = await find(await account(blocked(count)));
    expect(found!.detail).toContain(detail);
  });

  it.each([
    [199, '199 reports on 199 pages, such as'],
    [230, '230 reports on at least 200 pages, such as'],
  ])('of %i reports of a changed script does not either', async (count, detail) => {
    const [found] = await find(await account(changed(count)));
    expect(found!.detail).toContain(detail);
  });
});

describe('a rarely blocked host', () => {
  const blockedUri = 'https://rare.test/a.js';
  const today = (count: number) => (id: string) =>
    several(count, 2, (index, browser) =>
      csp(id, `today-${index}`, YESTERDAY + index * 60_000, { blockedUri, browser }),
    );
  const earlier = (id: string, days: number) => csp(id, `earlier-${days}`, END - days * DAY, { blockedUri });

  it.each([45, 75])('is new again %i days later only when a day has ten reports', async days => {
    expect(await find(await account(id => [earlier(id, days), ...today(9)(id)]))).toEqual([]);
    const repeated = await find(await account(id => [earlier(id, days), ...today(10)(id)]));
    expect(repeated).toMatchObject([{ kind: 'newBlockedHost', subject: 'rare.test', count: 10 }]);
  });

  it('creates no insight when its five reports span more than a week', async () => {
    const spread = (each: number) => (id: string) =>
      several(5, 2, (index, browser) =>
        csp(id, `spread-${index}`, END - 10 * HOUR - index * each, { blockedUri, browser }),
      );
    const period = { since: stamp(END - 20 * DAY) };
    expect(await find(await account(spread(2 * DAY)), period)).toEqual([]);
    expect(await find(await account(spread(1.5 * DAY)), period)).toMatchObject([{ subject: 'rare.test' }]);
  });
});

describe('a script whose content changed', () => {
  const changed = (reports: number, browsers: number, uri: string) => (id: string) =>
    several(reports, browsers, (index, browser) =>
      hash(id, `new-${index}`, YESTERDAY + index * 60_000, { hash: 'sha256-new', browser, uri }),
    );

  it('is an incident, and a threat when seen on a payment page', async () => {
    const [about] = await find(await account(changed(3, 2, 'https://www.example.com/about')));
    expect(about).toMatchObject({
      kind: 'scriptChanged',
      severity: 'incident',
      state: 'new',
      subject: SCRIPT,
      count: 3,
      firstSeen: '2026-05-19T14:00:00+00:00',
      title: 'The content of cdn.vendor.test/widget.js changed',
    });
    expect(about!.detail).toContain('3 reports on 1 page, such as /about, by 2 browsers have the new hash');
    expect(about!.detail).toContain('The former hash was seen last');
    const [payment] = await find(await account(changed(3, 2, 'https://www.example.com/checkout/payment')));
    expect(payment).toMatchObject({
      severity: 'threat',
      title: 'The content of cdn.vendor.test/widget.js changed on /checkout/payment',
    });
  });

  it('states that the former hash is still seen', async () => {
    const key = await account(id => [
      ...changed(3, 2, 'https://www.example.com/about')(id),
      hash(id, 'elsewhere', END - HOUR, { hash: 'sha256-old', uri: 'https://shop.example.com/' }),
    ]);
    const [insight] = await find(key);
    expect(insight!.detail).toContain('The former hash is still seen elsewhere, last 19 May 23:00 UTC');
  });

  it.each([
    ['two reports', 2, 2],
    ['one browser', 12, 1],
  ])('creates no insight with only %s', async (_, reports, browsers) => {
    expect(await find(await account(changed(reports, browsers, 'https://www.example.com/pay')))).toEqual([]);
  });

  it('creates no further insights when the content changes every few days', async () => {
    const key = await account(id =>
      [20, 15, 10, 5, 1].flatMap(days =>
        several(3, 3, (index, browser) =>
          hash(id, `v${days}-${index}`, END - days * DAY + index * 60_000, {
            hash: `sha256-${days}`,
            browser,
          }),
        ),
      ),
    );
    const found = await find(key, { since: stamp(END - 30 * DAY) });
    expect(found.map(({ firstSeen }) => firstSeen.slice(0, 10))).toEqual(
      expect.arrayContaining(['2026-04-30', '2026-05-05', '2026-05-10']),
    );
    expect(found.filter(({ firstSeen }) => firstSeen > '2026-05-14')).toEqual([]);
  });

  it('is one insight for all scripts of a deployment', async () => {
    const scripts = ['a', 'b', 'c'].map(name => `https://static.example.com/${name}.js`);
    const key = await account(id =>
      scripts.flatMap(subresourceUri => [
        hash(id, `old-${subresourceUri}`, END - 20 * DAY, { hash: `old ${subresourceUri}`, subresourceUri }),
        ...several(3, 3, (index, browser) =>
          hash(id, `new-${subresourceUri}-${index}`, YESTERDAY + index * 60_000, {
            hash: `new ${subresourceUri}`,
            subresourceUri,
            browser,
          }),
        ),
      ]),
    );
    expect(await find(key)).toMatchObject([
      {
        severity: 'change',
        subject: 'example.com',
        title: '3 scripts of example.com changed within an hour',
      },
    ]);
  });
});

describe('a new blocked host', () => {
  const blocked =
    (reports: number, browsers: number, fields: object, at = YESTERDAY) =>
    (id: string) =>
      several(reports, browsers, (index, browser) =>
        csp(id, `new-${index}-${at}`, at + index * 60_000, {
          blockedUri: 'https://collect.test/c',
          browser,
          ...fields,
        }),
      );
  const payment = 'https://www.example.com/checkout/payment';

  it.each([
    [
      'a script in three browsers',
      'script-src-elem',
      payment,
      3,
      'threat',
      'tries to run script on /checkout/payment',
    ],
    [
      'connections in two browsers',
      'connect-src',
      payment,
      2,
      'incident',
      'tries to receive connections on /checkout/payment',
    ],
    [
      'forms in two browsers',
      'form-action',
      'https://www.example.com/login',
      2,
      'incident',
      'tries to receive forms on /login',
    ],
    ['an image', 'img-src', payment, 3, 'change', 'was not blocked in the 28 days before'],
    [
      'a script on another page',
      'script-src',
      'https://www.example.com/paywall-news',
      3,
      'change',
      'was not blocked',
    ],
  ])(
    'has a severity that depends on the resource type and page: %s',
    async (_, directive, uri, browsers, severity, title) => {
      const [insight] = await find(await account(blocked(6, browsers, { directive, uri })));
      expect(insight).toMatchObject({ kind: 'newBlockedHost', severity, subject: 'collect.test' });
      expect(insight!.title).toContain(title);
    },
  );

  it('creates no insight when only one browser reports it', async () => {
    expect(await find(await account(blocked(12, 1, { uri: payment })))).toEqual([]);
  });

  it('is a threat when its name resembles a domain of the account', async () => {
    const blockedUri = 'https://cdn.examp1e.com/a.js';
    const [insight] = await find(await account(blocked(3, 2, { blockedUri })));
    expect(insight).toMatchObject({
      kind: 'lookAlikeHost',
      severity: 'threat',
      subject: 'cdn.examp1e.com',
      title: 'cdn.examp1e.com looks like example.com, and is new on your pages',
    });
    // A report from before more than four weeks without any does not count.
    const again = (id: string) => [
      csp(id, 'earlier', END - 45 * DAY, { blockedUri }),
      ...blocked(2, 2, { blockedUri })(id),
    ];
    expect(await find(await account(again))).toEqual([]);
  });

  it('keeps its id while it is ongoing, and escalates as its reports increase', async () => {
    const key = await account(id =>
      Array.from({ length: 18 }, (_, day) =>
        blocked(Math.ceil(3 * 1.1 ** day), 4, { uri: payment }, END - (18 - day) * DAY)(id),
      ).flat(),
    );
    const [insight] = await find(key);
    expect(insight).toMatchObject({ severity: 'threat', state: 'escalating', subject: 'collect.test' });
    expect(insight!.firstSeen).toBe('2026-05-02T00:00:00+00:00');
    expect(insight!.link).toMatch(/^\/app#\/csp\?from=2026-04-23T\d\d%3A00&blockedHostnames=collect\.test$/);
    const early = await find(key, { until: stamp(END - 18 * DAY + HOUR) });
    expect(early).toEqual([]);
    const [later] = await find(key, { until: stamp(END - 15 * DAY + HOUR) });
    expect(later).toMatchObject({ id: insight!.id, state: 'ongoing' });
  });

  it('is described in the past tense and sorted last once it is resolved', async () => {
    const key = await account(id => [
      ...blocked(8, 4, { uri: payment, blockedUri: 'https://gone.test/a.js' }, END - 4 * DAY)(id),
      ...blocked(8, 4, { uri: payment }, END - 2 * HOUR)(id),
    ]);
    expect(await find(key)).toMatchObject([
      {
        subject: 'collect.test',
        state: 'new',
        title: 'collect.test is new, and tries to run script on /checkout/payment',
      },
      {
        subject: 'gone.test',
        state: 'resolved',
        title: 'gone.test was new, and tried to run script on /checkout/payment',
      },
    ]);
  });

  it('is one insight of the parent domain when many of its sub-domains are new', async () => {
    const key = await account(id =>
      [1, 2, 3, 4, 5].flatMap(number =>
        blocked(5, 2, { blockedUri: `https://x${number}.ads.co.uk/a.js` }, YESTERDAY + number * HOUR)(id),
      ),
    );
    expect(await find(key)).toMatchObject([
      {
        subject: 'ads.co.uk',
        count: 25,
        title: '5 sub-domains of ads.co.uk were not blocked in the 28 days before',
      },
    ]);
  });
});

describe('a flood of hosts of one domain', () => {
  const flood = (hosts: number) => (id: string) =>
    Array.from({ length: hosts }, (_, index) => [
      csp(id, `a${index}`, YESTERDAY + index * 1000, { blockedUri: `https://x${index}.adware.test/a.js` }),
      csp(id, `b${index}`, YESTERDAY + index * 2000, { blockedUri: `https://x${index}.adware.test/b.js` }),
    ]).flat();

  it('is one insight that names the domain', async () => {
    const [insight, ...others] = await find(await account(flood(50)));
    expect(insight).toMatchObject({
      kind: 'manyNewHosts',
      severity: 'notice',
      subject: 'adware.test',
      count: 100,
      title: '100 reports of 50 sub-domains of adware.test, by 1 browser: probably an extension',
    });
    expect(insight!.detail).toContain('most by Chrome');
    expect(insight!.link).toContain('blockedHostnames=*.adware.test');
    expect(others).toEqual([]);
    const few = await find(await account(flood(49)));
    expect(few.map(({ kind }) => kind)).not.toContain('manyNewHosts');
  });

  it('does not hide an attacking host of the same domain', async () => {
    const key = await account(id => [
      ...flood(60)(id),
      ...several(6, 3, (index, browser) =>
        csp(id, `attack-${index}`, YESTERDAY + index * 60_000, {
          blockedUri: 'https://pay.adware.test/a.js',
          uri: 'https://www.example.com/checkout',
          browser,
        }),
      ),
    ]);
    expect((await find(key)).map(({ severity, subject }) => `${severity} ${subject}`)).toEqual([
      'threat pay.adware.test',
      'notice adware.test',
    ]);
  });
});

describe('look-alike domains', () => {
  it.each([
    ['examp1e.com', 'example.com'],
    ['cdn.exarnple.com', 'example.com'],
    ['exemple.com', 'example.com'],
    ['exmaple.com', 'example.com'],
    ['example.org', 'example.com'],
    ['xn--exmple-4nf.com', 'example.com'],
    ['example.com.login.test', 'example.com'],
    ['login.example.com.test', 'example.com'],
    ['example-com.test', 'example.com'],
    ['login.example-com.test', 'example.com'],
    ['example.co.uk', 'example.com'],
  ])('include %s, which imitates %s', (host, own) => {
    expect(findImitated(host, ['www.example.com'])).toBe(own);
  });

  it('differ by two characters from labels of at least eight, and by one from shorter ones', () => {
    const imitates = (host: string, own: string) => findImitated(host, [own]) === own;
    expect(imitates('kastomer.com', 'customer.com')).toBe(true);
    expect(imitates('kastamer.com', 'customer.com')).toBe(false);
    expect(imitates('ekambre.com', 'example.com')).toBe(false);
    expect(imitates('shopp.com', 'shops.com')).toBe(true);
    expect(imitates('shot.com', 'shop.com')).toBe(false);
  });

  it.each([
    ['cdn.example.com'],
    ['example-widgets.test'],
    ['notexample.com.test'],
    ['notexample-com.test'],
    ['samples.test'],
    ['simple.com'],
    ['other.test'],
    ['192.0.2.1'],
    [''],
    [`${'a'.repeat(300)}.test`],
  ])('exclude "%s"', host => {
    expect(findImitated(host, ['www.example.com'])).toBeUndefined();
  });

  it('exclude short names, which have many neighbours', () => {
    expect(findImitated('abd.com', ['abc.com'])).toBeUndefined();
  });
});

it('docs/insights.md contains the rule table', () => {
  expect(readFileSync('docs/insights.md', 'utf8')).toContain(`\n${formatRuleTable()}\n`);
});

describe('growth detection', () => {
  const days = (count: number, at: (day: number) => number) =>
    new Map(Array.from({ length: count }, (_, day) => [day, Math.round(at(day))]));
  const even = days(60, () => 1000);

  it('detects growth of ten percent a day, and when it began', () => {
    const own = days(60, day => 1.1 ** day);
    const since = findGrowth(own, even, 59);
    expect(since).toBeGreaterThanOrEqual(59 - 27);
    expect(findGrowth(own, even, 40)).toBeDefined();
    expect(isEscalating(own, 30, 59)).toBe(true);
  });

  it('detects no growth at three percent a day, in proportion to all reports, or in random variation', () => {
    expect(
      findGrowth(
        days(60, day => 20 * 1.03 ** day),
        even,
        59,
      ),
    ).toBeUndefined();
    const own = days(60, day => 1.1 ** day);
    expect(
      findGrowth(
        own,
        days(60, day => 1000 * 1.1 ** day),
        59,
      ),
    ).toBeUndefined();
    expect(
      findGrowth(
        days(60, day => (day % 5) + 3),
        even,
        59,
      ),
    ).toBeUndefined();
    expect(
      isEscalating(
        days(60, () => 5),
        30,
        59,
      ),
    ).toBe(false);
    expect(isEscalating(own, 57, 59)).toBe(false);
  });

  it('detects no growth once the volume has fallen to less than half', () => {
    const own = days(60, day => (day < 45 ? 1.1 ** day : 1));
    expect(findGrowth(own, even, 59)).toBeUndefined();
  });
});
