import { MS_PER_DAY, MS_PER_HOUR } from '@sightline/reports';
import { finding, policyFinding, watch } from '../../support/fixtures.ts';
import type { Line } from '../../support/service.ts';
import { at, middays, Reports, times } from './lines.ts';

/** Scripts whose content changes, at the thresholds of the rule. */
export function listScripts(account: string): Line[] {
  const reports = new Reports(account);
  const load = (
    script: string,
    hash: string,
    dates: readonly number[],
    { browsers = ['Chrome', 'Edge'], paths = ['/about'], page = 'www.example.com' } = {},
  ) =>
    reports.add('csp_integrity', dates, index => ({
      ...{ subresourceUri: script.includes('/') ? script : `https://cdn.${script}/a.js`, hash },
      uri: `https://${page}${paths[index % paths.length]}`,
      browser: browsers[index % browsers.length],
    }));
  const old = (script: string, from = '04-02') => load(script, `${script} old`, [at(`${from}T00:00`)]);
  const changed = (script: string, start: string, count = 3, more = {}) => {
    old(script);
    load(script, `${script} new`, times(start, count), more);
  };
  load('usual.test', 'usual', middays('04-02', '05-19'));
  changed('three.test', '05-13T00:00');
  changed('two.test', '05-13T01:00', 2);
  changed('one-browser.test', '05-13T02:00', 9, { browsers: ['Chrome'] });
  changed('before.test', '05-12T23:58');
  // A hash is of one script, and reports without a hash or script do not count.
  load('other.test', 'three.test new', times('05-13T05:00', 4), { page: 'other.example' });
  load('no-hash.test', 'no-hash', [at('04-02T00:00')]);
  load('no-hash.test', '', times('05-13T03:00', 5));
  load('not/an/address', 'one', [at('04-02T00:00')]);
  load('not/an/address', 'two', times('05-13T03:00', 5));
  // New within the first week of data, and the first hash of a script.
  load('early.test', 'one', [at('04-02T00:00')]);
  load('early.test', 'two', times('04-08T23:57', 3));
  load('since-long.test', 'one', [at('04-02T00:00')]);
  load('since-long.test', 'two', middays('04-14', '05-19'));
  load('learned.test', 'one', [at('04-02T00:00')]);
  load('learned.test', 'two', times('04-22T00:00', 3));
  load('first.test', 'first', times('05-13T06:00', 5));
  load('first.test', 'also first', times('05-13T06:00', 5));
  // Own and other scripts, on pages for payment and others; the most frequent sensitive path is named.
  const pay = { paths: ['/', '/', '/login/a', '/pay', '/pay'] };
  changed('sub.www.example.com', '05-14T00:00');
  changed('own.example.com', '05-14T03:00', 10, pay);
  changed('third-party.test', '05-14T06:00', 10, pay);
  changed('third-party-elsewhere.test', '05-14T09:00', 7, { paths: ['/b', '/a', '/b'] });
  // Other hashes and types do not count as pages, nor reports before the change.
  load('third-party.test', 'third-party.test old', times('05-14T06:00', 5), { paths: ['/checkout'] });
  // Three changes in the 28 days before, or two; earlier ones do not count.
  for (const [script, days] of [
    ['often.test', ['04-17', '04-27', '05-04']],
    ['less-often.test', ['04-27', '05-04']],
    ['earlier-often.test', ['04-09', '04-16T23:59:59', '04-27', '05-04']],
  ] as const) {
    old(script);
    for (const day of days) load(script, `${script} ${day}`, [at(day.length > 5 ? day : `${day}T00:00`)]);
    load(script, `${script} newest`, times('05-15T00:00', 3));
  }
  for (const [index, day] of ['05-01', '05-05', '05-10'].entries())
    load('young.test', `young.test ${index}`, [at(`${day}T00:00`)]);
  load('young.test', 'young.test newest', times('05-15T06:00', 3));
  // A deployment: three scripts of a domain within an hour; two are separate; others are later.
  for (const [domain, starts] of [
    ['deploy.test', ['05-16T00:00', '05-16T00:30', '05-16T01:00', '05-16T01:00:01']],
    ['two-scripts.test', ['05-16T03:00', '05-16T03:30']],
    ['deploy-on-payment.test', ['05-16T06:00', '05-16T06:01', '05-16T06:02', '05-16T06:03']],
  ] as const)
    for (const [index, start] of starts.entries())
      changed(`https://s${index}.${domain}/x.js`, start, 3, domain.includes('payment') ? pay : {});
  for (const index of [0, 1, 2])
    changed(`https://s${index}.example.com/y.js`, '05-16T10:00', 4, { paths: ['/konto'] });
  changed('still-used.test', '05-17T00:00');
  load('still-used.test', 'still-used.test old', [at('05-17T00:00:01'), at('05-18T09:00')]);
  changed('same-time.test', '05-17T06:00');
  load('same-time.test', 'same-time.test old', [at('05-17T06:00')]);
  changed('many-browsers.test', '05-17T03:00', 6, { browsers: ['a', 'b', 'c', 'd', 'e', 'f'] });
  changed('late.test', '05-20T00:57');
  changed('too-late.test', '05-20T00:58');
  return reports.lines;
}

/** Features, messages, reasons, properties, hosts and pages that are new or more frequent, at the thresholds. */
export function listFeatures(account: string): Line[] {
  const reports = new Reports(account);
  const uri = 'https://www.example.com/';
  const add = (
    type: string,
    dates: readonly number[],
    fields: Record<string, unknown>,
    browsers = ['Chrome'],
  ) => reports.add(type, dates, index => ({ uri, browser: browsers[index % browsers.length], ...fields }));
  const hourly = (start: string, count: number) => times(start, count, 2 * MS_PER_HOUR);
  for (const [type, fields] of [
    ['deprecation', { featureId: 'Usual', message: 'Not a feature' }],
    ['intervention', { message: 'A usual message' }],
    ['permissions_policy', { property: 'usual' }],
    ['crash', { reason: 'oom' }],
    ['connection_allowlist', { connection: 'https://usual.test/' }],
  ] as const)
    add(type, middays('04-02', '05-19'), fields);

  // Five reports; the browser is the most frequent one of the first day.
  const browsers = ['Edge', 'Safari', 'Edge', 'Chrome'];
  add('deprecation', hourly('05-13T00:00', 5), { featureId: 'Five', message: 'a' }, browsers);
  add('deprecation', hourly('05-13T00:00', 4), { featureId: 'Four', message: 'a' });
  add('deprecation', hourly('05-13T00:00', 5), { featureId: '', message: 'A message' }, ['']);
  add('deprecation', hourly('05-12T18:00', 5), { featureId: 'Before', message: 'a' });
  add('deprecation', hourly('05-13T00:00', 5), { featureId: '', message: '' });
  add('deprecation', [at('04-08T12:00'), ...hourly('05-13T00:00', 5)], {
    featureId: 'First week',
    message: 'a',
  });
  add('deprecation', times('04-15T00:00', 5), { featureId: 'Long ago', message: 'a' });
  add('intervention', hourly('05-13T00:00', 5), { featureId: 'Four', message: 'Feature of another type' });
  add('permissions_policy', hourly('05-13T00:00', 5), { property: 'a b', count: 9 });
  add('connection_allowlist', hourly('05-13T00:00', 5), { connection: 'wss://new.test:8443/x' });
  // Days with ten reports, where one is usual, of which no hour is unusual; and days at most three days apart.
  add('deprecation', hourly('05-14T00:00', 9), { featureId: 'Usual', message: 'a' }, [
    'Edge',
    'Edge',
    'Chrome',
  ]);
  add('intervention', hourly('05-14T00:00', 8), { message: 'A usual message' });
  add('permissions_policy', hourly('05-14T00:00', 9), { property: 'usual' });
  add('permissions_policy', hourly('05-17T00:00', 11), { property: 'usual' }, ['Safari']);
  add('connection_allowlist', hourly('05-14T00:00', 9), { connection: 'https://usual.test/' });
  add('connection_allowlist', hourly('05-18T00:00', 10), { connection: 'https://usual.test/' });
  // A crash reason is explained by a page with half of its reports at the same time, or not.
  add('crash', hourly('05-14T00:00', 6), { reason: 'half', uri: 'https://www.example.com/half' });
  add('crash', hourly('05-14T01:00', 6), { reason: 'half', uri: 'https://www.example.com/' });
  add('crash', hourly('05-16T00:00', 6), { reason: 'less', uri: 'https://www.example.com/less' });
  add('crash', hourly('05-16T01:00', 7), { reason: 'less', uri: 'https://www.example.com/' });
  add('crash', hourly('05-18T00:00', 5), { reason: 'alone', uri: 'https://host.example' });
  add('crash', hourly('05-18T18:00', 5), { reason: 'later', uri: 'https://www.example.com/' });
  add('crash', hourly('05-19T00:00', 12), { reason: 'oom', uri: 'https://www.example.com/busy?x' });
  // Types of which only totals are compared: twenty in an hour, ten in a day, and what browsers report anyway.
  add('coep', middays('04-02', '05-19'), {});
  add('coep', times('05-15T10:00', 20), {});
  add('coop', middays('04-02', '05-19'), {});
  add('coop', hourly('05-15T00:00', 9), {});
  add('integrity_policy', middays('04-02', '05-19'), {});
  add('integrity_policy', hourly('05-15T00:00', 8), {});
  add('deprecation', times('05-19T20:00', 20), { featureId: 'Usual' });
  add('deprecation', [...times('05-19T23:00', 4), at('05-20T00:59:59')], { featureId: 'Late' });
  add('deprecation', [...times('05-19T22:00', 4), at('05-20T01:00')], { featureId: 'Too late' });
  return reports.lines;
}

const TRUST = 'C=US, O=Trust, CN=E7';

/** Certificates of issuers and for hosts that are new, at the thresholds of the rules. */
export function listCertificates(account: string): Line[] {
  const reports = new Reports(account);
  const issue = (issuer: string, dates: readonly number[], ...hostnames: string[]) =>
    reports.add('certificate_transparency', dates, { issuer, hostnames });
  issue(TRUST, times('02-01T12:00', 108, MS_PER_DAY), 'www.example.com');
  issue(TRUST.replace('E7', 'E8'), [at('05-14T00:00')], 'www.example.com');
  issue('CN=E9+O=Trust', [at('05-14T00:00')], 'www.example.com');
  issue('/C=US/O=Trust/CN=E10', [at('05-14T00:00')], 'www.example.com');
  issue('C=XX, O=New, CN=N1', [at('05-13T00:00')], 'b.new.test', 'a.new.test', 'www.example.com');
  issue('C=XX, O=New, CN=N2', [at('05-15T00:00')], 'c.new.test');
  issue('C=XX, O=New, CN=N1', [at('05-16T00:00')], 'd.new.test');
  issue('CN=No organisation', times('05-14T02:00', 2), 'www.example.com');
  issue('O=Two hosts', [at('05-14T07:00')], 'one.two.test', 'other.two.test');
  issue('cn=Lower,o=Case', [at('05-14T03:00')]);
  issue('', [at('05-14T04:00')], 'without-issuer.test');
  issue('C=XX, O=Before', [at('05-12T23:59:59')], 'before.test');
  // Ninety days without a certificate, or a second more.
  for (const [name, last] of [
    ['More than ninety days', '02-13T09:59:59'],
    ['Ninety days', '02-13T10:00'],
    ['Fewer days', '04-01T00:00'],
  ] as const) {
    const host = `${name.toLowerCase().replaceAll(' ', '-')}.test`;
    issue(`O=${name}`, [at(last)], host);
    issue(TRUST, [at('05-14T10:00')], host);
    issue(`O=${name}`, [at('05-14T10:00')], 'www.example.com');
  }
  issue(TRUST, [at('05-14T06:00'), at('05-16T06:00')], 'new-host.test', '*.new-host.test', 'www.example.com');
  issue('O=Late', [at('05-20T00:59:59')], 'late.test');
  issue('O=Too late', [at('05-20T01:00')], 'too-late.test');
  return reports.lines;
}

/** Findings of watches after two quiet weeks, or earlier. */
export function listFindings(account: string): Line[] {
  const sites: [string, string][] = [];
  const found = (
    product: string,
    site: string,
    subject: string,
    first: string,
    last = first,
    count = 1,
  ): Line => {
    if (!sites.some(one => one.join() === [product, site].join())) sites.push([product, site]);
    const fields = {
      firstSeen: new Date(at(first)).toISOString(),
      lastSeen: new Date(at(last)).toISOString(),
      count,
    };
    return product === 'policy'
      ? policyFinding(account, site, subject, fields)
      : finding(account, product, site, subject, fields);
  };
  const lines = [
    found('script', 'quiet.example', 'https://old.test/1.js', '04-29T10:00'),
    found('script', 'quiet.example', 'https://new.test/1.js', '05-13T10:00:01', '05-14T00:00', 3),
    found('script', 'quiet.example', 'https://newer.test/1.js', '05-13T11:00', '05-13T12:00', 4),
    found('script', 'quiet.example', 'https://newer.test/2.js', '05-13T12:00', '05-19T12:00', 5),
    found('script', 'quiet.example', 'https://next-day.test/1.js', '05-14T11:00'),
    // Exactly fourteen days after the finding before.
    found('script', 'busy.example', 'https://busy-1.test/1.js', '04-29T10:00'),
    found('script', 'busy.example', 'https://busy-2.test/1.js', '05-13T10:00'),
    // Found before by a watch of another product or site, or by this one at another port or in other case.
    found('data', 'other.example', 'https://Shared.test:8443/1.js', '04-01T00:00', '05-18T00:00'),
    found('script', 'shared.example', 'https://old-2.test/1.js', '04-01T00:00'),
    found('script', 'shared.example', 'https://shared.test/1.js', '05-15T00:00'),
    found('frame', 'shared.example', 'https://old-3.test/1.js', '04-01T00:00'),
    found('frame', 'shared.example', 'HTTPS://NEW-FRAME.test?x', '05-15T01:00'),
    found('frame', 'shared.example', 'data', '05-15T02:00'),
    // The first findings of a watch.
    found('script', 'first.example', 'https://first.test/1.js', '05-15T00:00'),
    found('policy', 'policy.example', "default-src 'self'", '04-01T00:00'),
    found('policy', 'policy.example', 'img-src *', '05-16T00:00', '05-18T00:00', 7),
    found('policy', 'policies.example', 'font-src a.test', '04-01T00:00'),
    found('policy', 'policies.example', 'font-src b.test', '05-16T00:00'),
    found('policy', 'policies.example', 'font-src c.test', '05-16T01:00'),
    found('policy', 'policies.example', "default-src 'self'", '05-17T00:00'),
    // Quiet, while another watch of the site found something.
    found('script', 'two.example', 'https://two-1.test/', '04-01T00:00'),
    found('data', 'two.example', 'https://two-2.test/', '04-02T00:00'),
    found('script', 'two.example', 'https://two-3.test/', '05-10T00:00'),
    found('data', 'two.example', 'https://two-4.test/', '05-15T05:00'),
    // At the start and end of the period.
    found('script', 'edge.example', 'https://edge-1.test/', '03-01T00:00'),
    found('script', 'edge.example', 'https://edge-2.test/', '05-20T00:59:59'),
    found('script', 'edge.example', 'https://edge-3.test/', '05-20T01:00'),
    found('data', 'edge.example', 'https://edge-4.test/', '03-01T00:00'),
    found('data', 'edge.example', 'https://edge-5.test/', '05-20T01:00'),
    found('data', 'before.example', 'https://edge-6.test/', '03-01T00:00'),
    found('data', 'before.example', 'https://edge-7.test/', '05-12T23:59:59'),
  ];
  return [...sites.map(([product, site]) => watch(account, product, site)), ...lines];
}
