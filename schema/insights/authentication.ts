import { type AuthenticationDay, authenticationDays } from '../../sql/insights/mail.ts';
import { RULES } from '../insight-rules.ts';
import { type InsightCandidate, moment, plural, share, shortenText, toSeconds } from './candidate.ts';
import { groupBy } from './group-by.ts';
import { type InsightScope, toWindow, USUAL_DAYS } from './scope.ts';

/** A mail authentication method that can fail while the other one keeps messages aligned. */
interface Check {
  name: 'DKIM' | 'SPF';
  other: string;
  passed(day: AuthenticationDay): number;
  failed(day: AuthenticationDay): number;
  reports(day: AuthenticationDay): number;
  what(day: AuthenticationDay): string;
}

const CHECKS: readonly Check[] = [
  {
    name: 'DKIM',
    other: 'SPF',
    passed: d => d.dkim,
    failed: d => d.dkimFails,
    reports: d => d.dkimReports,
    what: d => d.dkimFailed,
  },
  {
    name: 'SPF',
    other: 'DKIM',
    passed: d => d.spf,
    failed: d => d.spfFails,
    reports: d => d.spfReports,
    what: d => d.spfFailed,
  },
];

/** Finds senders for whom one method fails, which their alignment does not show. */
export async function authenticationInsights(scope: InsightScope): Promise<InsightCandidate[]> {
  const window = toWindow(scope, USUAL_DAYS);
  const days = await authenticationDays(scope.database, window);
  return [...groupBy(days, ({ sender }) => sender).values()].flatMap(own =>
    CHECKS.flatMap(check => findFailure(own, check, toSeconds(window.since)) ?? []),
  );
}

/** Finds the days from the first to the last on which more messages fail than pass. */
function findFailure(
  days: readonly AuthenticationDay[],
  check: Check,
  since: number,
): InsightCandidate | undefined {
  const { messages, reports, before, now } = RULES.authenticationFails;
  const sum = (of: readonly AuthenticationDay[], count: (day: AuthenticationDay) => number) =>
    of.reduce((all, day) => all + count(day), 0);
  const isFailing = (day: AuthenticationDay) =>
    check.passed(day) < now * day.messages && check.failed(day) > 0;
  for (const [index, begin] of days.entries()) {
    const earlier = days.slice(0, index);
    const all = sum(earlier, day => day.messages);
    if (begin.first < since || !isFailing(begin) || all < messages) continue;
    if (sum(earlier, check.passed) < before * all) continue;
    const run = days.slice(index);
    const end = run.findLastIndex(isFailing) + 1;
    const failing = run.slice(0, end);
    const [failed, sent] = [sum(failing, check.failed), sum(failing, day => day.messages)];
    if (
      failed < messages ||
      sum(failing, check.reports) < Math.max(reports, (1 - now) * sum(failing, day => day.rows)) ||
      sum(failing, check.passed) >= now * sent
    )
      continue;
    return failureDraft(failing, check, { failed, sent, baseline: 1 - sum(earlier, check.passed) / all });
  }
  return undefined;
}

function failureDraft(
  days: readonly AuthenticationDay[],
  check: Check,
  { failed, sent, baseline }: { failed: number; sent: number; baseline: number },
): InsightCandidate {
  const [{ sender, first }] = days as readonly [AuthenticationDay];
  const what = shortenText(check.what(days.find(day => check.what(day) !== '') ?? days[0]!), 80);
  const [part, ...result] = what.split(' ');
  const place = check.name === 'DKIM' ? `selector ${part}` : `domain ${part}`;
  const cause = result.includes('permerror')
    ? check.name === 'DKIM'
      ? ' The key of the selector is missing in DNS, or cannot be read.'
      : ' The record in DNS is wrong.'
    : '';
  return {
    kind: 'authenticationFails',
    severity: 'incident',
    title: `${check.name} of ${shortenText(sender)} fails, and only ${check.other} keeps its mail aligned`,
    pastTitle: `${check.name} of ${shortenText(sender)} failed, and only ${check.other} kept its mail aligned`,
    detail: `${share(failed, sent)} of ${plural(sent, 'message')} since ${moment(first)}, ${share(baseline, 1)} before.${what === '' ? '' : ` Most: ${place}, result ${result.join(' ') || 'unknown'}.`}${cause}`,
    subject: sender,
    key: `${check.name} ${sender}`,
    first,
    last: days.at(-1)!.last,
    count: failed,
    baseline: baseline * sent,
    reports: { type: 'dmarc', filters: { sender } },
    hosts: [],
    rank: failed,
  };
}
