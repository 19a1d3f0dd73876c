import type { Line } from '../../support/service.ts';
import { at, MINUTE, middays, Reports, times } from './lines.ts';

/** Network errors of hosts, alone and together, each among reports that do not belong to it. */
export function listErrors(account: string): Line[] {
  const reports = new Reports(account);
  const fail = (
    host: string,
    nelType: string,
    dates: readonly number[],
    more: Record<string, unknown> = {},
  ) => reports.add('nel', dates, { uri: `https://${host}/`, nelType, organisation: 'Other AS', ...more });
  fail('www.example.com', 'tcp.reset', middays('04-02', '05-19'));
  fail('www.example.com', 'ok', times('05-14T03:00', 30));

  // Twenty reports in an hour, of which the first and last twentieth are normal traffic.
  fail('twenty.example', 'tcp.refused', times('05-14T01:02', 20), { count: 3 });
  fail('twenty.example', 'dns.failed', times('05-14T01:00', 6));
  fail('other.example', 'tcp.refused', times('05-14T01:00', 6));
  fail('nineteen.example', 'tcp.refused', times('05-14T06:00', 19));
  fail('nineteen.example', 'tcp.reset', times('05-14T06:30', 1));
  fail('no-type.example', '', times('05-14T08:00', 30));
  // Two hours, so that the first and last moment are in different ones.
  fail('long.example', 'http.error', times('05-14T11:00', 40, 90_000));
  fail('long.example', 'http.error', times('05-14T12:00', 41, 87_000));
  fail('long.example', 'tcp.reset', times('05-14T12:00', 41, 80_000));
  fail('long.example', 'http.error', [at('05-14T10:00'), at('05-14T13:30')]);
  // Two hours or a minute less.
  fail('two-hours.example', 'http.response.invalid', [
    ...times('05-15T00:00', 30, 1000),
    ...times('05-15T02:00', 30, 1000),
  ]);
  fail('less.example', 'http.response.invalid', [
    ...times('05-15T04:30', 30, 1000),
    ...times('05-15T06:29', 30, 1000),
  ]);
  fail('moment.example', 'http.response.invalid', times('05-15T09:00', 30, 10));

  // Simultaneous errors of several hosts, with sixty percent from one network, or fewer.
  const together = (day: string, error: string, own: number) => {
    for (const [index, name] of ['a', 'b'].entries()) {
      const dates = times(at(`${day}T00:10`) + index * 29 * MINUTE, 20 + index, 5000);
      for (const [place, date] of dates.entries())
        fail(`${name}.${error}`, error, [date], {
          organisation: place < 20 && place >= 20 - own ? 'Big AS' : 'Other AS',
        });
    }
    // Other hosts, errors and times do not count.
    fail('www.example.com', error, times(`${day}T00:10`, 4), { organisation: 'Other AS' });
    fail(`a.${error}`, 'tcp.closed', times(`${day}T00:10`, 4), { organisation: 'Other AS' });
    fail(`a.${error}`, error, [at(`${day}T00:00`), at(`${day}T00:59`)], { organisation: 'Other AS' });
  };
  together('05-16', 'tls.failed', 12);
  together('05-17', 'tls.protocol.error', 11);
  // Most of them are of no network.
  for (const host of ['c.example', 'd.example'])
    fail(host, 'h2.ping_failed', times('05-17T10:00', 21), { organisation: undefined });
  for (const host of ['e.example', 'f.example', 'g.example'])
    fail(host, 'h3.failed', times('05-17T14:00', 22), { organisation: 'Big AS' });
  // A report in the last seconds of the period, and one after it.
  fail('late.example', 'tcp.aborted', [...times('05-20T00:30', 19), at('05-20T00:59:59')]);
  fail('too-late.example', 'tcp.aborted', [...times('05-20T00:20', 19), at('05-20T01:00')]);
  // All errors together, none of which stands out.
  fail('many.example', 'ok', times('05-18T03:00', 20));
  // Before the period, and going on within it.
  fail('earlier.example', 'tcp.timed_out', [...times('05-12T23:00', 20), ...times('05-13T01:00', 20)]);
  fail('much-earlier.example', 'tcp.timed_out', times('05-09T23:00', 25));
  fail('much-earlier.example', 'tcp.timed_out', times('05-13T00:00', 25));
  return reports.lines;
}
