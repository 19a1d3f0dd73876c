import { reportType, SECONDS_PER_HOUR } from '@sightline/reports';
import { SEVERITIES } from '../insight.ts';
import { type InsightCandidate, moment, shortenText } from './candidate.ts';

/** True if two hosts are equal, or one is a wildcard that covers the other. */
function isSame(one: string, other: string): boolean {
  const [wide, narrow] = one.startsWith('*.') ? [one, other] : [other, one];
  return one === other || (wide.startsWith('*.') && narrow.split('.').slice(1).join('.') === wide.slice(2));
}

const areSame = (one: InsightCandidate, other: InsightCandidate) =>
  Math.abs(one.first - other.first) <= SECONDS_PER_HOUR &&
  one.hosts.some(host => other.hosts.some(own => isSame(host, own)));

/**
 * Merges insights of several types that share a host and begin within an hour of each other. Insights of a single type
 * are not merged.
 */
export function correlate(drafts: readonly InsightCandidate[]): InsightCandidate[] {
  const left = drafts.toSorted((one, other) => one.first - other.first);
  const all: InsightCandidate[] = [];
  while (left.length > 0) {
    const group = [left.shift()!];
    for (let index = 0; index < left.length; index++) {
      if (!group.some(draft => areSame(draft, left[index]!))) continue;
      group.push(...left.splice(index, 1));
      index = -1;
    }
    const types = new Set(group.map(({ reports }) => reports?.type));
    all.push(...(types.size > 1 ? [togetherDraft(group)] : group));
  }
  return all;
}

/** The maximum number of insights listed in a detail, which limits its length. */
const MOST_LISTED = 10;

function togetherDraft(unordered: readonly InsightCandidate[]): InsightCandidate {
  const group = unordered.toSorted((one, other) => one.first - other.first);
  const [begin] = group as [InsightCandidate];
  const host = sharedHost(group);
  const severity = SEVERITIES.find(name => group.some(draft => draft.severity === name))!;
  const labels = [
    ...new Set(group.map(({ reports }) => (reports ? reportType(reports.type).label : 'other'))),
  ];
  return {
    kind: 'correlated',
    severity: severity === 'threat' ? severity : 'incident',
    title: `${shortenText(host)}: ${labels.join(', then ')}`,
    detail: group
      .slice(0, MOST_LISTED)
      .map(({ first, title }) => `${moment(first)}: ${title}.`)
      .join(' '),
    subject: host,
    first: begin.first,
    last: Math.max(...group.map(({ last }) => last)),
    count: group.reduce((sum, { count }) => sum + count, 0),
    baseline: group.reduce((sum, { baseline }) => sum + baseline, 0),
    reports: begin.reports,
    hosts: [host],
    rank: group.length * 1e12 + group.reduce((sum, { count }) => sum + count, 0),
  };
}

/** The host that most of them share, or the first such host. */
function sharedHost(group: readonly InsightCandidate[]): string {
  const hosts = group.flatMap(draft => draft.hosts).filter(host => !host.startsWith('*.'));
  const named = (host: string) => group.filter(draft => draft.hosts.some(own => isSame(own, host))).length;
  return hosts.toSorted((one, other) => named(other) - named(one))[0] ?? group[0]!.hosts[0]!;
}
