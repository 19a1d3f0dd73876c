import { HOURS_PER_DAY, type ReportType, reportType, SECONDS_PER_DAY } from '@sightline/reports';
import { type FeatureDay, featureDays } from '../../sql/insights/features.ts';
import {
  CRASH_PAGES,
  FEATURE_SETS,
  type FeatureType,
  type InsightSet,
} from '../../sql/report/insight-sets.ts';
import { RULES } from '../insight-rules.ts';
import { type InsightCandidate, moment, plural, shortenText } from './candidate.ts';
import { groupBy } from './group-by.ts';
import { type InsightScope, LEARNING_DAYS, toWindow, USUAL_DAYS } from './scope.ts';
import { findDaySpike } from './series.ts';

/** The days of a feature, message, reason or page. */
interface Feature {
  type: FeatureType;
  set: InsightSet;
  days: readonly FeatureDay[];
}

/** Finds new features, and features with an unusual number of reports in a day that no single hour shows. */
export async function featureInsights(
  scope: InsightScope,
  types: ReadonlySet<ReportType>,
): Promise<InsightCandidate[]> {
  const window = toWindow(scope, USUAL_DAYS);
  const since = Math.floor(Date.parse(window.since) / 1000 / SECONDS_PER_DAY);
  const found = await Promise.all(
    FEATURE_SETS.filter(([type]) => types.has(type)).map(async ([type, set]) => {
      const all = await featureDays(scope.database, type, set, window);
      const began = Math.min(...all.map(({ day }) => day));
      return [...groupBy(all, ({ feature }) => feature).values()].flatMap(days => {
        const feature = { type, set, days };
        return newDraft(feature, since, began) ?? findSpike(feature, since, began) ?? [];
      });
    }),
  );
  return withoutExplained(found.flat());
}

/** Drops insights about crash reasons that an insight about a page explains. */
function withoutExplained(drafts: readonly InsightCandidate[]): InsightCandidate[] {
  const pages = drafts.filter(({ reports }) => reports?.type === 'crash' && reports.filters.hostnames);
  return drafts.filter(
    one =>
      one.reports?.type !== 'crash' ||
      pages.includes(one) ||
      !pages.some(page => page.first <= one.last && page.last >= one.first && 2 * page.count >= one.count),
  );
}

function newDraft(feature: Feature, since: number, began: number): InsightCandidate | undefined {
  const { type, days } = feature;
  const [{ day, feature: name, first, browser }] = days as readonly [FeatureDay];
  const reports = days.reduce((sum, one) => sum + one.reports, 0);
  if (day < Math.max(since, began + LEARNING_DAYS) || reports < RULES.newFeature.reports) return undefined;
  return {
    ...draft(feature, reports, 0),
    kind: 'newFeature',
    title: `${reportType(type).label}: ${shortenText(name)} is reported for the first time`,
    detail: `${plural(reports, 'report')} since ${moment(first)}, most by ${shortenText(browser) || 'an unknown browser'}. ${getCause(type)}`,
  };
}

const getCause = (type: FeatureType) =>
  type === 'connection_allowlist'
    ? 'The site may have a new connection, or a script sends data there that nobody added.'
    : 'A new release of a browser or of the site may cause it.';

function findSpike(feature: Feature, since: number, began: number): InsightCandidate | undefined {
  const { type, days } = feature;
  const [{ feature: name }] = days as readonly [FeatureDay];
  const hours = days.map(one => ({ ...one, hour: one.day * HOURS_PER_DAY, count: one.reports }));
  const spike = findDaySpike({ values: [name, ''], hours }, began * HOURS_PER_DAY, since * HOURS_PER_DAY);
  if (!spike) return undefined;
  const { count, baseline, first } = spike;
  const run = { ...feature, days: days.filter(one => one.first >= first && one.first <= spike.last) };
  return {
    ...draft(run, count, baseline),
    kind: 'spike',
    title: `Spike of ${reportType(type).label} reports of ${shortenText(name)}`,
    detail: `${plural(count, 'report')} since ${moment(first)}, where ${Math.round(baseline)} are usual, most by ${shortenText(run.days[0]!.browser) || 'an unknown browser'}.`,
  };
}

/** Returns the filters that find the reports of a feature. */
function toFilters({ type, set, days }: Feature): Record<string, string> {
  const [{ feature: name }] = days as readonly [FeatureDay];
  if (set === CRASH_PAGES) {
    const at = name.indexOf('/');
    return at < 0 ? { hostnames: name } : { hostnames: name.slice(0, at), paths: name.slice(at) };
  }
  if (type === 'crash') return { reason: name };
  if (type === 'permissions_policy') return { property: name };
  if (type === 'connection_allowlist') return { blockedHostnames: name };
  // Messages contain spaces, identifiers do not.
  return /\s/.test(name) ? { message: name } : { featureId: name };
}

function draft(feature: Feature, count: number, baseline: number) {
  const { type, set, days } = feature;
  const [{ feature: name, first }] = days as readonly [FeatureDay];
  return {
    severity: 'change' as const,
    subject: name,
    key: `${type} ${set === CRASH_PAGES ? 'page ' : ''}${name}`,
    first,
    last: Math.max(...days.map(one => one.last)),
    count,
    baseline,
    reports: { type, filters: toFilters(feature) },
    hosts: type === 'connection_allowlist' ? [name] : [],
    rank: count - baseline,
  };
}
