import { PRODUCTS } from '@sightline/feed';
import { REPORT_TYPES, REST_REPORT_TYPES, type ReportType } from '@sightline/reports';
import { Counter, Gauge, Registry } from 'prom-client';
import { addDays, toDay, toMonth } from '../../schema/calendar.ts';
import { getPlan, hasFeature, retentionStart } from '../../schema/entitlements.ts';
import type { Account } from '../../sql/account.ts';
import {
  firstFindings,
  lastReports,
  type MetricsPeriod,
  type NamedRow,
  namedSums,
  threats,
} from '../../sql/account-metrics.ts';
import { typeTotals } from '../../sql/analytics.ts';
import type { Database } from '../../sql/client.ts';
import { preferredType } from '../http/negotiate.ts';

/** Increment this when the same data are reported differently. */
export const METRICS_RELEASE = 'metrics-1';

/** Number of days in gauges, including today: mail providers report a day later. */
const DAYS = 7;

/** The maximum length of a reported name, in characters. */
const LONGEST = 120;

/** The label that combines everything without a time series of its own. */
const REST = 'other';

export interface MetricsForm {
  contentType: string;
  print(account: Account, database: Database, now: Date): Promise<string>;
}

type ContentType = typeof Registry.OPENMETRICS_CONTENT_TYPE | typeof Registry.PROMETHEUS_CONTENT_TYPE;

const OFFERS: readonly ContentType[] = [Registry.OPENMETRICS_CONTENT_TYPE, Registry.PROMETHEUS_CONTENT_TYPE];

/** Returns the form that the client prefers; OpenMetrics by default. */
export function metricsForm(accept: string | string[] | undefined): MetricsForm {
  const contentType = preferredType(accept, OFFERS) ?? Registry.OPENMETRICS_CONTENT_TYPE;
  return {
    contentType,
    print: async (account, database, now) => {
      const registry = new Registry<ContentType>();
      registry.setContentType(contentType);
      write(registry, account, await measure(account, database, now));
      return registry.metrics();
    },
  };
}

interface Measures {
  totals: ReadonlyMap<ReportType, number>;
  last: Awaited<ReturnType<typeof lastReports>>;
  mails: readonly NamedRow[];
  sessions: readonly NamedRow[];
  certificates: readonly NamedRow[];
  findings: Awaited<ReturnType<typeof firstFindings>>;
  /** Undefined if the plan does not include Threat Intelligence. */
  threatening: number | undefined;
}

async function measure(account: Account, database: Database, now: Date): Promise<Measures> {
  const own = account.id;
  const oldest = retentionStart(account, now).toISOString();
  const begin = `${addDays(toDay(now), 1 - DAYS)}T00:00:00.000Z`;
  // Computed on request. A response is valid until the day ends or new data arrive.
  const until = `${addDays(toDay(now), 1)}T00:00:00.000Z`;
  const week: MetricsPeriod = { account: own, from: begin > oldest ? begin : oldest, until };
  const knowsThreats = hasFeature(account, 'threatIntelligence');
  const [totals, last, mails, sessions, certificates, findings, threatening] = await Promise.all([
    typeTotals(database, [own], toMonth(now)),
    lastReports(database, { account: own, from: oldest, until }),
    namedSums(database, 'mails', week),
    namedSums(database, 'tlsSessions', week),
    namedSums(database, 'certificates', week),
    firstFindings(database, week),
    knowsThreats ? threats(database, week) : undefined,
  ]);
  const byType = new Map(totals.objects().map(({ type, total }) => [type, total]));
  return { totals: byType, last, mails, sessions, certificates, findings, threatening };
}

function write(registry: Registry<ContentType>, account: Account, measures: Measures): void {
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `sightline_account_${name}`, help, labelNames, registers: [registry] });

  const reports = new Counter({
    name: 'sightline_account_reports_total',
    help: 'Reports since the month began (UTC), by type.',
    labelNames: ['type'],
    registers: [registry],
  });
  for (const type of REPORT_TYPES) reports.inc({ type }, measures.totals.get(type) ?? 0);
  const newest = gauge('last_report_timestamp_seconds', 'Time of the newest report by type.', 'type');
  for (const { type, last } of measures.last) newest.set({ type }, last);

  const mails = gauge('mails', `Mails of ${DAYS} days, by domain and alignment.`, 'domain', 'aligned');
  for (const row of measures.mails) {
    mails.inc({ domain: getName(row), aligned: 'true' }, row.good);
    mails.inc({ domain: getName(row), aligned: 'false' }, row.bad);
  }
  const tls = gauge(
    'tls_sessions',
    `Mail sessions of ${DAYS} days, by domain and result.`,
    'domain',
    'result',
  );
  for (const row of measures.sessions) {
    tls.inc({ domain: getName(row), result: 'success' }, row.good);
    tls.inc({ domain: getName(row), result: 'failure' }, row.bad);
  }
  const issued = gauge('certificates', `Certificates of ${DAYS} days, by issuer.`, 'issuer');
  for (const row of measures.certificates) issued.inc({ issuer: getName(row) }, row.good);

  if (measures.threatening !== undefined)
    gauge('threats', `CSP reports of ${DAYS} days with a sign of a threat.`).set(measures.threatening);
  const found = gauge('new_findings', `Findings first reported by watches in ${DAYS} days.`, 'product');
  for (const product of PRODUCTS)
    found.set({ product }, measures.findings.find(one => one.product === product)?.findings ?? 0);
  const used = REST_REPORT_TYPES.reduce((sum, type) => sum + (measures.totals.get(type) ?? 0), 0);
  gauge('quota_reports', 'Monthly report quota of the plan.').set(getPlan(account).reportQuota);
  gauge('quota_used_reports', 'Reports of the month that count against the quota.').set(used);
}

/** Reported names are untrusted: their characters must not change the meaning of a line or dashboard. */
function getName({ name, isRest }: NamedRow): string {
  if (isRest) return REST;
  const plain = [...name.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()];
  return plain.length > LONGEST ? `${plain.slice(0, LONGEST - 1).join('')}…` : plain.join('');
}
