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

  it.each<[string, object, string[]]>([
    ['ends before it begins', { last: SINCE + 3 * DAY - 1 }, ['oom', 'shop.example']],
    ['ends as it begins', { last: SINCE + 3 * DAY }, ['shop.example']],
    ['begins as it ends', { first: SINCE + 3 * DAY + 9, last: SINCE + 4 * DAY }, ['shop.example']],
    ['begins after it', { first: SINCE + 3 * DAY + 10, last: SINCE + 4 * DAY }, ['oom', 'shop.example']],
  ])('of crashes is left out if a page %s', async (_, times, subjects) => {
    const reasons = [day('old', -9, 1), day('oom', 3, 5)];
    const page = { ...day('shop.example', 3, 5), first: SINCE + 2 * DAY, ...times };
    const found = await find('crash', reasons, [day('old.example', -9, 1), page]);
    expect(found.map(({ subject }) => subject).sort()).toEqual(subjects);
  });

  it('of a connection allowlist may be a connection that nobody added, others come with a release', async () => {
    const causes = await Promise.all(
      ['connection_allowlist', 'deprecation'].map(async type => {
        const [found] = await find(type, [day('old', -9, 1), day('new', 0, 5)]);
        return found!.detail.split('. ').at(-1);
      }),
    );
    expect(causes).toEqual([
      'The site may have a new connection, or a script sends data there that nobody added.',
      'A new release of a browser or of the site may cause it.',
    ]);
  });

  it('with an unusual number of reports in a day is a spike of the days of its run', async () => {
    const usual = Array.from({ length: 9 }, (_, index) => day('a b', index - 9, 2, 'Safari'));
    const [found, ...others] = await find('deprecation', [
      ...usual,
      day('a b', 1, 30, ''),
      day('a b', 2, 3, 'Safari'),
      day('a b', 4, 40, 'Safari'),
    ]);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      ...{ kind: 'spike', severity: 'change', subject: 'a b', key: 'deprecation a b' },
      title: 'Spike of Deprecation reports of a b',
      detail: '70 reports since 11 May 00:00 UTC, where 4 are usual, most by an unknown browser.',
      ...{ first: SINCE + DAY, last: SINCE + 4 * DAY + 9, count: 70, baseline: 4, rank: 66 },
      reports: { type: 'deprecation', filters: { message: 'a b' } },
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

  it.each([
    ['in the first week', SINCE - 7 * DAY + 1, 0],
    ['a week after the first report', SINCE - 7 * DAY, 1],
  ])('is no change %s', async (_, began, count) => {
    const hashes = [hash('old', began, { began }), hash('new', SINCE, { began })];
    expect(await scriptInsights(createScope(hashes))).toHaveLength(count);
  });

  it('changes often only if it changed three times in 28 days', async () => {
    const times = (earliest: number) => [earliest, SINCE - 8 * DAY, SINCE - 7 * DAY];
    const find = async (earliest: number) =>
      scriptInsights(
        createScope([
          hash('old', SINCE - 60 * DAY, { began: SINCE - 60 * DAY }),
          ...times(earliest).map(first => hash(`${first}`, first)),
          hash('new', SINCE),
        ]),
      );
    expect(await find(SINCE - 28 * DAY)).toEqual([]);
    expect(await find(SINCE - 28 * DAY - 1)).toHaveLength(1);
  });

  it.each([
    ['was seen last 10 May 00:00 UTC', SINCE],
    ['is still seen elsewhere, last 11 May 00:00 UTC', SINCE + DAY],
  ])('says that the former hash %s', async (end, last) => {
    const [found] = await scriptInsights(createScope([{ ...old, last }, hash('new', SINCE)]));
    expect(found!.detail.split('. ')[1]).toBe(`The former hash ${end}`);
  });

  it('is described with short texts, and with the whole of a number that is a part', async () => {
    const name = `sha256-${'b'.repeat(40)}`;
    const path = `/pay/${'c'.repeat(40)}`;
    const [found] = await scriptInsights(
      createScope(
        [old, hash(name, SINCE, { reports: 100_001 })],
        [pages({ hash: name, path, isSensitive: true })],
      ),
    );
    expect(found).toMatchObject({
      title: `The content of cdn.example/a.js changed on /pay/cc…${'c'.repeat(22)}`,
      rank: 2_300_000,
    });
    expect(found!.detail).toContain(`at least 2 pages, such as /pay/cccccc`);
    expect(found!.detail).toContain(` the new hash sha256…${'b'.repeat(17)} since`);
    const [plain] = await scriptInsights(createScope([old, hash('new', SINCE)], [pages({ path: '' })]));
    expect(plain!.detail).toContain(' on 2 pages, such as /, by 2 browsers ');
  });

  /** This many scripts of a host that change with a second between them. */
  const deploy = (host: string, count: number) =>
    Array.from({ length: count }, (_, index) =>
      [hash('old', SINCE - 20 * DAY), hash(`${host} ${index}`, SINCE + index)].map(one => ({
        ...one,
        script: `https://${host}/${index}.js`,
      })),
    ).flat();

  it.each([
    [3, ''],
    [4, ' and others'],
  ])('is described together with the others of its domain: %d scripts', async (count, others) => {
    const sample = ([, asked]: unknown[]) =>
      (asked as string[]).map(name =>
        pages({ hash: name, isSensitive: true, pageHosts: 'shop.example,elpmaxe.ndc' }),
      );
    const found = await scriptInsights(createScope(deploy('www.cdn.example', count), sample));
    const names = [0, 1, 2].map(index => `https://www.cdn.example/${index}.js`).join(', ');
    expect(found).toMatchObject([
      {
        ...{ kind: 'scriptChanged', subject: 'cdn.example', key: 'cdn.example together' },
        title: `${count} scripts of cdn.example changed within an hour on /pay`,
        detail: `Since 10 May 00:00 UTC: ${names}${others}. If nobody deployed them, compare the contents.`,
        ...{ first: SINCE, last: SINCE + count + 8, count: 3 * count, baseline: 0 },
        ...{ hosts: ['www.cdn.example'] },
        reports: { type: 'csp_integrity', filters: { subresourceHostnames: 'www.cdn.example' } },
      },
    ]);
  });

  it('is one insight with others of its address, if the host has no domain', async () => {
    const found = await scriptInsights(createScope([...deploy('192.0.2.1', 3), ...deploy('192.0.2.2', 3)]));
    expect(found.map(({ subject, key, title }) => [subject, key, title])).toEqual(
      ['192.0.2.1', '192.0.2.2'].map(host => [
        ...[host, `${host} together`, `3 scripts of ${host} changed within an hour`],
      ]),
    );
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
    ['www.a.example', 'a.example', true],
    ['a.example', 'A.example', true],
    ['*.A.example', 'a.example', true],
    ['a.example', '*.a.example', true],
    ['www.a.example', '*a.example', true],
    ['aa.example', 'a.example', false],
    ['a.example.test', 'a.example', false],
    ['b.example', '*', true],
  ])('for %s is expected with the site %s: %s', async (name, site, isExpected) => {
    expect(await find([fresh('host', name)], ['other.test', site])).toHaveLength(isExpected ? 0 : 1);
  });

  it('is described with short names', async () => {
    const name = 'x'.repeat(40);
    const short = `${'x'.repeat(9)}…${'x'.repeat(26)}`;
    const [issuer] = await find([fresh('issuer', 'Trust', { issuer: `CN= ${name}`, hosts: `["${name}"]` })]);
    expect(issuer!.title).toBe(`${short} issued a certificate for ${short}`);
    const [none] = await find([fresh('issuer', 'Trust', { hosts: '[]', last: SINCE + DAY })]);
    expect(none!.title).toBe('E7 (Trust) issued a certificate');
    expect((await find([fresh('host', 'a.example', { last: SINCE + DAY })]))[0]).toMatchObject({
      detail:
        'First 10 May 00:00 UTC, by E7 (Trust). If it is yours, add it to the sites; if you did not order it, have it revoked.',
      baseline: 0,
    });
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
