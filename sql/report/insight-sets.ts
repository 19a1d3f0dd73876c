import { REPORT_TYPES, type ReportType } from '@sightline/reports';
import { toSeconds } from '../seconds.ts';
import type { DailySet } from './daily-sets.ts';
import type { DetailSet } from './detail-sets.ts';
import { type Dimension, dimension } from './dimensions.ts';
import { NOISE_SQL, SOURCE_CLASS } from './source-class.ts';

/** Groupings that are searched for insights. Clients cannot request them by name. */
export interface InsightSet extends DailySet {
  /** The condition for the counted reports; all by default. */
  only?: string;
  /** The remaining condition, once the type's own condition holds, over the values `v2` and `v3` of a group. */
  groups?: string;
  /** Minimum number of reports in a group: an hour of a page with two reports cannot be a spike. */
  least: number;
  /** A report's contribution to the group's count; by default its own count. */
  weight?: string;
  /** True for groups whose first dimension is the hour: a row has a list of hours per value. */
  hasHours?: true;
}

const HOUR = dimension('csp', 'HOUR')!;

/** Excludes reports caused by browsers or extensions, or allowed by their own policy. They are not insights. */
const NO_NOISE = `${SOURCE_CLASS} not in (${NOISE_SQL})`;

/** Number of hourly reports from which a page, host or error is examined individually. */
const FEW = 5;

// Rows whose names start with "insights" stored each hour of a value as a separate group.
function set(
  type: ReportType,
  name: string,
  by: readonly string[],
  rest: Partial<InsightSet> = {},
): InsightSet {
  const dimensions = by.map(one => dimension(type, one)!);
  return { name: `hours ${name}`, dimensions: [HOUR, ...dimensions], least: 1, hasHours: true, ...rest };
}

/** Groups by hour, by type. */
export const INSIGHT_SETS = {
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
} as const satisfies Partial<Record<ReportType, Record<string, InsightSet>>>;

export type HourlyType = keyof typeof INSIGHT_SETS;

/** Types for which only hourly totals are analysed. */
export const OTHER_TYPES: readonly ReportType[] = REPORT_TYPES.filter(type => !(type in INSIGHT_SETS));

/** All reports of such a type, by hour. */
export const ALL_HOURS: InsightSet = set('csp', 'HOUR', []);

/** The condition that all sets of a type share. */
export const ONLY: Readonly<Record<HourlyType, string>> = { csp: NO_NOISE, nel: 'true', dmarc: 'true' };

/** Creates a dimension that clients cannot request by name. */
export function toHiddenDimension(type: ReportType, name: string, expression: string): Dimension {
  return { name, types: [type], description: '', expression, formatValue: value => value };
}

const sessions = (field: string) => `coalesce((extra->>'${field}')::bigint, 0)`;
const domain = toHiddenDimension('tls_rpt', 'DOMAIN', `extra->>'domain'`);
/** Separated by a space, which a domain cannot contain. */
const domainAndReporter = toHiddenDimension(
  'tls_rpt',
  'DOMAIN_REPORTER',
  `concat(extra->>'domain', ' ', extra->>'reporter')`,
);

/** TLS failures of mail, counting failed sessions. The kind starts with `true` if there were any. */
export const TLS_FAILURES: InsightSet = {
  name: 'insights TLS FAILURES',
  dimensions: [
    domainAndReporter,
    toHiddenDimension(
      'tls_rpt',
      'FAILURE',
      `concat(${sessions('failedSessions')} > 0, ' ', extra #>> '{failureDetails,0,resultType}')`,
    ),
    toHiddenDimension('tls_rpt', 'EXCHANGER', `extra #>> '{failureDetails,0,receivingMxHostname}'`),
  ],
  least: 1,
  weight: sessions('failedSessions'),
};

/** All TLS sessions of mail. */
export const TLS_SESSIONS: InsightSet = {
  name: 'insights TLS SESSIONS',
  dimensions: [domain],
  least: 1,
  weight: `(${sessions('failedSessions')} + ${sessions('successfulSessions')})`,
};

/** Certificates by issuer and hosts, which are reversed and separated by spaces. */
export const CERTIFICATES: InsightSet = {
  name: 'insights CERTIFICATE',
  dimensions: [
    toHiddenDimension('certificate_transparency', 'ISSUER', 'issuer'),
    toHiddenDimension('certificate_transparency', 'HOSTS', `array_to_string(hosts_reversed, ' ')`),
  ],
  least: 1,
};

/** Scripts and other resources with a hash, by browser. */
export const SCRIPTS: InsightSet = {
  name: 'insights SCRIPT',
  dimensions: ['SUBRESOURCE', 'HASH', 'BROWSER'].map(name => dimension('csp_integrity', name)!),
  least: 1,
};

/**
 * Senders by DKIM and SPF results, separated by a space, and the failure if only one of them passes: selector or
 * domain, and the result.
 */
export const AUTHENTICATION: InsightSet = {
  name: 'insights AUTHENTICATION',
  dimensions: [
    dimension('dmarc', 'SENDER')!,
    toHiddenDimension('dmarc', 'RESULTS', `concat(extra->>'dkim', ' ', extra->>'spf')`),
    toHiddenDimension(
      'dmarc',
      'FAILED',
      `case when extra->>'dkim' <> 'pass' and extra->>'spf' = 'pass'
          then concat_ws(' ', extra #>> '{dkimResults,0,selector}', extra #>> '{dkimResults,0,result}')
        when extra->>'dkim' = 'pass' and extra->>'spf' <> 'pass'
          then concat_ws(' ', extra #>> '{spfResults,0,domain}', extra #>> '{spfResults,0,result}') end`,
    ),
  ],
  least: 1,
};

/** Expressions by type for the subject of a browser report: a feature, a reason, or a host. */
const FEATURES = {
  deprecation: `coalesce(nullif(extra->>'featureId', ''), message)`,
  intervention: `coalesce(nullif(extra->>'featureId', ''), message)`,
  permissions_policy: 'property',
  crash: `extra->>'reason'`,
  connection_allowlist: 'reverse(blocked_host_reversed)',
} as const;
export type FeatureType = keyof typeof FEATURES;
export const FEATURE_TYPES = Object.keys(FEATURES) as FeatureType[];

/** Features by browser. */
export const featureSet = (type: FeatureType): InsightSet => ({
  name: 'insights FEATURE',
  dimensions: [toHiddenDimension(type, 'FEATURE', FEATURES[type]), dimension(type, 'BROWSER')!],
  least: 1,
});

/** Pages that crash, as host and path, by browser. */
export const CRASH_PAGES: InsightSet = {
  name: 'insights PAGE',
  dimensions: [
    toHiddenDimension('crash', 'PAGE', `concat(reverse(host_reversed), path)`),
    dimension('crash', 'BROWSER')!,
  ],
  least: 1,
};

/** The sets of browser reports: by feature and, for crashes, by page. */
export const FEATURE_SETS: readonly (readonly [FeatureType, InsightSet])[] = [
  ...FEATURE_TYPES.map(type => [type, featureSet(type)] as const),
  ['crash', CRASH_PAGES],
];

/** Reporters of TLS sessions. Those of DMARC already have rollups for clients. */
export const TLS_REPORTERS: InsightSet = {
  name: 'insights REPORTER',
  dimensions: [dimension('tls_rpt', 'REPORTER')!],
  least: 1,
};

/**
 * An hour of a value, as a JSON list: its number since 1970, reports, count, and the seconds of the first and last
 * report.
 */
export const HOUR_LIST = (() => {
  const parts = [
    `${toSeconds('first_seen')} / 3600`,
    'reports',
    'count',
    `${toSeconds('first_seen')} % 3600`,
    `${toSeconds('last_seen')} % 3600`,
  ];
  return `'[' || ${parts.join(` || ',' || `)} || ']'`;
})();

const FURTHER: Partial<Record<ReportType, readonly InsightSet[]>> = {
  tls_rpt: [TLS_FAILURES, TLS_SESSIONS, TLS_REPORTERS],
  certificate_transparency: [CERTIFICATES],
  csp_integrity: [SCRIPTS],
  dmarc: [AUTHENTICATION],
  ...Object.fromEntries(
    FEATURE_TYPES.map(type => [type, FEATURE_SETS.filter(([of]) => of === type).map(([, own]) => own)]),
  ),
};

export function insightSets(type: ReportType): readonly InsightSet[] {
  const hourly = (INSIGHT_SETS as Partial<Record<ReportType, Record<string, InsightSet>>>)[type];
  return [...(hourly ? Object.values(hourly) : [ALL_HOURS]), ...(FURTHER[type] ?? [])];
}

/**
 * A report's row of values for each grouping: its name, three values, whether it counts, the minimum, and the
 * contribution.
 * @param columnOf the column with an expression's precomputed value
 * @param isDetailed whether details are stored for the reports of this group
 */
export function listWays(
  {
    name,
    nameOfTooMany,
    dimensions,
    only,
    least = 1,
    weight = 'count',
  }: DailySet & Partial<InsightSet & DetailSet>,
  columnOf = (expression: string) => expression,
  isDetailed = 'true',
): string {
  const values = [0, 1, 2].map(place => {
    const dimension = dimensions[place];
    return dimension ? columnOf(`coalesce(${dimension.formatValue(`(${dimension.expression})`)}, '')`) : `''`;
  });
  if (nameOfTooMany !== undefined) {
    const way = `case when ${isDetailed} then '${name}' else '${nameOfTooMany}' end`;
    return `(${way}, case when ${isDetailed} then ${values[0]} else '' end, '', '', ${isDetailed}, ${least}, ${columnOf(weight)})`;
  }
  const isCounted = only ? columnOf(`coalesce(${only}, false)`) : 'true';
  return `('${name}', ${values.join(', ')}, ${isCounted}, ${least}, ${columnOf(weight)})`;
}

/** The columns of such rows. */
export const WAY_COLUMNS = '(way, v1, v2, v3, is_counted, least, weight)';
