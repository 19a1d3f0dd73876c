import { finding, policyFinding, report, verdict, watch } from '../../support/fixtures.ts';
import type { Line } from '../../support/service.ts';

type Fields = Record<string, unknown>;

const SITE = 'shop.example';

/** Violations of a site's policy and of its connection allowlist, among those that must be left out. */
export function listViolations(account: string): Line[] {
  const lines: Line[] = [];
  /** @param dates of May, such as `03T08:00:00` */
  const add = (type: string, dates: readonly string[], fields: Fields | ((index: number) => Fields)) => {
    for (const [index, date] of dates.entries())
      lines.push(
        report(account, type, `violation-${lines.length}`, {
          ...{ date: `2026-05-${date}Z`, uri: `https://${SITE}/page/${index}?q=${index}`, count: 2 },
          ...{ browser: ['Chrome', 'Edge'][index % 2], platform: 'Windows' },
          ...(typeof fields === 'function' ? fields(index) : fields),
        }),
      );
  };
  const block = (blockedUri: string, dates: readonly string[], fields: Fields = {}) =>
    add('csp', dates, { directive: 'script-src-elem', blockedUri, ...fields });
  const days = ['03', '04', '05', '06'].map(day => `${day}T08:00:00`);

  block('https://cdn.example/a.js?v=1', days);
  block('https://cdn.example/b.js', ['07T08:00:00'], { directive: 'img-src', uri: `https://${SITE}/other` });
  // The first and last instant of the period, and those outside of it.
  block('https://first.example/a.js', ['02T00:00:00', '02T00:00:01']);
  block('https://before.example/a.js', ['01T23:59:59']);
  block('https://last.example/a.js', ['15T23:59:59']);
  block('https://after.example/a.js', ['16T00:00:00']);
  // Known for more than seven days at the end of the period, or exactly that.
  block('https://known.example/a.js', ['08T23:59:59', ...days.map(day => day.replace(/^0\d/, '10'))]);
  block('https://known.example/a.js', ['11T08:00:00']);
  block('https://new.example/a.js', ['09T00:00:00', '10T08:00:00', '11T08:00:00']);
  // Browsers and flags in reports of other sites and times do not count.
  block('https://one-browser.example/a.js', days, { browser: 'Chrome' });
  block('https://one-browser.example/a.js', ['05T09:00:00'], {
    browser: 'Safari',
    uri: 'https://other.example/',
  });
  block('https://one-browser.example/a.js', ['01T08:00:00', '17T08:00:00'], { browser: 'Safari' });
  block('https://one-browser.example/a.js', ['05T09:00:00'], {
    browser: 'Safari',
    uri: `https://a.${SITE}/`,
  });
  block('https://platforms.example/a.js', days.slice(0, 2), { browser: 'Chrome' });
  block('https://platforms.example/a.js', days.slice(2), { browser: 'Chrome', platform: 'macOS' });
  block('https://flagged.example/a.js', days);
  block('https://flagged.example/a.js', ['07T08:00:00'], { lowReputationDomain: 1 });
  block('https://flagged-elsewhere.example/a.js', days);
  block('https://flagged-elsewhere.example/a.js', ['05T08:00:00'], {
    suspicious: 1,
    uri: 'https://other.example/',
  });
  block('https://of-a-flagged-policy.example/a.js', days, { policyIocHosts: ['x.example'] });
  block('https://one-page.example/a.js', days, { uri: `https://${SITE}/page` });
  block('https://one-day.example/a.js', ['03T08:00:00', '03T09:00:00', '03T10:00:00']);
  for (const keyword of ['inline', 'eval', 'wasm-eval', 'data', 'blob']) block(keyword, days);
  block('chrome-extension://abc/x.js', days);
  block(`https://${SITE}/own.js`, ['03T08:00:00']);

  const connect = (connection: string, dates: readonly string[], fields: Fields = {}) =>
    add('connection_allowlist', dates, { connection, ...fields });
  connect('https://api.example/v1', days);
  connect('https://api.example:8443/v1', days.slice(0, 3), { browser: 'Chrome' });
  connect(`https://${SITE}/own`, days);
  connect('wss://live.example/x', days, { browser: 'Chrome' });
  connect('https://flagged.example/x', days);
  connect('https://before.example/x', ['01T23:59:59']);
  connect('https://last.example/x', ['15T23:59:59']);
  connect('https://after.example/x', ['16T00:00:00']);
  connect('https://known.example/x', ['08T23:59:59', '10T08:00:00', '11T08:00:00']);
  connect('https://new.example/x', ['09T00:00:00', '10T08:00:00', '11T08:00:00']);
  connect('https://elsewhere.example/x', days, { uri: 'https://other.example/' });
  // A browser that reports two ports counts once.
  for (const port of ['', ':8443'])
    connect(`https://two-ports.example${port}/x`, days, { browser: 'Chrome' });
  connect('webrtc', days.slice(0, 3));
  return lines;
}

/** Findings and policies of watches of several sites and products. */
export function listWatches(account: string): Line[] {
  const found = (
    product: string,
    site: string,
    uri: string,
    first: string,
    last = first,
    more: Fields = {},
  ) =>
    finding(account, product, site, uri, {
      ...{ firstSeen: `2026-05-${first}Z`, lastSeen: `2026-05-${last}Z`, ...more },
    });
  const sent = (site: string, policy: string, first: string, more: Fields = {}) =>
    policyFinding(account, site, policy, {
      firstSeen: `2026-05-${first}Z`,
      lastSeen: '2026-05-12T00:00:00Z',
      ...more,
    });
  return [
    ...['script', 'data', 'frame', 'policy'].map(product => watch(account, product, SITE)),
    watch(account, 'script', 'other.example', { alertThreshold: 0, webhookTarget: 'https://hook.example/' }),
    watch(account, 'data', 'a.example', { emailAlertsEnabled: false, webhookEnabled: true }),
    found('script', SITE, 'https://seen-script.example/1.js', '02T00:00:00', '19T00:00:00', {
      source: 'csp_integrity',
    }),
    found('data', SITE, 'https://seen-data.example/', '02T00:00:00', '03T00:00:00'),
    found('frame', SITE, 'https://seen-frame.example/', '02T00:00:00', '04T00:00:00'),
    found('script', 'other.example', 'https://seen-elsewhere.example/1.js', '02T00:00:00'),
    // Hosts of one domain, by first and last instant of the period.
    found('script', SITE, 'https://a.cdn.test/1.js', '10T00:00:00', '11T00:00:00', { count: 5 }),
    found('script', SITE, 'https://b.cdn.test/2.js', '11T00:00:00', '12T00:00:00', {
      count: 6,
      source: 'csp_integrity',
    }),
    found('script', SITE, 'https://B.CDN.test/3.js', '11T01:00:00', '11T02:00:00', { count: 7 }),
    found('script', SITE, 'https://c.cdn.test/1.js', '09T23:59:59', '10T00:00:00', { count: 100 }),
    found('script', SITE, 'https://d.cdn.test/1.js', '20T00:00:00', '20T00:00:00', { count: 1000 }),
    found('script', 'other.example', 'https://a.cdn.test/1.js', '12T00:00:00', '12T01:00:00', { count: 8 }),
    found('data', SITE, 'https://a.cdn.test/1.js', '12T00:00:00', '13T00:00:00', { count: 9 }),
    found('frame', SITE, 'data', '12T00:00:00'),
    found('frame', SITE, 'blob', '12T00:00:00', '14T00:00:00', { count: 2 }),
    found('frame', SITE, 'https://192.0.2.1/x', '12T00:00:00'),
    // Ranked by reports of its host, on a page for payment or not, before the end of the period.
    found('script', SITE, 'https://paid.test/1.js', '12T00:00:00'),
    found('script', SITE, 'https://paid-once.test/1.js', '12T00:00:00'),
    found('script', SITE, 'https://popular.test/1.js', '12T00:00:00'),
    ...[
      ['paid.test', '12T10:00:00', '/checkout', 'Chrome'],
      ['paid.test', '12T11:00:00', '/login', 'Edge'],
      ['paid-once.test', '12T10:00:00', '/checkout', 'Chrome'],
      ['paid-once.test', '12T11:00:00', '/about', 'Edge'],
      ['paid-once.test', '20T00:00:00', '/checkout', 'Edge'],
      ...[1, 2, 3, 4, 5, 6].map(n => ['popular.test', `1${n}T10:00:00`, `/${n}`, `Browser ${n}`]),
    ].map(([host, date, path, browser], index) =>
      report(account, 'csp', `watched-${index}`, {
        ...{
          date: `2026-05-${date}Z`,
          uri: `https://www.example.org${path}`,
          directive: 'script-src',
          browser,
        },
        blockedUri: `https://${host}/1.js`,
      }),
    ),
    // The earliest of the policies that are at least as strict counts, enforced or not.
    sent(SITE, "default-src 'self'", '08T00:00:00', { enforced: false, lastSeen: '2026-05-18T00:00:00Z' }),
    sent(SITE, "default-src 'none'", '06T00:00:00', { count: 4 }),
    sent(SITE, 'script-src *', '02T00:00:00', { lastSeen: '2026-05-19T00:00:00Z' }),
    verdict(account, 'script', 'https://seen-script.example/*', { site: SITE, owner: 'Web' }),
  ];
}
