import { describe, expect, it } from 'vitest';
import { certificateInsights } from '../../schema/insights/certificates.ts';
import { featureInsights } from '../../schema/insights/features.ts';
import { scriptInsights } from '../../schema/insights/scripts.ts';
import type { FeatureDay } from '../../sql/insights/features.ts';
import { createScope, DAY, SINCE } from './scope-of-rows.ts';

/** Tests rules on both sides of their thresholds, with the rows that the database would return. */

describe('a feature', () => {
  const FIRST = SINCE / DAY;
  const day = (feature: string, offset: number, reports: number, browser = 'Chrome'): FeatureDay => ({
    ...{ feature, day: FIRST + offset, reports, browser },
    ...{ first: SINCE + offset * DAY, last: SINCE + offset * DAY + 9 },
  });
  const find = (type: string, ...answers: FeatureDay[][]) =>
    featureInsights(createScope(...answers), new Set([type]) as never);

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

  it.each<[string, number, string[]]>([
    ['before them', 2, ['oom', 'shop.example']],
    ['after them', 4, ['oom', 'shop.example']],
    ['on their day', 3, ['shop.example']],
  ])('of crashes is left out only if the page crashes at the same time: %s', async (_, offset, subjects) => {
    const reasons = [day('old', -9, 1), day('oom', 3, 5)];
    const pages = [day('old.example', -9, 1), day('shop.example', offset, 5)];
    const found = await find('crash', reasons, pages);
    expect(found.map(({ subject }) => subject).sort()).toEqual(subjects);
    expect(found.at(-1)!.reports).toEqual({ type: 'crash', filters: { hostnames: 'shop.example' } });
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
    expect(await scriptInsights(createScope([old, ...hashes], [pages()]))).toHaveLength(count);
  });

  it.each([
    ['others, on a page', 'shop.example', false, 'incident'],
    ['others, on a page for payment', 'shop.example', true, 'threat'],
    ['the own site, on a page', 'www.cdn.example', false, 'change'],
    ['the own site, on a page for payment', 'www.cdn.example', true, 'incident'],
  ])('is more severe if it comes from %s', async (_, pageHosts, isSensitive, severity) => {
    const [found] = await scriptInsights(
      createScope([old, hash('new', SINCE)], [pages({ pageHosts, isSensitive })]),
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

  it('is ranked by up to four browsers and five pages', async () => {
    const [found] = await scriptInsights(
      createScope([old, hash('new', SINCE, { browsers: 5 })], [pages({ pages: 6 })]),
    );
    expect(found).toMatchObject({ rank: 4_500_003, key: `${script} new` });
  });

  it('has the former hash of an earlier time', async () => {
    const found = await scriptInsights(createScope([old, hash('one', SINCE), hash('two', SINCE)]));
    expect(found.map(({ detail }) => detail.split('. ')[1])).toEqual(
      Array(2).fill('The former hash was seen last 20 Apr 00:00 UTC'),
    );
  });

  it('has a sample of pages if it is among the 20 with the most browsers and reports', async () => {
    const scripts = Array.from({ length: 21 }, (_, n) => `https://cdn-${n}.example/a.js`);
    const hashes = scripts.flatMap((name, n) => [
      { ...old, script: name, hash: `old-${n}` },
      { ...hash(`new-${n}`, SINCE, { reports: 3 + n, browsers: n === 0 ? 3 : 2 }), script: name },
    ]);
    const sample = ([, asked]: unknown[]) => (asked as string[]).map(name => pages({ hash: name }));
    const found = await scriptInsights(createScope(hashes, sample));
    expect(found).toHaveLength(21);
    expect(found.filter(({ detail }) => !detail.includes('such as')).map(({ subject }) => subject)).toEqual([
      'https://cdn-1.example/a.js',
    ]);
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
    const found = await scriptInsights(createScope(hashes));
    expect(found.map(({ subject }) => subject).sort()).toEqual(subjects);
  });
});

describe('a certificate', () => {
  const fresh = (of: string, name: string, fields: object = {}) => ({
    ...{ of, name, issuer: 'C=US, O=Trust, CN=E7', hosts: '["elpmaxe.a"]', hostCount: 1, reports: 2 },
    ...{ first: SINCE, last: SINCE + 9, began: SINCE - 7 * DAY },
    ...fields,
  });
  const find = (rows: object[], sites: string[] = []) =>
    certificateInsights(createScope(rows), {
      filterConfiguration: async () => ({ global: { sites } }),
    } as never);

  it.each<[string, object[], string[], string[]]>([
    ['of a new issuer', [fresh('issuer', 'Trust')], [], ['newIssuer']],
    [
      'within the first week of certificates',
      [fresh('issuer', 'Trust', { began: SINCE - 7 * DAY + 1 })],
      [],
      [],
    ],
    ['for a new host', [fresh('host', 'a.example')], [], ['unknownHostCertificate']],
    ['for a host of the first week', [fresh('host', 'a.example', { began: SINCE - 7 * DAY + 1 })], [], []],
    [
      'for a host of the first week that is no site',
      [fresh('host', 'a.example', { began: SINCE })],
      ['b.example'],
      ['unknownHostCertificate'],
    ],
    [
      'for a new host of a new issuer',
      [fresh('issuer', 'Trust'), fresh('host', 'a.example')],
      [],
      ['newIssuer'],
    ],
    [
      'for a new host, after that of a new issuer',
      [fresh('issuer', 'Trust'), fresh('host', 'a.example', { first: SINCE + 1 })],
      [],
      ['newIssuer', 'unknownHostCertificate'],
    ],
    [
      'for a new host, of an issuer other than the new one',
      [fresh('issuer', 'Trust'), fresh('host', 'a.example', { issuer: 'O=Other' })],
      [],
      ['newIssuer', 'unknownHostCertificate'],
    ],
  ])('%s', async (_, rows, sites, kinds) => {
    expect((await find(rows, sites)).map(({ kind }) => kind)).toEqual(kinds);
  });

  it.each([
    ['C=US, O=Trust, CN=E7', 1, 'E7 (Trust) issued a certificate for a.example'],
    ['CN=E7/O=Trust', 2, 'E7 (Trust) issued a certificate for a.example and 1 other host'],
    ['O=Trust', 3, 'Trust issued a certificate for a.example and 2 other hosts'],
    ['CN=E7', 1, 'E7 issued a certificate for a.example'],
    ['Trust', 1, 'Trust issued a certificate for a.example'],
    ['', 1, 'an unknown issuer issued a certificate for a.example'],
  ])('of the issuer "%s" for %i hosts is named', async (issuer, hostCount, title) => {
    const [found] = await find([fresh('issuer', 'Trust', { issuer, hostCount })]);
    expect(found).toMatchObject({
      ...{ title, severity: 'incident', subject: issuer, key: 'Trust', count: 2, hosts: ['a.example'] },
      detail:
        'First 10 May 00:00 UTC; Trust had issued none in the 90 days before. If you did not order it, have it revoked.',
      reports: { type: 'certificate_transparency', filters: { issuer } },
    });
  });
});
