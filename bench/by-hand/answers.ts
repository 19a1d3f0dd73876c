import { createHash } from 'node:crypto';
import { REST_REPORT_TYPES, type ReportType } from '@sightline/reports';
import type { Sql } from 'postgres';
import { dayTotals, directiveTotals } from '../../sql/analytics.ts';
import { auditEvents } from '../../sql/audit.ts';
import type { FilterValues } from '../../sql/report/filter.ts';
import { REPORT_FILTERS } from '../../sql/report/filters.ts';
import { reports as reportsQuery } from '../../sql/reports.ts';
import { listFindings, watches } from '../../sql/watches.ts';
import { toStatement } from '../statements.ts';
import { type KeyHolder, literal } from './connect.ts';

/** The hand-written routes: each sends a statement and converts its rows to a body. */

const DAY = 86_400_000;
const TRIAL = 30 * DAY;
const LIST = { prepare: true } as const;

// biome-ignore lint/suspicious/noExplicitAny: rows as the driver has them
type Row = any;
const NOBODY = '' as KeyHolder['account_id'];
const NO_DAYS = { from: '', to: '' };

const counts = ({ status }: KeyHolder) => status === 'active' || status === 'past_due';

export function mayAsk(holder: KeyHolder): boolean {
  if (counts(holder) && (holder.tier === 'business' || holder.tier === 'enterprise')) return true;
  const created = holder.created_at;
  return Date.now() < Date.parse(`${created.slice(0, 10)}T${created.slice(11, -3)}Z`) + TRIAL;
}

const dayText = (time: number) => new Date(time).toISOString().slice(0, 10);
const instant = (text: string) => `${text.slice(0, 10)}T${text.slice(11, 19)}+00:00`;

export function me({ type, email, account_id, team_name }: KeyHolder) {
  return type === 'personal' ? { type, email } : { type, teamId: account_id, teamName: team_name };
}

export function plan(holder: KeyHolder) {
  const { features } = holder;
  return {
    plan: holder.plan,
    name: holder.plan_name,
    status: holder.status,
    reportQuota: holder.report_quota,
    collectHosts: holder.collect_hosts,
    dataRetentionDays: holder.data_retention_days,
    features: {
      support: features.support,
      teams: features.teams,
      blockedWatch: features.blockedWatch,
      webhooks: features.webhooks,
      clientReputationFilter: features.clientReputationFilter,
      threatIntelligence: features.threatIntelligence,
      integrityFeatures: features.integrityFeatures,
      pciDss: features.pciDss,
      wildcardDomains: features.wildcardDomains,
    },
  };
}

const WEEK = toStatement(db => dayTotals(db, [], NO_DAYS)).text;
const NO_REPORTS = Object.fromEntries(REST_REPORT_TYPES.map(type => [type, 0]));

export async function week(sql: Sql, { account_id }: KeyHolder) {
  const today = Math.floor(Date.now() / DAY) * DAY;
  const days = new Map<string, Row>();
  for (let time = today - 6 * DAY; time <= today; time += DAY) {
    const date = dayText(time);
    days.set(date, { date, ...NO_REPORTS });
  }
  const parameters = [`{${account_id}}`, dayText(today - 6 * DAY), dayText(today)];
  for (const { day, type, total } of await sql.unsafe<Row[]>(WEEK, parameters, LIST)) {
    if (type in NO_REPORTS) days.get(day)[type] = total;
  }
  return { days: [...days.values()] };
}

const GRAPH = toStatement(db => directiveTotals(db, NOBODY, 'csp', NO_DAYS)).text;
const MONTHS = new Set([3, 6, 12]);

/** Supports only months, which is what is measured. */
export async function graph(sql: Sql, holder: KeyHolder, { unit, amount }: { unit: string; amount: string }) {
  const months = Number(amount);
  if (unit !== 'months' || !MONTHS.has(months) || !counts(holder) || holder.tier === 'free') return undefined;
  const now = new Date();
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() - months];
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const from = Date.UTC(year, month, Math.min(now.getUTCDate(), length)) + DAY;
  const today = Math.floor(now.getTime() / DAY) * DAY;
  const parameters = [holder.account_id, 'csp', dayText(from), dayText(today)];
  const days = new Map<string, Row[]>();
  for (const row of await sql.unsafe<Row[]>(GRAPH, parameters, LIST)) {
    const existing = days.get(row.day);
    if (existing) existing.push(row);
    else days.set(row.day, [row]);
  }
  const periods = [];
  for (let time = from; time <= today; time += DAY) {
    const date = dayText(time);
    periods.push({ date, ...countAll(days.get(date) ?? []) });
  }
  return { type: 'csp', unit, amount: months, periods };
}

function countAll(rows: Row[]) {
  const directives: Record<string, number> = {};
  let [total, unknown] = [0, 0];
  for (const row of rows) {
    total += row.total;
    if (row.directive === '' || row.directive === 'unknown') unknown += row.total;
    else directives[row.directive] = row.total;
  }
  directives.unknown = unknown;
  return { total, directives };
}

const DATE = /^\d{4}-\d\d(-\d\d)?$/;
const CAP = 1000;

/** Returns the reports of a day or a month, the units that are measured. */
export async function reports(sql: Sql, holder: KeyHolder, type: string, query: Record<string, string>) {
  const { unit, date, ...others } = query;
  const record = RECORDS.get(type);
  if (!record || !unit || !date || !DATE.test(date)) return undefined;
  const start = new Date(unit === 'months' ? `${date}-01T00:00:00Z` : `${date}T00:00:00Z`);
  if (Number.isNaN(start.getTime()) || !start.toISOString().startsWith(date)) return undefined;
  const end =
    unit === 'months' ? Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1) : start.getTime() + DAY;
  const oldest = (Math.floor(Date.now() / DAY) - holder.data_retention_days) * DAY;
  const from = Math.max(start.getTime(), oldest);
  if (from >= end || from > Date.now()) return { reports: [], truncated: false };
  const filters = listFilters(others);
  const { text, parameters } = toStatement(db =>
    reportsQuery(db, {
      account: holder.account_id,
      type: type as ReportType,
      from: new Date(from).toISOString(),
      until: new Date(end).toISOString(),
      filters,
      threatIntelligence: counts(holder) && holder.features.threatIntelligence,
      isPlain: true,
      limit: CAP,
    }),
  );
  const rows = await sql.unsafe<Row[]>(text, parameters.map(literal), LIST);
  const truncated = rows.length > CAP;
  return { reports: (truncated ? rows.slice(0, CAP) : rows).map(record), truncated };
}

const LISTS = new Set(['hosts', 'paths', 'hashes']);

function listFilters(query: Record<string, string>): FilterValues {
  const values: Record<string, string | string[]> = {};
  for (const { name, kind } of REPORT_FILTERS) {
    const text = query[name];
    if (text !== undefined) values[name] = LISTS.has(kind) ? text.split(',') : text;
  }
  return values;
}

function csp(row: Row) {
  return {
    action: row.action,
    date: instant(row.date),
    uri: row.uri,
    directive: row.directive,
    blockedUri: row.blockedUri,
    raw: row.raw,
    count: row.count,
    browser: row.browser,
    platform: row.platform,
    generatedDomain: row.generatedDomain,
    indicatorOfCompromise: row.indicatorOfCompromise,
    recentlyRegisteredDomain: row.recentlyRegisteredDomain,
    lowReputationDomain: row.lowReputationDomain,
    policyIocHosts: row.policyIocHosts,
    policyConcernHosts: row.policyConcernHosts,
    suspicious: row.suspicious,
  };
}

function nel({ extra, ...row }: Row) {
  return {
    id: row.id,
    date: instant(row.date),
    uri: row.uri,
    raw: row.raw,
    count: row.count,
    browser: row.browser,
    platform: row.platform,
    nelType: row.nelType,
    phase: row.phase,
    protocol: extra?.protocol ?? '',
    method: extra?.method ?? '',
    statusCode: extra?.statusCode ?? 0,
    serverIp: extra?.serverIp ?? '',
    referrer: extra?.referrer ?? '',
    elapsedTime: extra?.elapsedTime ?? null,
    samplingFraction: extra?.samplingFraction ?? null,
    organisation: row.organisation,
  };
}

const existing = (text: string | undefined) => (text ? instant(text) : null);

function dmarc({ extra, ...row }: Row) {
  const { publishedPolicy: policy = {}, ...kept } = extra ?? {};
  return {
    id: row.id,
    date: instant(row.date),
    raw: row.raw,
    count: row.count,
    domain: kept.domain ?? '',
    headerFrom: kept.headerFrom ?? '',
    envelopeFrom: kept.envelopeFrom ?? '',
    envelopeTo: kept.envelopeTo ?? '',
    sourceIp: kept.sourceIp ?? '',
    sourceHostname: kept.sourceHostname ?? '',
    organisation: row.organisation,
    asn: kept.asn ?? null,
    country: kept.country ?? '',
    disposition: row.disposition,
    dkim: kept.dkim ?? '',
    spf: kept.spf ?? '',
    aligned: kept.aligned ?? false,
    overrideReasons: (kept.overrideReasons ?? []).map(({ type = '', comment = '' }: Row) => ({
      type,
      comment,
    })),
    dkimResults: (kept.dkimResults ?? []).map(
      ({ domain = '', selector = '', result = '', humanResult = '' }: Row) => ({
        domain,
        selector,
        result,
        humanResult,
      }),
    ),
    spfResults: (kept.spfResults ?? []).map(
      ({ domain = '', scope = '', result = '', humanResult = '' }: Row) => ({
        domain,
        scope,
        result,
        humanResult,
      }),
    ),
    publishedPolicy: {
      p: policy.p ?? '',
      sp: policy.sp ?? '',
      np: policy.np ?? '',
      adkim: policy.adkim ?? '',
      aspf: policy.aspf ?? '',
      fo: policy.fo ?? '',
      pct: policy.pct ?? null,
      testing: policy.testing ?? '',
      discoveryMethod: policy.discoveryMethod ?? '',
    },
    reporter: kept.reporter ?? '',
    reporterEmail: kept.reporterEmail ?? '',
    reportId: kept.reportId ?? '',
    generator: kept.generator ?? '',
    beginDate: existing(kept.beginDate),
    endDate: existing(kept.endDate),
  };
}

const RECORDS = new Map<string, (row: Row) => object>([
  ['csp', csp],
  ['nel', nel],
  ['dmarc', dmarc],
]);

const WATCHES = toStatement(db => watches(db, [])).text;

export async function watched(sql: Sql, { account_id }: KeyHolder, { product }: { product: string }) {
  const rows = await sql.unsafe<Row[]>(WATCHES, [`{${account_id}}`], LIST);
  return {
    watches: rows
      .filter(row => row.product === product)
      .map(row => ({
        site: row.site,
        emailAlertsEnabled: row.emailAlertsEnabled,
        webhookEnabled: row.webhookEnabled,
        webhookTarget: row.webhookTarget,
        alertThreshold: row.alertThreshold,
      })),
  };
}

const FINDINGS = toStatement(db =>
  listFindings(db, { account_id: NOBODY, product: 'script', siteKey: '' }),
).text;

export async function findings(
  sql: Sql,
  { account_id }: KeyHolder,
  { product, domain }: { product: string; domain: string },
) {
  const parameters = [account_id, product, domain.toLowerCase()];
  const rows = await sql.unsafe<Row[]>(FINDINGS, parameters, LIST);
  if (rows.length === 0) return undefined;
  return {
    findings: rows.map((row: Row) => ({
      uri: row.subject,
      count: row.count,
      firstSeen: instant(row.firstSeen),
      lastSeen: instant(row.lastSeen),
      source: row.source,
    })),
  };
}

const FIRST_PAGE = toStatement(db => auditEvents(db, NOBODY, null, 1)).text;
const NEXT_PAGE = toStatement(db => auditEvents(db, NOBODY, { timestamp: '', id: '' }, 1)).text;

export interface AuditQuery {
  limit?: string;
  cursor?: string;
}

export async function audit(sql: Sql, { account_id }: KeyHolder, { limit = '', cursor }: AuditQuery) {
  const number = /^\d+$/.test(limit) ? Number(limit) : CAP;
  const size = number >= 1 ? Math.min(number, CAP) : CAP;
  const after = cursor === undefined ? [] : JSON.parse(Buffer.from(cursor, 'base64url').toString()).slice(2);
  const parameters = [account_id, size + 1, ...after];
  const rows = await sql.unsafe<Row[]>(cursor === undefined ? FIRST_PAGE : NEXT_PAGE, parameters, LIST);
  const truncated = rows.length > size;
  const events = truncated ? rows.slice(0, size) : rows;
  const last = events.at(-1);
  return {
    events: events.map(event),
    nextCursor: truncated ? cursorBehind(account_id, last) : null,
    truncated,
  };
}

function cursorBehind(account: string, { timestamp, id }: Row): string {
  const mark = createHash('sha256').update(JSON.stringify([account, timestamp, id]));
  const parts = ['1', mark.digest('base64url').slice(0, 12), timestamp, id];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

function event(row: Row) {
  return {
    timestamp: instant(row.timestamp),
    event: row.event,
    message: row.message,
    loggedById: row.loggedById,
    loggedByEmail: row.loggedByEmail,
    requestIp: row.requestIp,
  };
}

const EVERYTHING = 1_000_000_000;

/** Streams all audit events, newest first, through a cursor. */
export async function* trail(sql: Sql, { account_id }: KeyHolder) {
  const pages = sql.unsafe<Row[]>(FIRST_PAGE, [account_id, EVERYTHING], LIST).cursor(CAP);
  for await (const rows of pages) if (rows.length > 0) yield rows.map(event);
}
