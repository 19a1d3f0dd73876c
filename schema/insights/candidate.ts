import { createHash } from 'node:crypto';
import {
  isMailReportType,
  MONTHS,
  type ReportType,
  SECONDS_PER_DAY,
  SECONDS_PER_HOUR,
  truncateText,
} from '@sightline/reports';
import type { AccountId } from '../../sql/account-id.ts';
import type { Insight, InsightState } from '../insight.ts';
import { RULES } from '../insight-rules.ts';
import type { InsightScope } from './scope.ts';

/** An insight in the form that rules return. */
export interface InsightCandidate
  extends Omit<Insight, 'id' | 'state' | 'firstSeen' | 'lastSeen' | 'link' | 'query'> {
  /** The title after the insight is over, if `title` says that it is ongoing. */
  pastTitle?: string;
  /** True if the volume is growing. */
  isEscalating?: boolean;
  /** A further part of the id, for subjects that are not unique. */
  key?: string;
  /** In seconds since 1970. */
  first: number;
  last: number;
  /** True if the insight is shown as long as it is ongoing, regardless of its start. */
  isOngoing?: boolean;
  /** The type of the reports, and the filters that find them; undefined if there are no reports. */
  reports?: { type: ReportType; filters: Readonly<Record<string, string | undefined>> } | undefined;
  /** The page's view of the insight, if it is not that of the reports. */
  place?: string;
  /** The hosts concerned. Insights of several types with a common host are merged. */
  hosts: readonly string[];
  /** The rank within the kind; the highest comes first. */
  rank: number;
}

/** Maximum lengths in characters. Receivers of alerts refuse longer texts, and parts of the texts come from reports. */
const LONGEST = { title: 120, detail: 1000, subject: 500, link: 500, query: 2000 } as const;

export function toInsight(draft: InsightCandidate, { account, now, until }: InsightScope): Insight {
  const { key, first, last, isOngoing, reports, place, hosts, rank, pastTitle, isEscalating, ...rest } =
    draft;
  const state = getState(draft, until);
  const title = state === 'resolved' ? (pastTitle ?? draft.title) : draft.title;
  return {
    ...rest,
    state,
    title: truncateText(title, LONGEST.title),
    detail: truncateText(draft.detail, LONGEST.detail),
    subject: truncateText(draft.subject, LONGEST.subject),
    id: toId(draft, account.id),
    firstSeen: toInstant(first),
    lastSeen: toInstant(last),
    count: Math.round(draft.count),
    baseline: Math.round(draft.baseline),
    link: toLink(draft, now),
    query: toQuery(draft),
  };
}

/**
 * Computes an id that is stable for a kind, subject and first day. It differs between accounts, since clients cache
 * objects by id.
 */
function toId({ kind, subject, key = subject, first }: InsightCandidate, account: AccountId): string {
  const day = toInstant(first).slice(0, 10);
  const digest = createHash('sha256').update(`${account}\n${kind}\n${key}\n${day}`).digest('hex');
  return `${kind}-${day}-${digest.slice(0, 16)}`;
}

export const toInstant = (seconds: number): string => new Date(seconds * 1000).toISOString();
export const toSeconds = (instant: string): number => Math.floor(Date.parse(instant) / 1000);

/** The number of hours without a report after which an insight is over. */
function getOverHours({ kind, reports, first, last }: InsightCandidate): number {
  if (kind === 'scriptChanged') return RULES.over.script;
  if (reports && isMailReportType(reports.type)) return RULES.over.mail;
  if (reports?.type === 'certificate_transparency' || kind === 'newFinding') return RULES.over.certificate;
  return last - first >= RULES.over.lastedDays * SECONDS_PER_DAY ? RULES.over.lastedHours : RULES.over.hours;
}

/** Returns the state of an insight at an instant. */
export function getState(draft: InsightCandidate, until: Date): InsightState {
  const end = Math.floor(until.getTime() / 1000);
  if (!draft.isOngoing && end - draft.last > getOverHours(draft) * SECONDS_PER_HOUR) return 'resolved';
  if (draft.isEscalating) return 'escalating';
  return end - draft.first <= RULES.over.hours * SECONDS_PER_HOUR ? 'new' : 'ongoing';
}

/**
 * The number of seconds shown before and after an insight for comparison with the baseline: a day or half its length,
 * whichever is longer.
 */
const getRoom = ({ first, last }: InsightCandidate) => Math.max(SECONDS_PER_DAY, (last - first) / 2);

/** `2026-05-18T09:00`, the format of instants in the page's addresses. */
const toMinute = (seconds: number) => toInstant(seconds).slice(0, 16).replace('T00:00', '');

/** Links to the view of its reports in the period of the insight, with a margin on both sides. */
function toLink(draft: InsightCandidate, now: Date): string {
  const { reports, place, first, last } = draft;
  if (!reports) return `/app#/${place ?? ''}`;
  const view = `/app#/${place ?? reports.type}?`;
  const filters = { ...reports.filters };
  const room = getRoom(draft);
  const begin = Math.floor((first - room) / SECONDS_PER_HOUR) * SECONDS_PER_HOUR;
  const end = Math.ceil((last + room) / SECONDS_PER_HOUR) * SECONDS_PER_HOUR;
  const period = {
    from: toMinute(begin),
    to: end * 1000 < now.getTime() ? toMinute(end) : undefined,
  };
  // A filter's value cannot be truncated, so the longest filter is left out. The view then shows more than the reports
  // of the insight.
  for (;;) {
    const link = view + parameters({ ...period, ...filters });
    if (link.length <= LONGEST.link) return link;
    delete filters[findLongest(filters)];
  }
}

const findLongest = (filters: Readonly<Record<string, string | undefined>>): string =>
  Object.keys(filters).reduce((one, other) =>
    (filters[other]?.length ?? 0) > (filters[one]?.length ?? 0) ? other : one,
  );

function toQuery({ reports, first, last }: InsightCandidate): string | null {
  if (!reports) return null;
  const filters = Object.entries(reports.filters).map(([name, value]) => [
    name,
    value && asItem(name, value),
  ]);
  const period = { from: toInstant(first), to: toInstant(last + 1) };
  const query = `/export/reports/${reports.type}?${parameters({ ...period, ...Object.fromEntries(filters) })}`;
  return query.length > LONGEST.query ? null : query;
}

/** Escapes commas, since `/export` takes comma-separated lists. */
const asItem = (name: string, value: string) =>
  /(hostnames|paths)$/i.test(name) ? value.replace(/[\\,]/g, '\\$&') : value;

function parameters(given: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(given).filter((pair): pair is [string, string] => !!pair[1]);
  return new URLSearchParams(present).toString();
}

/** The maximum length of a name in a title, so that the rest of the title fits. */
const LONGEST_NAME = 50;

/**
 * Prepares reported text for a sentence. Removes characters that would change how the rest is read, and shortens long
 * texts in the middle, since the ends distinguish hosts.
 */
export function shortenText(text: string, longest = LONGEST_NAME): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ').trim();
  if (plain.length <= longest) return plain;
  const begin = plain.slice(0, Math.floor(longest / 4));
  const end = plain.slice(begin.length + 1 - longest);
  // Removes halves of surrogate pairs.
  return `${begin.replace(/[\ud800-\udbff]$/, '')}…${end.replace(/^[\udc00-\udfff]/, '')}`;
}

export const plural = (count: number, word: string): string =>
  `${Math.round(count).toLocaleString('en')} ${word}${Math.round(count) === 1 ? '' : 's'}`;

/** Marks a number that was counted in a part of the reports. */
export const estimated = (isPartial: boolean, text: string) => (isPartial ? `at least ${text}` : text);

export const share = (part: number, whole: number): string =>
  whole === 0 ? '0 %' : `${((100 * part) / whole).toFixed(part < whole && part / whole < 0.1 ? 1 : 0)} %`;

/** `22 Nov 14:00`, in UTC. */
export function moment(seconds: number): string {
  const [day, time] = [toInstant(seconds).slice(0, 10), toInstant(seconds).slice(11, 16)];
  const [, month, date] = day.split('-');
  return `${Number(date)} ${MONTHS[Number(month) - 1]} ${time} UTC`;
}
