import { MS_PER_DAY, MS_PER_HOUR } from '@sightline/reports';
import type { Line } from '../../support/service.ts';
import { at, middays, Reports, times } from './lines.ts';

type Fields = Record<string, unknown>;

const USUAL = { reporter: 'Acme', domain: 'example.com' };

/** Senders at the thresholds of their rules: messages of their first hours, and those that begin to fail. */
export function listSenders(account: string): Line[] {
  const reports = new Reports(account);
  const send = (organisation: string, dates: readonly number[], count: number, fields: Fields = {}) =>
    reports.add('dmarc', dates, { ...USUAL, organisation, aligned: true, count, ...fields });
  const failed = { aligned: false };
  const before = middays('04-10', '05-12');

  send('Usual', middays('04-02', '05-19'), 1);
  send('No domain', [at('04-20T00:00')], 5, { domain: '', reporter: '' });

  // New senders: a hundred messages, and most of them not aligned or half of them.
  send('New of 100', times('05-14T00:00', 4), 25);
  send('New of 99', times('05-14T01:00', 3), 33);
  send('New, half fails', times('05-14T02:00', 2), 50);
  send('New, half fails', times('05-14T02:30', 2), 50, failed);
  send('New, most fails', times('05-14T03:00', 2), 50);
  send('New, most fails', times('05-14T04:59:59', 1), 101, failed);
  send('', times('05-14T05:00', 2), 60, { ...failed, sourceIp: '' });
  send('New before the period', [at('05-11T23:59:59')], 150);
  send('New at midnight', [at('05-13T00:00')], 150);
  send('New in the first week', [at('04-08T12:30')], 150);
  send('New after a week', [at('04-09T12:00')], 150);

  // Senders that pass, and then fail by twenty more messages than pass, or by nineteen.
  for (const [name, start, counts] of [
    ['Fails by 20', '05-15T00:00', [-21, 1]],
    ['Fails by 19', '05-15T02:00', [-20, 1]],
    ['Recovers', '05-15T04:00', [-30, 40, -5]],
    ['Fails twice', '05-15T06:00', [-30, 40, -1, -30]],
    ['Passes first', '05-15T16:00', [15, -20]],
    ['Failed before the period', '05-12T23:30', [-30, -1]],
  ] as const) {
    send(name, name === 'Failed before the period' ? middays('04-02', '05-12') : before, 3);
    for (const [hour, count] of counts.entries())
      send(name, [at(start) + hour * MS_PER_HOUR], Math.abs(count), { aligned: count > 0 });
  }
  // Nine of ten messages passed before, or fewer; and twenty messages, or fewer.
  send('Passed 90 %', times('04-20T01:00', 9), 4);
  send('Passed 90 %', times('04-20T00:00', 1), 4, failed);
  send('Passed 90 %', times('05-16T00:00', 3), 10, failed);
  send('Passed 89 %', times('04-20T03:00', 8), 4);
  send('Passed 89 %', times('04-20T02:00', 1), 4, failed);
  send('Passed 89 %', times('05-16T02:00', 3), 10, failed);
  send('Sent 20', times('04-20T04:00', 4), 5);
  send('Sent 20', times('05-16T04:00', 3), 10, failed);
  send('Sent 19', times('04-20T05:00', 1), 19);
  send('Sent 19', times('05-16T05:00', 3), 10, failed);
  // Many reports in an hour of senders that have no insight of their own.
  send('Usual', times('05-18T08:00', 20), 1);
  send('Usual', times('05-19T08:00', 19), 1);
  send('Late', [at('05-20T00:59:59')], 100);
  send('Too late', [at('05-20T01:00')], 100);
  return reports.lines;
}

const check = (dkim: string, spf: string, more: Fields = {}): Fields => ({
  ...{ dkim, spf, aligned: dkim === 'pass' || spf === 'pass' },
  dkimResults: [
    { domain: 'example.com', selector: 's1', result: dkim, humanResult: '' },
    { domain: 'example.com', selector: 's2', result: 'neutral', humanResult: '' },
  ],
  spfResults: [{ domain: 'bounce.example.com', scope: 'mfrom', result: spf, humanResult: '' }],
  ...more,
});

/** Senders of which one of DKIM and SPF fails, at the thresholds of the rule. */
export function listAuthentication(account: string): Line[] {
  const reports = new Reports(account);
  const send = (organisation: string, dates: readonly number[], count: number, fields: Fields) =>
    reports.add('dmarc', dates, { ...USUAL, organisation, count, ...fields });
  const [passes, dkimFails, spfFails] = [check('pass', 'pass'), check('fail', 'pass'), check('pass', 'fail')];
  const before = middays('04-20', '05-12');
  for (const name of [
    ...['DKIM of 21', 'DKIM of 18', 'SPF of 21', 'Two reports', 'Half passes', 'Less than half', 'Both fail'],
    ...['One row of three', 'Two rows of three', 'Permanent', 'SPF permanent', 'Began before', 'Recovered'],
  ])
    send(name, before, 2, passes);
  send('', before, 2, passes);
  send('', times('05-14T23:00', 3), 9, dkimFails);
  send('DKIM of 21', times('05-14T00:00', 3), 7, dkimFails);
  send('DKIM of 18', times('05-14T00:00', 3), 6, dkimFails);
  send('SPF of 21', times('05-14T00:00', 3), 7, spfFails);
  send('SPF of 21', [at('05-14T00:10')], 1, check('fail', 'fail'));
  send('Two reports', times('05-14T00:00', 2), 20, dkimFails);
  // The share of the messages of a day that pass, from which on it does not fail.
  send('Half passes', [at('05-01T00:00')], 400, passes);
  send('Half passes', times('05-14T00:00', 5), 8, dkimFails);
  send('Half passes', [at('05-14T12:00')], 40, passes);
  send('Half passes', times('05-15T00:00', 5), 6, dkimFails);
  send('Less than half', times('05-14T00:00', 5), 8, dkimFails);
  send('Less than half', [at('05-14T12:00')], 39, passes);
  send('Both fail', times('05-14T00:00', 5), 8, check('fail', 'fail'));
  // The share of the rows.
  send('One row of three', times('05-14T00:00', 3), 30, dkimFails);
  send('One row of three', times('05-14T12:00', 4), 5, passes);
  send('Two rows of three', times('05-14T00:00', 4), 30, dkimFails);
  send('Two rows of three', times('05-14T12:00', 4), 5, passes);
  // The cause is the most frequent failure.
  const named = (part: string, result: string) => ({
    domain: 'x.example',
    selector: part,
    result,
    humanResult: '',
  });
  send(
    'Permanent',
    times('05-14T06:00', 3),
    9,
    check('permerror', 'pass', { dkim: 'fail', aligned: true, dkimResults: [named('s9', 'permerror')] }),
  );
  send(
    'Permanent',
    times('05-14T08:00', 5),
    1,
    check('fail', 'pass', { dkimResults: [named('a1', 'fail')] }),
  );
  send('Permanent', times('05-15T08:00', 2), 90, check('fail', 'pass', { dkimResults: [] }));
  send(
    'SPF permanent',
    times('05-14T06:00', 3),
    9,
    check('pass', 'fail', {
      spfResults: [{ domain: 'x.example', scope: 'mfrom', result: 'permerror', humanResult: '' }],
    }),
  );
  send('Named later', before, 2, passes);
  send('Named later', times('05-14T06:00', 3), 9, check('fail', 'pass', { dkimResults: [] }));
  send('Named later', times('05-15T06:00', 3), 9, dkimFails);
  send('Began before', [at('05-12T18:00')], 50, dkimFails);
  send('Began before', times('05-13T18:00', 3), 50, dkimFails);
  // From the first to the last day that fails, also across a day that passes.
  send('Recovered', times('05-14T00:00', 3), 30, dkimFails);
  send('Recovered', times('05-15T00:00', 1), 10, passes);
  send('Recovered', times('05-16T00:00', 3), 30, dkimFails);
  send('Recovered', times('05-17T00:00', 1), 500, passes);
  send('Passes between', before, 2, passes);
  send('Passes between', times('05-14T00:00', 3), 10, dkimFails);
  send('Passes between', times('05-15T00:00', 1), 2000, passes);
  send('Passes between', times('05-16T00:00', 3), 10, dkimFails);
  // Nine of ten messages passed before, or fewer; and twenty, or fewer.
  for (const [name, passed, other] of [
    ['Passed 90 %', 18, 2],
    ['Passed 89 %', 17, 2],
    ['Sent 19', 19, 0],
  ] as const) {
    send(name, [at('05-01T00:00')], passed, passes);
    if (other > 0) send(name, [at('05-01T01:00')], other, check('fail', 'fail'));
    send(name, times('05-14T00:00', 3), 10, dkimFails);
  }
  return reports.lines;
}

/** Domains whose mail fails over TLS, at the thresholds of the rule. */
export function listTls(account: string): Line[] {
  const reports = new Reports(account);
  const detail = (resultType: string, receivingMxHostname = '') => ({
    resultType,
    receivingMxHostname,
    failedSessions: 9,
  });
  const session = (
    domain: string,
    dates: readonly number[],
    failedSessions: number,
    successfulSessions: number,
    { reporter = 'Acme', details = [detail('certificate-expired', 'mx1.example.com')] } = {},
  ) =>
    reports.add('tls_rpt', dates, {
      ...{ domain, reporter, failedSessions, successfulSessions },
      failureDetails: failedSessions > 0 ? details : [],
    });
  const [one, two] = [[at('05-14T10:00')], times('05-14T10:00', 2)];
  session('example.com', middays('04-02', '05-19'), 0, 1);
  // Twenty sessions in two reports, or ten percent in one; more than one percent.
  session('twenty.test', two, 10, 900);
  session('nineteen.test', [...one], 19, 900);
  session('nineteen.test', [at('05-14T11:00')], 0, 900);
  session('one-report.test', one, 40, 361);
  session('ten-percent.test', one, 40, 360);
  session('one-report-of-two.test', one, 40, 361);
  session('one-report-of-two.test', [at('05-14T11:00')], 0, 99);
  session('one-percent.test', two, 10, 990);
  session('more-than-one-percent.test', two, 10, 989);
  session('no-failures.test', two, 0, 990);
  session('no-sessions.test', two, 0, 0);
  // Three times the usual share: of the 28 days before, without the day itself.
  session('three-times.test', [at('04-16T10:00'), at('05-13T00:00')], 50, 750);
  session('three-times.test', two, 18, 78);
  session('more-than-three.test', [at('04-16T10:00'), at('05-13T00:00')], 50, 750);
  session('more-than-three.test', two, 19, 77);
  session('usual-long-ago.test', [at('04-15T23:00')], 50, 50);
  session('usual-long-ago.test', two, 31, 169);
  // A pause of three days is part of a run, a longer one is not.
  for (const [domain, day] of [
    ['pause.test', 17],
    ['two-runs.test', 18],
  ] as const) {
    session(domain, two, 20, 60);
    session(domain, times(`05-${day}T10:00`, 2), 200, 20);
    session(domain, [at('05-15T10:00')], 0, 10);
  }
  session('before-the-period.test', times('05-12T10:00', 2), 20, 60);
  session('before-the-period.test', times('05-13T10:00', 2), 20, 60);
  // The most frequent failure, exchanger and reporter of the reports with failures, and the first by name.
  session('causes.test', times('05-14T12:00', 2), 10, 90, {
    reporter: 'Zeta',
    details: [detail('sts-policy-invalid', 'mx-b.example.com')],
  });
  session('causes.test', times('05-14T14:00', 1), 10, 90, {
    reporter: 'Acme',
    details: [detail('dane-required', 'mx-a.example.com'), detail('x', 'y')],
  });
  session('causes.test', times('05-14T08:00', 5), 0, 90, { reporter: 'Good' });
  session('tie.test', times('05-14T12:00', 1), 20, 90, {
    reporter: 'Two',
    details: [detail('b', 'mx-b.example.com')],
  });
  session('tie.test', times('05-14T14:00', 1), 20, 90, {
    reporter: 'One',
    details: [detail('a', 'mx-a.example.com')],
  });
  session('unnamed.test', two, 20, 90, { reporter: '', details: [] });
  // Reporters that stopped: 72 hours before the newest report of their type, or less.
  for (const [reporter, hour] of [
    ['Silent for 48 hours', 12],
    ['Not silent for 48 hours', 13],
  ] as const)
    session('example.org', times(`05-03T${hour}:00`, 15, MS_PER_DAY), 0, 7, { reporter });
  session('example.org', times('05-05T12:00', 13, MS_PER_DAY), 0, 7, { reporter: 'Of 13 days' });
  session('example.org', times('05-06T12:00', 12, MS_PER_DAY), 0, 7, { reporter: 'Of 12 days' });
  session('example.org', [...times('04-18T12:00', 15, MS_PER_DAY), at('05-10T12:00')], 0, 7, {
    reporter: 'Long ago',
  });
  return reports.lines;
}
