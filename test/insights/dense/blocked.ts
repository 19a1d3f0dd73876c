import { MS_PER_DAY } from '@sightline/reports';
import type { Line } from '../../support/service.ts';
import { at, MINUTE, middays, Reports, times } from './lines.ts';

/** A report: browser, path of the page, directive. */
type Row = readonly [browser: string, path?: string, directive?: string];

const TWO: readonly Row[] = [['Chrome'], ['Firefox'], ['Chrome'], ['Firefox'], ['Chrome']];
const repeat = (rows: readonly Row[], count: number): Row[] =>
  Array.from({ length: count }, (_, index) => rows[index % rows.length]!);

/** Blocked hosts at the thresholds of their rules, each in another hour. */
export function listBlocked(account: string): Line[] {
  const reports = new Reports(account);
  const block = (
    host: string,
    start: string | number,
    rows: readonly Row[],
    { step = MINUTE, page = 'www.example.com', ...more }: Record<string, unknown> = {},
  ) =>
    reports.add('csp', times(start, rows.length, step as number), index => {
      const [browser, path = '/about', directive = 'img-src'] = rows[index]!;
      const blockedUri = host.includes(':') ? host : `https://${host}/a.js`;
      return { uri: `https://${page}${path}`, directive, blockedUri, browser, platform: 'Windows', ...more };
    });

  for (const [index, host] of ['usual.test', 'static.example.com'].entries())
    reports.add('csp', middays('04-02', '05-19'), {
      ...{ uri: 'https://www.example.com/', directive: 'font-src', browser: 'Chrome', platform: 'Linux' },
      blockedUri: `https://${host}/${index}`,
    });

  // The number of reports and browsers, and the days of these reports.
  block('five.test', '05-13T00:00', TWO);
  block('four.test', '05-13T02:00', TWO.slice(1));
  block('one-browser.test', '05-13T03:00', repeat([['Chrome']], 9));
  block('platforms.test', '05-13T04:00', repeat([['Chrome']], 3));
  block('platforms.test', '05-13T04:10', repeat([['Chrome']], 2), { platform: 'macOS' });
  block('seven-days.test', '05-13T05:00', TWO, { step: 1.5 * MS_PER_DAY });
  block('eight-days.test', '05-12T05:00', TWO, { step: 1.75 * MS_PER_DAY });
  block('day-before.test', '05-12T23:00', TWO);
  block('extension.test', '05-13T06:00', TWO, { page: 'extension.test', uri: 'chrome-extension://x/' });
  // For a same-site page, one browser is enough.
  block('img.example.com', '05-13T07:00', repeat([['Chrome']], 5), { count: 3 });
  block('few.example.com', '05-13T08:00', repeat([['Chrome']], 4));
  // Known before the 28 days: new again with ten reports in a day, and not with ten in two days.
  for (const [host, start] of [
    ['again.test', '05-13T09:00'],
    ['hardly-again.test', '05-13T23:55'],
    ['recent.test', '05-13T10:00'],
  ] as const) {
    block(host, host === 'recent.test' ? '04-16T10:00' : '04-02T09:00', [['Chrome']]);
    block(host, start, repeat(TWO, 10));
  }

  // Often on a day long ago, and now less.
  block('was-often.test', '04-02T20:00', repeat(TWO, 12));
  block('was-often.test', '05-13T11:00', repeat(TWO, 9));

  // Attacks: a sensitive page and directive in the same report, by two or three browsers.
  const [pay, login] = ['/shop/CHECKOUT/1', '/login.php'];
  block('attack-by-three.test', '05-14T00:00', [
    ['Chrome', pay, 'script-src-elem'],
    ['Firefox', '/pay', 'script-src'],
    ['Safari', pay, 'script-src-elem'],
    ['Edge', '/about', 'style-src'],
    ['Edge', '/about', 'style-src'],
    ['Edge', '/about', 'style-src'],
    ['Edge', '/about', 'style-src'],
  ]);
  block('attack-by-two.test', '05-14T02:00', [
    ['Chrome', login, 'connect-src'],
    ['Firefox', login, 'connect-src'],
    ['Safari', login, 'img-src'],
    ['Safari', '/about', 'connect-src'],
    ['Safari', '/login-help', 'media-src'],
  ]);
  block('attack-by-one.test', '05-14T04:00', [
    ['Chrome', '/account', 'form-action'],
    ['Chrome', '/account', 'form-action'],
    ['Firefox', '/accountant', 'form-action'],
    ['Firefox', '/account', 'x-form-action'],
    ['Safari', '/blog', 'form-action'],
  ]);
  block(
    'worker.test',
    '05-14T06:00',
    repeat(
      [
        ['Chrome', '/a/sign-in', 'worker-src'],
        ['Edge', '/a_pay_b', 'default-src'],
      ],
      5,
    ),
  );
  block(
    'forms.test',
    '05-14T08:00',
    repeat(
      [
        ['Chrome', '/konto', 'form-action'],
        ['Edge', '/konto', 'form-action'],
      ],
      5,
    ),
  );
  block('no-directive.test', '05-14T10:00', TWO, { directive: '' });

  // Flags of the host in more than half of its reports, which concern it and not the policy.
  for (const [host, start, flagged, flag] of [
    ['flagged.test', '05-15T00:00', 2, 'indicatorOfCompromise'],
    ['generated.test', '05-15T02:00', 3, 'generatedDomain'],
    ['registered.test', '05-15T04:00', 3, 'recentlyRegisteredDomain'],
    ['low-reputation.test', '05-15T06:00', 3, 'lowReputationDomain'],
    ['suspicious.test', '05-15T08:00', 3, 'suspicious'],
  ] as const) {
    block(host, start, TWO.slice(0, flagged), { [flag]: 1 });
    if (flagged < 3) block(host, start.replace(':00', ':30'), TWO.slice(0, 1));
  }
  block('half-flagged.test', '05-15T10:00', TWO.slice(0, 2), { indicatorOfCompromise: 1 });
  block('half-flagged.test', '05-15T10:30', TWO.slice(0, 2));
  block('of-a-flagged-policy.test', '05-15T12:00', TWO.slice(0, 4), { policyIocHosts: ['x.test'] });
  block('two-flagged.test', '05-15T14:00', TWO.slice(0, 2), { indicatorOfCompromise: 1 });
  block('flagged.example.com', '05-15T15:00', TWO.slice(0, 4), { suspicious: 1 });
  block(
    'flagged-attack.test',
    '05-15T16:00',
    [['Chrome', pay, 'script-src'], ['Firefox', pay, 'script-src'], ['Chrome']],
    { suspicious: 1 },
  );

  // Look-alikes of a page's host and of a site of the filters, also if they were blocked before.
  block('www.examp1e.com', '05-15T18:00', TWO.slice(0, 3));
  block('www.examqle.com', '05-15T19:00', TWO.slice(0, 2));
  block('bank-of-examples.net', '05-15T20:00', TWO.slice(0, 3));
  block('cdn.exarnple.com', '04-02T20:00', [['Chrome']]);
  block('cdn.exarnple.com', '05-15T21:00', TWO.slice(0, 3));

  // Five hosts of a domain are one insight, four are not.
  for (const n of [1, 2, 3, 4, 5]) block(`x${n}.ads.co.uk`, `05-16T0${n}:00`, TWO, { count: n });
  for (const n of [1, 2, 3, 4]) block(`y${n}.four.co.uk`, `05-16T1${n}:00`, TWO);

  // Hours with twenty reports of a known host, of an own one, of a page, of a directive, and of all.
  block(
    'usual.test',
    '05-17T03:00',
    repeat(
      [
        ['Chrome', '/a'],
        ['Edge', '/b'],
      ],
      20,
    ),
  );
  block(
    'static.example.com',
    '05-17T06:00',
    repeat(
      [
        ['Chrome', '/a'],
        ['Edge', '/b'],
      ],
      21,
    ),
    { count: 2 },
  );
  block('static.example.com', '05-17T06:30', repeat([['Chrome', '/a']], 20), { page: 'www.other.test' });
  block('inline', '05-17T09:00', repeat([['Chrome', '/page', 'style-src-attr']], 22), {
    blockedUri: 'inline',
  });
  block(
    'inline',
    '05-18T12:30',
    Array.from({ length: 23 }, (_, n) => ['Edge', `/${n}`, 'script-src-attr'] as const),
    { blockedUri: 'inline' },
  );
  block(
    'inline',
    '05-18T18:30',
    Array.from({ length: 24 }, (_, n) => ['Edge', `/${n}`, `x-${n % 8}-src`] as const),
    { blockedUri: 'inline' },
  );
  block('noise', '05-18T21:00', repeat([['Chrome']], 40), { blockedUri: 'chrome-extension://abc/x.js' });
  block('usual.test', '05-19T03:00', repeat([['Chrome']], 19));

  // The last instants of the period, and the first one after it.
  reports.add('csp', [...times('05-19T23:00', 4), at('05-20T00:59:59')], index => ({
    ...{ uri: 'https://www.example.com/about', directive: 'img-src', blockedUri: 'https://late.test/' },
    browser: ['Chrome', 'Edge'][index % 2],
  }));
  reports.add('csp', [...times('05-19T22:00', 4), at('05-20T01:00')], index => ({
    ...{ uri: 'https://www.example.com/about', directive: 'img-src', blockedUri: 'https://too-late.test/' },
    browser: ['Chrome', 'Edge'][index % 2],
  }));
  return reports.lines;
}

/** Hosts that are blocked increasingly often, or not by enough, and reports of which nothing but the number stands out. */
export function listGrowth(account: string): Line[] {
  const reports = new Reports(account);
  const page = { uri: 'https://www.example.com/', directive: 'img-src', browser: 'Chrome' };
  const block = (host: string, weeks: readonly number[], more = {}) => {
    for (const [week, count] of weeks.entries())
      reports.add('csp', times(at('04-01T00:00') + week * 7 * MS_PER_DAY, count, (7 * MS_PER_DAY) / count), {
        ...page,
        ...{ blockedUri: `https://${host}/`, ...more },
      });
  };
  const hosts: readonly [host: string, weeks: readonly number[], more?: Record<string, unknown>][] = [
    ['growing.test', [16, 16, 16, 16, 26, 40, 60], { count: 2 }],
    ['img.example.com', [16, 16, 16, 16, 26, 40, 61]],
    ['too-slowly.test', [16, 16, 16, 16, 26, 40, 59]],
    ['forty.test', [1, 1, 1, 1, 1, 3, 36]],
    ['fewer-than-forty.test', [1, 1, 1, 1, 1, 3, 35]],
    ['ended.test', [2, 4, 8, 16, 32, 60, 29]],
  ];
  for (const [host, weeks, more] of hosts) block(host, weeks, more);
  // All reports together do not grow.
  const ordinary = [0, 1, 2, 3, 4, 5, 6].map(
    week => 330 - hosts.reduce((sum, [, weeks]) => sum + weeks[week]!, 0),
  );
  block('usual.test', ordinary);
  // Browsers report each script that they load, so that a busy day is no insight.
  reports.add('csp_integrity', middays('04-02', '05-19'), {});
  reports.add('csp_integrity', times('05-15T00:10', 15, 60 * MINUTE), {});
  reports.add('csp', times('05-18T18:30', 24), index => ({
    ...page,
    ...{ uri: `https://www.example.com/${index}`, directive: `x-${index % 8}-src`, blockedUri: 'inline' },
  }));
  return reports.lines;
}

/** A host that grows in the mornings, as all reports do; the last hour of each day has the same number. */
export function listGrowthOfAll(account: string): Line[] {
  const reports = new Reports(account);
  const weeks = [3, 3, 3, 3, 4, 6, 9];
  for (const [day, midday] of middays('04-01', '05-19').entries()) {
    const growing = weeks[Math.floor(day / 7)]!;
    const morning = times(midday - 4 * 60 * MINUTE, 5 * growing);
    reports.add('csp', [...morning, midday + 11 * 60 * MINUTE], index => ({
      ...{ uri: 'https://www.example.com/', directive: 'img-src', browser: 'Chrome' },
      blockedUri: index < growing ? 'https://growing.test/' : 'https://usual.test/',
    }));
  }
  return reports.lines;
}

/** Many hosts with a report each: a hundred on a day, and fewer; and fifty of one domain. */
export function listManyHosts(account: string): Line[] {
  const reports = new Reports(account);
  const page = { uri: 'https://www.example.com/', directive: 'img-src', browser: 'Chrome' };
  reports.add('csp', middays('04-02', '05-19'), {
    ...page,
    ...{ blockedUri: 'https://usual.test/', browser: 'Opera' },
  });
  const many = (start: string, count: number, name: string, domain?: string) =>
    reports.add('csp', times(start, count, 10 * MINUTE), index => ({
      ...page,
      blockedUri: `https://${domain ? `${name}${index}.${domain}` : `${name}${index}.test`}/`,
      browser: index % 5 ? 'Chrome' : 'Edge',
    }));
  // Too early, too few, enough, within three quiet days after it, and later.
  many('04-08T00:00', 120, 'early');
  many('04-20T00:00', 99, 'few');
  many('04-24T00:00', 100, 'enough');
  many('04-24T00:00', 50, 'sub', 'early-flood.test');
  many('04-27T00:00', 101, 'same');
  many('05-06T00:00', 102, 'later');
  many('05-14T00:00', 50, 'sub', 'flood.test');
  many('05-15T00:00', 49, 'sub', 'no-flood.test');
  // Unrelated hosts below a public suffix, and hosts of a flood from other pages and before the period.
  many('05-16T00:00', 55, 'shop', 'co.uk');
  reports.add('csp', [at('05-14T23:00'), at('05-14T23:01')], {
    ...page,
    ...{ blockedUri: 'https://sub0.flood.test/', browser: 'Safari', count: 4 },
  });
  return reports.lines;
}
