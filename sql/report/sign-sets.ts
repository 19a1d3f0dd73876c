import { REPORT_TYPES, type ReportType } from '@sightline/reports';
import type { DailySet } from './daily-sets.ts';
import { type Dimension, dimension } from './dimensions.ts';
import { NOISE_SQL, SOURCE_CLASS } from './source-class.ts';

/** Groups that signs are looked for in: a kind of group that no client asks for by name. */
export interface SignSet extends DailySet {
  /** The condition of the reports that are counted; all of them where it is left out. */
  only?: string;
  /** The rest of that once a type's own condition holds, over the values `v2` and `v3` of a group. */
  groups?: string;
  /** Groups of fewer reports are left out: an hour of a page with two reports can be no jump. */
  least: number;
  /** A report's part of the group's count: its own count, where this is left out. */
  weight?: string;
  /** True of groups by hour, which is their first dimension: a row has a list of hours for each value. */
  hasHours?: true;
}

const HOUR = dimension('csp', 'HOUR')!;

/** A report is no sign where a browser or its extension caused it, or its policy allows it. */
const NO_NOISE = `${SOURCE_CLASS} not in (${NOISE_SQL})`;

/** Reports of an hour from which on a page, a host or an error is looked at one by one. */
const FEW = 5;

// An earlier version kept each hour of a value as a group of its own, under names with "signs" before.
function set(type: ReportType, name: string, by: readonly string[], rest: Partial<SignSet> = {}): SignSet {
  const dimensions = by.map(one => dimension(type, one)!);
  return { name: `hours ${name}`, dimensions: [HOUR, ...dimensions], least: 1, hasHours: true, ...rest };
}

/** Groups by hour, by type. */
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
    sender: set('dmarc', 'SENDER', ['SENDER', 'ALIGNED']),
  },
} as const satisfies Partial<Record<ReportType, Record<string, SignSet>>>;

export type HourlyType = keyof typeof SIGN_SETS;

/** Types of which only the hours of all reports are looked at. */
export const OTHER_TYPES: readonly ReportType[] = REPORT_TYPES.filter(type => !(type in SIGN_SETS));

/** All reports of such a type, by hour. */
export const ALL_HOURS: SignSet = set('csp', 'HOUR', []);

/** The condition that all sets of a type have in common. */
export const ONLY: Readonly<Record<HourlyType, string>> = { csp: NO_NOISE, nel: 'true', dmarc: 'true' };

function hidden(type: ReportType, name: string, expression: string): Dimension {
  return { name, types: [type], description: '', expression, shown: value => value };
}

const sessions = (field: string) => `coalesce((extra->>'${field}')::bigint, 0)`;
const domain = hidden('tls_rpt', 'DOMAIN', `extra->>'domain'`);

/** Failures of mail over TLS: the count is of sessions that failed. The kind begins with `true` where any did. */
export const TLS_FAILURES: SignSet = {
  name: 'signs TLS',
  dimensions: [
    domain,
    hidden(
      'tls_rpt',
      'FAILURE',
      `concat(${sessions('failedSessions')} > 0, ' ', extra #>> '{failureDetails,0,resultType}')`,
    ),
    hidden('tls_rpt', 'EXCHANGER', `extra #>> '{failureDetails,0,receivingMxHostname}'`),
  ],
  least: 1,
  weight: sessions('failedSessions'),
};

/** All sessions of mail over TLS. */
export const TLS_SESSIONS: SignSet = {
  name: 'signs TLS SESSIONS',
  dimensions: [domain],
  least: 1,
  weight: `(${sessions('failedSessions')} + ${sessions('successfulSessions')})`,
};

/** Certificates by issuer and hosts, which have a space between and stand reversed. */
export const CERTIFICATES: SignSet = {
  name: 'signs CERTIFICATE',
  dimensions: [
    hidden('certificate_transparency', 'ISSUER', 'issuer'),
    hidden('certificate_transparency', 'HOSTS', `array_to_string(hosts_reversed, ' ')`),
  ],
  least: 1,
};

/** Reporters of mail over TLS; those of DMARC are among the groups that clients ask for. */
export const TLS_REPORTERS: SignSet = {
  name: 'signs REPORTER',
  dimensions: [dimension('tls_rpt', 'REPORTER')!],
  least: 1,
};

/** An hour of a value, as a list in JSON: its number since 1970, reports, count, the seconds of its first and last one. */
export const HOUR_LIST = (() => {
  const seconds = (column: string) => `floor(extract(epoch from ${column}))::bigint`;
  const parts = [
    `${seconds('first_seen')} / 3600`,
    'reports',
    'count',
    `${seconds('first_seen')} % 3600`,
    `${seconds('last_seen')} % 3600`,
  ];
  return `'[' || ${parts.join(` || ',' || `)} || ']'`;
})();

const FURTHER: Partial<Record<ReportType, readonly SignSet[]>> = {
  tls_rpt: [TLS_FAILURES, TLS_SESSIONS, TLS_REPORTERS],
  certificate_transparency: [CERTIFICATES],
};

export function signSets(type: ReportType): readonly SignSet[] {
  const hourly = (SIGN_SETS as Partial<Record<ReportType, Record<string, SignSet>>>)[type];
  return [...(hourly ? Object.values(hourly) : [ALL_HOURS]), ...(FURTHER[type] ?? [])];
}

/**
 * A report's row of values in one way of grouping: its name, three values, whether it counts, the least, its part.
 * @param columnOf the column that has an expression's value, where it was computed before
 */
export function waysOf(
  { name, dimensions, only, least = 1, weight = 'count' }: DailySet & Partial<SignSet>,
  columnOf = (expression: string) => expression,
): string {
  const values = [0, 1, 2].map(place => {
    const dimension = dimensions[place];
    return dimension ? columnOf(`coalesce(${dimension.shown(`(${dimension.expression})`)}, '')`) : `''`;
  });
  const isCounted = only ? columnOf(`coalesce(${only}, false)`) : 'true';
  return `('${name}', ${values.join(', ')}, ${isCounted}, ${least}, ${columnOf(weight)})`;
}

/** The columns of such rows. */
export const WAY_COLUMNS = '(way, v1, v2, v3, is_counted, least, weight)';
