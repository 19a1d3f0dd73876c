import type { ReportType } from '@sightline/reports';
import { ANY_FLAG } from './conditions.ts';
import { type Dimension, dimension } from './dimensions.ts';
import { SOURCE_CLASS } from './source-class.ts';

/** A way in which the groups of a day are kept. */
export interface DailySet {
  /** As the table `daily_group` has it. */
  name: string;
  dimensions: readonly Dimension[];
}

/** True for a report with a sign of a threat: it is never shown, but groups are kept by it. */
const THREAT: Dimension = {
  name: 'THREAT',
  types: ['csp'],
  description: 'Whether the report has a sign of a threat.',
  expression: `(${ANY_FLAG})::text`,
  shown: value => value,
};

/**
 * Host of the page, source class and directive, with a space between, since `daily_group` has three places. A
 * policy is replayed over the addresses of page and blocked resource, too. Neither host nor class has a space.
 */
export const VIOLATION: Dimension = {
  name: 'VIOLATION',
  types: ['csp'],
  description: 'Host of the page, source class and directive of a violation.',
  expression: `concat_ws(' ', coalesce(host_reversed, ''), ${SOURCE_CLASS}, coalesce(directive, ''))`,
  shown: value => value,
};

const HIDDEN: readonly Dimension[] = [THREAT, VIOLATION];

/** The filters and exclusions that kept groups answer: by the value of a dimension that they are kept by. */
export const KEPT_FILTERS: Readonly<Record<string, string>> = {
  sourceClass: 'SOURCE_CLASS',
  anyThreatIntel: THREAT.name,
  hostnames: VIOLATION.name,
};

const bySource = (...names: string[]) => [...names, 'SOURCE_CLASS'];

/**
 * The sets that are kept, for the types that accounts have most of: the page's groupings, and others with few values.
 * The
 * first set with all requested dimensions answers, so those of few values come first.
 */
const KEPT: Partial<Record<ReportType, readonly (readonly string[])[]>> = {
  csp: [
    bySource('ACTION'),
    bySource('DIRECTIVE'),
    bySource('BROWSER'),
    bySource('PLATFORM'),
    [...bySource('BLOCKED_HOST'), THREAT.name],
    bySource('BLOCKED_ORIGIN'),
    bySource('PAGE_HOST'),
    bySource('PAGE_PATH'),
    bySource('PAGE_HOST', 'PAGE_PATH'),
    ['PAGE', VIOLATION.name, 'BLOCKED_URI'],
  ],
  nel: [['NEL_TYPE', 'PHASE'], ['PAGE_HOST'], ['ORGANISATION'], ['SERVER_IP']],
  dmarc: [
    ['ALIGNED'],
    ['DISPOSITION'],
    ['DKIM', 'SPF'],
    ['REPORTER'],
    ['HEADER_FROM', 'DISPOSITION'],
    ['SOURCE_ORGANISATION', 'ALIGNED'],
    ['SENDER', 'ALIGNED'],
    ['SOURCE_NETWORK', 'ALIGNED'],
    ['SOURCE_IP', 'ALIGNED'],
  ],
  // The overview asks for these alone.
  certificate_transparency: [['ISSUER']],
};

const SETS = new Map(
  Object.entries(KEPT).map(([type, sets]) => [
    type as ReportType,
    sets.map(names => ({
      name: names.join(' '),
      dimensions: names.map(
        name => HIDDEN.find(hidden => hidden.name === name) ?? dimension(type as ReportType, name)!,
      ),
    })),
  ]),
);

/** The types of which all that their views on the page group by is kept. */
export const KEPT_TYPES: readonly ReportType[] = ['csp', 'nel', 'dmarc'];

export function dailySets(type: ReportType): readonly DailySet[] {
  return SETS.get(type) ?? [];
}

/** The set that answers for these dimensions, of which the day itself is in each. */
export function dailySet(type: ReportType, names: readonly string[]): DailySet | undefined {
  const wanted = names.filter(name => name !== 'DAY');
  return dailySets(type).find(({ dimensions }) =>
    wanted.every(name => dimensions.some(dimension => dimension.name === name)),
  );
}
