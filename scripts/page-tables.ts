import { NOISE, REPORT_TYPES, type ReportType, reportType, SOURCE_CLASSES } from '@sightline/reports';
import { filterOfGroups, findField, listDimensions } from '../sql/report/dimensions.ts';
import type { FilterKind } from '../sql/report/filter.ts';
import { listFilters } from '../sql/report/filters.ts';

/** The kinds of values for which the page has a dedicated field. All others are text fields. */
const KINDS: Readonly<Partial<Record<FilterKind, string>>> = {
  hosts: 'list',
  paths: 'list',
  hashes: 'list',
  classes: 'list',
  atMost: 'number',
  flag: 'yesNo',
  anyFlag: 'yesNo',
  boolean: 'yesNo',
};

const HEAD = `// Printed by \`npm run codegen\` from sql/report. Changes here are overwritten.
import type { GroupBy, ReportTypeName } from './documents/documents.generated.ts';
`;

/**
 * Prints the page's tables of filters and of repeated variables.
 * @param most maximum number of tables in a view
 */
export function pageTables(most: number): string {
  const names = Array.from({ length: most }, (_, place) => `table${place}`);
  const all = REPORT_TYPES.flatMap(listFilters);
  const kinds = Object.fromEntries(
    all.flatMap(({ name, kind }) => (KINDS[kind] ? [[name, KINDS[kind]]] : [])),
  );
  return [
    HEAD,
    `/** The fields of the tables of a view. */`,
    `export const TABLES = ${json(names)} as const;`,
    `export type Table = (typeof TABLES)[number];\n`,
    `/** The source classes that say nothing about a site. */`,
    `export const NOISE = ${json(NOISE)} as const;`,
    `export const isNoise = (name: string): boolean => (NOISE as readonly string[]).includes(name);\n`,
    `export type FilterKind = 'list' | 'number' | 'text' | 'yesNo';\n`,
    `/** The kinds of filters that take no text. */`,
    `export const FILTER_KINDS: Readonly<Record<string, FilterKind>> = ${json(kinds)};\n`,
    `/** The filters of each type. */`,
    `export const FILTERS_BY_TYPE: ${byType('readonly string[]')} = ${json(ofEach(listNames))};\n`,
    `/** The field of reports that a dimension groups by. */`,
    `export const FIELDS_BY_GROUP: Readonly<Record<GroupBy, string>> = ${json(fieldsByGroup())};\n`,
    `/** The filter that picks the reports of a group. */`,
    `export const FILTERS_BY_GROUP: ${byType('Partial<Record<GroupBy, string>>')} = ${json(ofEach(toGroups))};\n`,
    `/** The values of filters that take no others. */`,
    `export const FILTER_VALUES: ${byType('Record<string, readonly string[]>')} = ${json(ofEach(listValues))};\n`,
  ].join('\n');
}

const json = (value: unknown) => JSON.stringify(value, null, 1);
const byType = (value: string) => `Readonly<Record<ReportTypeName, ${value}>>`;

function ofEach<Value>(getValue: (type: ReportType) => Value): Record<string, Value> {
  return Object.fromEntries(REPORT_TYPES.map(type => [type, getValue(type)]));
}

const fieldsByGroup = () =>
  Object.fromEntries(REPORT_TYPES.flatMap(listDimensions).map(({ name }) => [name, findField(name)]));

const listNames = (type: ReportType) => listFilters(type).map(({ name }) => name);

function toGroups(type: ReportType): Record<string, string> {
  const pairs = listDimensions(type).map(one => [one.name, filterOfGroups(type, one)] as const);
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

function listValues(type: ReportType): Record<string, readonly string[]> {
  const { fields } = reportType(type);
  const existing = listFilters(type).map(({ name, kind, field = name }) => {
    const values = fields.find(one => one.name === field)?.values;
    return [name, kind === 'classes' ? SOURCE_CLASSES : values] as const;
  });
  return Object.fromEntries(
    existing.filter((pair): pair is [string, readonly string[]] => pair[1] !== undefined),
  );
}
