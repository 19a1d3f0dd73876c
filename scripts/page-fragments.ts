import { type ReportType, reportType } from '@sightline/reports';
import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
} from 'graphql';

/** The columns of a type's table, by field of the record. */
type Columns = readonly { type: ReportType; columns: readonly string[] }[];

/**
 * Prints the fragments of the page's documents that name every report type: the volume of a day, the columns of a
 * table, and all fields of a record. They follow from the schema and from the columns that the page shows.
 */
export function reportFragments(schema: GraphQLSchema, views: Columns): string {
  const report = schema.getType('Report') as GraphQLInterfaceType;
  const common = Object.keys(report.getFields());
  const columns = new Map(views.map(({ type, columns }) => [reportType(type).typeName, columns]));
  const ofEach = (selected: (type: GraphQLObjectType) => readonly string[]) =>
    schema.getPossibleTypes(report).map(type => `... on ${type.name} { ${selected(type).join(' ')} }`);
  return `
    fragment DayVolume on DayTotals { ${everythingOf(schema.getType('DayTotals') as GraphQLObjectType).join(' ')} }
    fragment ReportColumns on Report { ${ofEach(({ name }) => columns.get(name) ?? []).join(' ')} }
    fragment ReportFields on Report { ${ofEach(type => everythingOf(type, common)).join(' ')} }
  `;
}

function everythingOf(type: GraphQLObjectType, but: readonly string[] = []): string[] {
  return Object.values(type.getFields())
    .filter(({ name }) => !but.includes(name))
    .map(selectionOf);
}

function selectionOf({ name, type }: GraphQLField<unknown, unknown>): string {
  const named = getNamedType(type);
  return isObjectType(named) ? `${name} { ${everythingOf(named).join(' ')} }` : name;
}
