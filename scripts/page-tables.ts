import { REPORT_TYPES, type ReportType, reportType } from '@sightline/reports';
import { NOISE, SOURCE_CLASSES } from '@sightline/reports/source-classes';
import { dimensionsOf, fieldOf, filterOfGroups } from '../sql/report/dimensions.ts';
import type { FilterKind } from '../sql/report/filter.ts';
import { filtersOf } from '../sql/report/filters.ts';

/** The kinds of values, as the page has a field for each; others are texts. */
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

/** Prints the page's tables of filters and of what its documents repeat. @param most tables of a view */
export function pageTables(most: number): string {
  const names = Array.from({ length: most }, (_, place) => `table${place}`);
  const all = REPORT_TYPES.flatMap(filtersOf);
  const kinds = Object.fromEntries(
    all.flatMap(({ name, kind }) => (KINDS[kind] ? [[name, KINDS[kind]]] : [])),
  );
  return [
    HEAD,
    `/** The fields of the tables of a view. */`,
    `export const TABLES = ${json(names)} as const;`,
    `export type Table = (typeof TABLES)[number];\n`,
    `/** The source classes that tell nothing of a site. */`,
    `export const NOISE = ${json(NOISE)} as const;`,
    `export const isNoise = (name: string): boolean => (NOISE as readonly string[]).includes(name);\n`,
    `export type FilterKind = 'list' | 'number' | 'text' | 'yesNo';\n`,
    `/** The kinds of filters that take no text. */`,
    `export const FILTER_KINDS: Readonly<Record<string, FilterKind>> = ${json(kinds)};\n`,
    `/** The filters of each type. */`,
    `export const FILTERS_BY_TYPE: ${byType('readonly string[]')} = ${json(ofEach(namesOf))};\n`,
    `/** The field of reports that a dimension groups by. */`,
    `export const FIELDS_BY_GROUP: Readonly<Record<GroupBy, string>> = ${json(fieldsByGroup())};\n`,
    `/** The filter that picks the reports of a group. */`,
    `export const FILTERS_BY_GROUP: ${byType('Partial<Record<GroupBy, string>>')} = ${json(ofEach(groupsOf))};\n`,
    `/** The values of filters that take no others. */`,
    `export const FILTER_VALUES: ${byType('Record<string, readonly string[]>')} = ${json(ofEach(valuesOf))};\n`,
  ].join('\n');
}

const json = (value: unknown) => JSON.stringify(value, null, 1);
const byType = (value: string) => `Readonly<Record<ReportTypeName, ${value}>>`;

function ofEach<Value>(tell: (type: ReportType) => Value): Record<string, Value> {
  return Object.fromEntries(REPORT_TYPES.map(type => [type, tell(type)]));
}

const fieldsByGroup = () =>
  Object.fromEntries(REPORT_TYPES.flatMap(dimensionsOf).map(({ name }) => [name, fieldOf(name)]));

const namesOf = (type: ReportType) => filtersOf(type).map(({ name }) => name);

function groupsOf(type: ReportType): Record<string, string> {
  const pairs = dimensionsOf(type).map(one => [one.name, filterOfGroups(type, one)] as const);
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

function valuesOf(type: ReportType): Record<string, readonly string[]> {
  const { fields } = reportType(type);
  const known = filtersOf(type).map(({ name, kind, field = name }) => {
    const values = fields.find(one => one.name === field)?.values;
    return [name, kind === 'classes' ? SOURCE_CLASSES : values] as const;
  });
  return Object.fromEntries(
    known.filter((pair): pair is [string, readonly string[]] => pair[1] !== undefined),
  );
}
