import { createHash } from 'node:crypto';
import type { ReportType } from '@sightline/reports';
import type { AccountId } from '../../sql/account-id.ts';
import { addDays, dayOf } from '../calendar.ts';
import type { Sign } from '../sign.ts';
import type { Looked } from './looked.ts';

/** A sign as a rule makes it. */
export interface Draft extends Omit<Sign, 'id' | 'firstSeen' | 'lastSeen' | 'link' | 'query'> {
  /** A part of the id beside kind and first day, where the subject alone is not enough. */
  key?: string;
  /** Seconds since 1970. */
  first: number;
  last: number;
  /** True: it is shown as long as it lasts, whenever it began. */
  lasts?: boolean;
  /** The type of its reports, and the filters that find them; undefined where it has none. */
  reports?: { type: ReportType; filters: Readonly<Record<string, string | undefined>> } | undefined;
  /** The place of the page that shows it, where it is none of the reports' own. */
  place?: string;
  /** Host names that it is about: signs of several types that name one are told together. */
  hosts: readonly string[];
  /** Ranks it among those of its kind: the more, the sooner. */
  rank: number;
}

export function signOf(draft: Draft, { account, now }: Looked): Sign {
  const { key, first, last, lasts, reports, place, hosts, rank, ...rest } = draft;
  return {
    ...rest,
    id: idOf(draft, account.id),
    firstSeen: instantOf(first),
    lastSeen: instantOf(last),
    count: Math.round(draft.count),
    usual: Math.round(draft.usual),
    link: linkOf(draft, now),
    query: queryOf(draft),
  };
}

/**
 * The same for the same kind, subject and first day, however often it is looked at. Another account's differs, since
 * caches of clients take objects with one id for one object.
 */
function idOf({ kind, subject, key = subject, first }: Draft, account: AccountId): string {
  const day = instantOf(first).slice(0, 10);
  const digest = createHash('sha256').update(`${account}\n${kind}\n${key}\n${day}`).digest('hex');
  return `${kind}-${day}-${digest.slice(0, 16)}`;
}

export const instantOf = (seconds: number): string => new Date(seconds * 1000).toISOString();
export const secondsOf = (instant: string): number => Math.floor(Date.parse(instant) / 1000);

/** The periods of the page, in days with today. */
const PERIODS = [7, 30, 90] as const;

function linkOf({ reports, place, first }: Draft, now: Date): string {
  if (!reports) return `/app#/${place ?? ''}`;
  const days = PERIODS.find(length => instantOf(first).slice(0, 10) >= addDays(dayOf(now), 1 - length)) ?? 90;
  return `/app#/${place ?? reports.type}?${parameters({ period: `${days}d`, ...reports.filters })}`;
}

function queryOf({ reports, first, last }: Draft): string | null {
  if (!reports) return null;
  const filters = Object.entries(reports.filters).map(([name, value]) => [
    name,
    value && asItem(name, value),
  ]);
  const period = { from: instantOf(first), to: instantOf(last + 1) };
  return `/export/reports/${reports.type}?${parameters({ ...period, ...Object.fromEntries(filters) })}`;
}

/** `/export` takes lists with commas between their items. */
const asItem = (name: string, value: string) =>
  /(hostnames|paths)$/i.test(name) ? value.replace(/[\\,]/g, '\\$&') : value;

function parameters(given: Readonly<Record<string, string | undefined>>): string {
  const told = Object.entries(given).filter((pair): pair is [string, string] => !!pair[1]);
  return new URLSearchParams(told).toString();
}

const LONGEST = 120;

/** Reported text within a sentence: without characters that would change how the rest of it is read. */
export function told(text: string): string {
  const plain = [...text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ').trim()];
  return plain.length > LONGEST ? `${plain.slice(0, LONGEST - 1).join('')}…` : plain.join('');
}

export const plural = (count: number, word: string): string =>
  `${Math.round(count).toLocaleString('en')} ${word}${Math.round(count) === 1 ? '' : 's'}`;

export const share = (part: number, whole: number): string =>
  whole === 0 ? '0 %' : `${((100 * part) / whole).toFixed(part < whole && part / whole < 0.1 ? 1 : 0)} %`;

/** `22 Nov 14:00`, in UTC. */
export function moment(seconds: number): string {
  const [day, time] = [instantOf(seconds).slice(0, 10), instantOf(seconds).slice(11, 16)];
  const [, month, date] = day.split('-');
  return `${Number(date)} ${MONTHS[Number(month) - 1]} ${time} UTC`;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
