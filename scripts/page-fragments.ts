import { type ReportType, reportType } from '@sightline/reports';
import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
} from 'graphql';

/** The columns of each type's table, by field of the record. */
type Columns = readonly { type: ReportType; columns: readonly string[] }[];

/**
 * Prints the GraphQL fragments that list every report type: the volume of a day, the columns of a table, and all fields
 * of a record. They are generated from the schema and from the page's columns.
 */
export function reportFragments(schema: GraphQLSchema, views: Columns): string {
  const report = schema.getType('Report') as GraphQLInterfaceType;
  const common = Object.keys(report.getFields());
  const columns = new Map(views.map(({ type, columns }) => [reportType(type).typeName, columns]));
  const ofEach = (selected: (type: GraphQLObjectType) => readonly string[]) =>
    schema.getPossibleTypes(report).map(type => `... on ${type.name} { ${selected(type).join(' ')} }`);
  return `
    fragment DayVolume on DayTotals { ${readAll(schema.getType('DayTotals') as GraphQLObjectType).join(' ')} }
    fragment ReportColumns on Report { ${ofEach(({ name }) => columns.get(name) ?? []).join(' ')} }
    fragment ReportFields on Report { ${ofEach(type => readAll(type, common)).join(' ')} }
  `;
}

function readAll(type: GraphQLObjectType, but: readonly string[] = []): string[] {
  return Object.values(type.getFields())
    .filter(({ name }) => !but.includes(name))
    .map(getSelection);
}

function getSelection({ name, type }: GraphQLField<unknown, unknown>): string {
  const named = getNamedType(type);
  return isObjectType(named) ? `${name} { ${readAll(named).join(' ')} }` : name;
}
