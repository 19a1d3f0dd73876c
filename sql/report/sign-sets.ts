import type { DailySet } from './daily-sets.ts';
import { dimension } from './dimensions.ts';
import type { ReportType } from './types.ts';

/** Groups of the hours of a day, for signs: a kind of group that no client asks for by name. */
export interface SignSet extends DailySet {
  /** The condition of the reports that are counted; all of them where it is left out. */
  only?: string;
  /** What is left of that once a type's own condition holds, over the values `v2` and `v3` of a group. */
  groups?: string;
  /** Groups of fewer reports are left out: an hour of a page with two reports can be no jump. */
  least: number;
}

const HOUR = dimension('csp', 'HOUR')!;

/** What browsers and their extensions cause, or a policy allows, is no sign of anything. */
const NO_NOISE = `coalesce(source_class, 'unknown') not in ('extension', 'browser', 'impossible')`;

/** Reports of an hour from which on a page, a host or an error is looked at one by one. */
const FEW = 5;

function set(type: ReportType, name: string, by: readonly string[], rest: Partial<SignSet> = {}) {
  const dimensions = by.map(one => dimension(type, one)!);
  return { name: `signs ${name}`, dimensions: [HOUR, ...dimensions], least: 1, ...rest } satisfies SignSet;
}

/** By type, as the table `daily_group` has them: the hour is the first value of each. */
export const SIGN_SETS = {
  csp: {
    all: set('csp', 'HOUR', [], { only: NO_NOISE }),
    directive: set('csp', 'DIRECTIVE', ['DIRECTIVE'], { only: NO_NOISE }),
    page: set('csp', 'PAGE', ['PAGE_HOST', 'PAGE_PATH'], { only: NO_NOISE, least: FEW }),
    host: set('csp', 'BLOCKED_HOST', ['BLOCKED_HOST', 'SOURCE_CLASS'], {
      only: `${NO_NOISE} and blocked_host_reversed is not null`,
      groups: `v2 <> ''`,
      least: FEW,
    }),
  },
  nel: {
    all: set('nel', 'HOUR', []),
    error: set('nel', 'ERROR', ['PAGE_HOST', 'NEL_TYPE'], {
      only: `nel_type <> 'ok'`,
      groups: `v3 not in ('ok', '')`,
      least: FEW,
    }),
  },
  dmarc: {
    all: set('dmarc', 'HOUR', []),
    // The name is another than that of the groups by networks, which an earlier version kept.
    sender: set('dmarc', 'SENT_BY', ['SENDER', 'ALIGNED']),
  },
} as const satisfies Partial<Record<ReportType, Record<string, SignSet>>>;

export type HourlyType = keyof typeof SIGN_SETS;

/** The condition that all sets of a type have in common. */
export const ONLY: Readonly<Record<HourlyType, string>> = { csp: NO_NOISE, nel: 'true', dmarc: 'true' };

export function signSets(type: ReportType): readonly SignSet[] {
  return Object.values((SIGN_SETS as Partial<Record<ReportType, Record<string, SignSet>>>)[type] ?? {});
}

/** A report's row of values in one way of grouping: its name, three values, whether it counts, and the least. */
export function waysOf({ name, dimensions, only = 'true', least = 1 }: DailySet & Partial<SignSet>): string {
  const values = [0, 1, 2].map(place => {
    const dimension = dimensions[place];
    return dimension ? `coalesce(${dimension.shown(`(${dimension.expression})`)}, '')` : `''`;
  });
  return `('${name}', ${values.join(', ')}, coalesce(${only}, false), ${least})`;
}
