import type { ReportType } from '@sightline/reports';
import { ANY_FLAG } from './conditions.ts';
import { type Dimension, dimension } from './dimensions.ts';
import { SOURCE_CLASS } from './source-class.ts';

/** A set of dimensions with daily rollups. */
export interface DailySet {
  /** The name in the table `daily_group`. */
  name: string;
  dimensions: readonly Dimension[];
}

/** True for a flagged report. Never shown, but used to group rollups. */
const THREAT: Dimension = {
  name: 'THREAT',
  types: ['csp'],
  description: 'Whether the report has a sign of a threat.',
  expression: `(${ANY_FLAG})::text`,
  formatValue: value => value,
};

/**
 * Host of the page, source class and directive, separated by spaces, because `daily_group` has only three columns.
 * Replaying a policy also needs the addresses of page and blocked resource. Hosts and classes contain no spaces.
 */
export const VIOLATION: Dimension = {
  name: 'VIOLATION',
  types: ['csp'],
  description: 'Host of the page, source class and directive of a violation.',
  expression: `concat_ws(' ', coalesce(host_reversed, ''), ${SOURCE_CLASS}, coalesce(directive, ''))`,
  formatValue: value => value,
};

const HIDDEN: readonly Dimension[] = [THREAT, VIOLATION];

/** The filters and exclusions that rollups can answer: by the value of one of their dimensions. */
export const KEPT_FILTERS: Readonly<Record<string, string>> = {
  sourceClass: 'SOURCE_CLASS',
  anyThreatIntel: THREAT.name,
  hostnames: VIOLATION.name,
};

const bySource = (...names: string[]) => [...names, 'SOURCE_CLASS'];

/**
 * The rollup sets of the most frequent types: the page's groupings, and others with few values. The first set with all
 * requested dimensions is used, so sets with few values come first.
 */
const KEPT: Partial<Record<ReportType, readonly (readonly string[])[]>> = {
  csp: [
    bySource('ACTION'),
    bySource('HOUR'),
    bySource('DIRECTIVE'),
    bySource('BROWSER', 'PLATFORM'),
    bySource('POLICY_ID', 'DIRECTIVE'),
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
  // Only the overview uses these.
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

/** The types whose groupings on the page all have rollups. */
export const KEPT_TYPES: readonly ReportType[] = ['csp', 'nel', 'dmarc'];

export function dailySets(type: ReportType): readonly DailySet[] {
  return SETS.get(type) ?? [];
}

/** Returns the set that contains these dimensions; all sets contain the day. */
export function dailySet(type: ReportType, names: readonly string[]): DailySet | undefined {
  const wanted = names.filter(name => name !== 'DAY');
  return dailySets(type).find(({ dimensions }) =>
    wanted.every(name => dimensions.some(dimension => dimension.name === name)),
  );
}

/** The groupings that have rollups, as a Markdown table. The documentation contains the table verbatim. */
export function formatRollupTable(): string {
  const rows = [...SETS].map(([type, sets]) => {
    const names = sets.map(({ dimensions }) =>
      dimensions.filter(one => !HIDDEN.includes(one)).map(({ name }) => `\`${name}\``),
    );
    return `| \`${type}\` | ${names.map(set => set.join(' + ')).join('; ')} |`;
  });
  return ['| type | groupings with rollups |', '|---|---|', ...rows].join('\n');
}
