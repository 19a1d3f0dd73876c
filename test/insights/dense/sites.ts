import { MS_PER_DAY } from '@sightline/reports';
import type { Line } from '../../support/service.ts';
import { at, MINUTE, middays, Reports, times } from './lines.ts';

/** Sites that stopped reporting, at the thresholds of the rule: hours without reports, and those that are missing. */
export function listSites(account: string): Line[] {
  const reports = new Reports(account);
  const visit = (host: string, days: number, each: number, last: string, without = 0) => {
    for (let day = 0; day < days; day++) {
      const count = each - (day === 0 ? without : 0);
      reports.add('csp', times(at(last) - day * MS_PER_DAY - (count - 1) * 30 * MINUTE, count, 30 * MINUTE), {
        ...{ uri: `https://${host}/`, blockedUri: 'inline', directive: 'script-src', count: 5 },
      });
    }
  };
  reports.add('csp', middays('04-02', '05-19'), { uri: 'https://www.example.com/', blockedUri: 'inline' });
  visit('misses-20.test', 14, 10, '05-17T12:00');
  visit('misses-fewer.test', 14, 10, '05-17T12:00', 1);
  visit('for-a-day.test', 14, 20, '05-18T12:00');
  visit('for-less-than-a-day.test', 14, 20, '05-18T12:00:01');
  visit('of-13-days.test', 13, 11, '05-17T12:00');
  return reports.lines;
}
