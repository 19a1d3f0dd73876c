import { reportType } from '@sightline/reports';
import { SEVERITIES } from '../sign.ts';
import { type Draft, moment, told } from './draft.ts';

const HOUR = 3600;

/** A certificate can be for all hosts of a level. */
function isSame(one: string, other: string): boolean {
  const [wide, narrow] = one.startsWith('*.') ? [one, other] : [other, one];
  return one === other || (wide.startsWith('*.') && narrow.split('.').slice(1).join('.') === wide.slice(2));
}

const areSame = (one: Draft, other: Draft) =>
  Math.abs(one.first - other.first) <= HOUR &&
  one.hosts.some(host => other.hosts.some(own => isSame(host, own)));

/**
 * Signs that name one host and begin within an hour of each other become one, where they are of several types. Those
 * of one type stay what they are.
 */
export function joined(drafts: readonly Draft[]): Draft[] {
  const left = drafts.toSorted((one, other) => one.first - other.first);
  const all: Draft[] = [];
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

function togetherDraft(unordered: readonly Draft[]): Draft {
  const group = unordered.toSorted((one, other) => one.first - other.first);
  const [begin] = group as [Draft];
  const host = sharedHost(group);
  const severity = SEVERITIES.find(name => group.some(draft => draft.severity === name))!;
  const labels = [
    ...new Set(group.map(({ reports }) => (reports ? reportType(reports.type).label : 'other'))),
  ];
  return {
    kind: 'together',
    severity: severity === 'threat' ? severity : 'incident',
    title: `${told(host)}: ${labels.join(', then ')}`,
    detail: group.map(({ first, title }) => `${moment(first)}: ${title}.`).join(' '),
    subject: host,
    first: begin.first,
    last: Math.max(...group.map(({ last }) => last)),
    count: group.reduce((sum, { count }) => sum + count, 0),
    usual: group.reduce((sum, { usual }) => sum + usual, 0),
    reports: begin.reports,
    hosts: [host],
    rank: group.length * 1e12 + group.reduce((sum, { count }) => sum + count, 0),
  };
}

/** The host that most of them name; of equals the first. */
function sharedHost(group: readonly Draft[]): string {
  const hosts = group.flatMap(draft => draft.hosts).filter(host => !host.startsWith('*.'));
  const named = (host: string) => group.filter(draft => draft.hosts.some(own => isSame(own, host))).length;
  return hosts.toSorted((one, other) => named(other) - named(one))[0] ?? group[0]!.hosts[0]!;
}
