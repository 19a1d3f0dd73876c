import type { ReportType } from '@sightline/reports';
import { foldWhiteSpace } from '@sightline/reports';
import { anyPattern, findExactValue } from './address-patterns.ts';
import type { FilterValues, ReportFilter } from './filter.ts';
import { listFilters } from './filters.ts';
import { anyOf, type Bind, type ComparedColumn, equal } from './indexed-values.ts';
import { equalDigest } from './policy-digests.ts';
import { reportKey } from './report-key.ts';

/** Any threat flag; must equal the predicate of the partial index `report_threat`. */
export const ANY_FLAG = `(generated_domain or indicator_of_compromise or recently_registered_domain or low_reputation_domain
  or suspicious or policy_ioc_hosts is not null or policy_concern_hosts is not null)`;

/** Reports of a type that match filters. */
export interface FilteredReports {
  type: ReportType;
  filters: FilterValues;
  /** Excludes reports that match any of these. A missing value does not match. */
  not?: FilterValues | null | undefined;
}

interface WrittenConditions extends FilteredReports {
  conditions: readonly string[];
}

const written = new WeakMap<Bind, WrittenConditions[]>();

/**
 * The conditions of a query's filters. `bind` adds a parameter and returns its placeholder; $1 is the account. If a
 * statement needs them again, they refer to the same parameters, which can be long.
 */
export function filterConditions(reports: FilteredReports, bind: Bind): readonly string[] {
  const { type, filters, not } = reports;
  const all = written.get(bind) ?? [];
  const existing = all.find(one => one.type === type && one.filters === filters && one.not === not);
  if (existing) return existing.conditions;
  const found = writeConditions(reports, bind, equal);
  written.set(bind, [...all, { type, filters, not, conditions: found }]);
  return found;
}

/** The conditions of a query's filters for rows of details, whose column `policy` contains a digest. */
export function detailConditions(reports: FilteredReports, bind: Bind): readonly string[] {
  const { filters, not } = reports;
  const isDifferent = [filters, not].some(values => values?.policy !== undefined);
  return isDifferent ? writeConditions(reports, bind, equalDigest) : filterConditions(reports, bind);
}

/**
 * Conditions on the JSON text of rows of details that every match fulfils. They skip most rows of a rare value, and
 * take a tenth of the time of reading the JSON.
 */
export function detailTextConditions({ type, filters }: FilteredReports, text: string, bind: Bind): string[] {
  return listApplied(type, filters)
    .map(filter => findDetailText(filter, filters[filter.name]!))
    .filter(found => found !== undefined)
    .map(found => `position(${bind(found)} in ${text}) > 0`);
}

/** Returns a text that the JSON of every match contains; undefined without such a text. */
function findDetailText(
  { kind, column }: ReportFilter,
  value: NonNullable<FilterValues[string]>,
): string | undefined {
  if (kind === 'flag') return `"${column}": true`;
  if (kind === 'atMost') return `"${column}": `;
  const list = Array.isArray(value) ? (value as readonly string[]) : [];
  if (kind === 'hosts' || kind === 'paths') return toJson(findExactValue(kind, list));
  return kind === 'hashes' && list.length === 1 ? toJson(list[0]) : undefined;
}

/** PostgreSQL escapes the same characters as JavaScript, and contains no lone surrogates. */
const toJson = (value: string | undefined) => value && JSON.stringify(value.toWellFormed());

/** Compares a column with a policy. */
type ComparePolicy = (compared: ComparedColumn, policy: string, bind: Bind) => string;

function writeConditions(
  { type, filters, not }: FilteredReports,
  bind: Bind,
  comparePolicy: ComparePolicy,
): string[] {
  const excluded = not ? conditions(type, not, bind, comparePolicy) : [];
  return [
    ...conditions(type, filters, bind, comparePolicy),
    ...excluded.map(condition => `not coalesce((${condition}), false)`),
  ];
}

/** Returns SQL expressions that read the same columns as the conditions of these filters. */
export function listFilterExpressions({ type, filters, not }: FilteredReports): string[] {
  return [filters, not ?? {}].flatMap(values => {
    const first = Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.slice(0, 1) : value,
    ]);
    return conditions(type, Object.fromEntries(first), () => '$1', equal);
  });
}

/** The conditions of the given filters that apply to the type. */
function conditions(
  type: ReportType,
  values: FilterValues,
  bind: Bind,
  comparePolicy: ComparePolicy,
): string[] {
  return listApplied(type, values).map(filter =>
    condition(type, filter, values[filter.name]!, bind, comparePolicy),
  );
}

/** Returns the given filters of a type, without those that another one replaces. */
function listApplied(type: ReportType, values: FilterValues): ReportFilter[] {
  const given = listFilters(type).filter(({ name, kind }) => isGiven(kind, values[name]));
  const any = given.some(({ kind }) => kind === 'anyFlag');
  return given.filter(({ kind, threatIntelligence }) => !any || kind === 'anyFlag' || !threatIntelligence);
}

function isGiven(kind: ReportFilter['kind'], value: FilterValues[string]): boolean {
  return value !== undefined && value !== null && (value !== false || kind === 'boolean');
}

function condition(
  type: ReportType,
  { kind, column }: ReportFilter,
  value: NonNullable<FilterValues[string]>,
  bind: Bind,
  comparePolicy: ComparePolicy,
): string {
  switch (kind) {
    case 'hosts':
      return hostCondition(type, column, value as string[], bind);
    case 'paths':
      return anyPattern({ kind, column }, value as string[], bind);
    case 'hashes':
      return anyOf({ kind, column }, value as string[], bind);
    case 'equals':
      return column === 'id'
        ? idCondition(type, bind(value as string))
        : equal({ kind, column }, value as string, bind);
    case 'policy':
      return comparePolicy({ kind, column }, foldWhiteSpace(value as string), bind);
    case 'contains':
      return `position(lower(${bind(value as string)}) in lower(${column})) > 0`;
    case 'atMost':
      return `${column} <= ${bind(value as number)}`;
    case 'boolean':
      return value ? column : `not ${column}`;
    case 'classes':
      return `${column} = any(${bind(value as string[])}::text[])`;
    case 'details':
      return detailCondition(column, bind(value as string));
    case 'flag':
      return column;
    case 'anyFlag':
      return ANY_FLAG;
  }
}

/** The locator has the dates of an id, so that the rest of the period is not read. $1 is the account. */
function idCondition(type: ReportType, value: string): string {
  const id = `(${value} collate "C")`;
  const key = reportKey({ account: '$1', type: `'${type}'`, id });
  const dates = `select date from report_locator where account_id = $1 and key = ${key}`;
  return `(lower(id) = lower(${id}) and date = any(array(${dates})))`;
}

function detailCondition(name: string, value: string): string {
  const details = `jsonb_array_elements(extra->'failureDetails')`;
  return `exists (select from ${details} as detail where lower(detail->>'${name}') = lower(${value}))`;
}

/** A certificate has several host names, any of which can match. */
function hostCondition(type: ReportType, column: string, hosts: readonly string[], bind: Bind): string {
  if (type !== 'certificate_transparency') return anyPattern({ kind: 'hosts', column }, hosts, bind);
  return `exists (select from unnest(hosts_reversed) as host where ${anyPattern({ kind: 'hosts', column: 'host' }, hosts, bind)})`;
}
