import type { ReportType } from '@sightline/reports';
import type { GraphQLNamedType } from 'graphql';
import { parameterExample } from './examples.ts';
import type { SchemaComponents } from './json-schema.ts';
import { queryParameter } from './parameters.ts';
import type { Route, RouteArgument } from './routes.ts';
import type { JsonSchema, Parameter } from './types.ts';

const PARENT = '/reports/';
const UNKNOWN_TYPE = 'Unknown report type';

/** Tells whether a route is that of one report type. */
export function isReportRoute({ template }: Route): boolean {
  return template.startsWith(PARENT);
}

/**
 * The template path over the paths of all report types. The parts that all types share are those of any type; the
 * first one has every kind of filter.
 */
export function reportTemplate(first: Route): Route {
  const { errors } = first.declared;
  return {
    ...first,
    template: `${PARENT}{type}`,
    operationId: 'listReports',
    summary: 'Reports of any type',
    description: 'Reports of one type and of one hour, day or month, newest first.',
    declared: { ...first.declared, errors: { ...errors, 404: [UNKNOWN_TYPE] } },
  };
}

/** The type, and every filter of every type, with what it applies to. */
export function templateParameters(
  routes: readonly Route[],
  typeName: GraphQLNamedType,
  schemas: SchemaComponents,
): Parameter[] {
  const byType = routes.map(({ template, query }): [ReportType, RouteArgument[]] => [
    template.slice(PARENT.length) as ReportType,
    query,
  ]);
  return [typeParameter(typeName, schemas), ...mergedParameters(byType, schemas)];
}

export function typeParameter(typeName: GraphQLNamedType, schemas: SchemaComponents): Parameter {
  return {
    name: 'type',
    in: 'path',
    description: 'A report type of `/v1/report-types`.',
    required: true,
    schema: { ...schemas.reference(typeName) },
    example: 'csp',
  };
}

/** Each parameter of any type once, with the types that it applies to. */
export function mergedParameters(
  byType: readonly (readonly [ReportType, readonly RouteArgument[]])[],
  schemas: SchemaComponents,
): Parameter[] {
  const byName = new Map<string, { types: string[]; printed: Parameter[] }>();
  for (const [type, query] of byType) {
    for (const argument of query) {
      const known = byName.get(argument.name) ?? { types: [], printed: [] };
      known.types.push(type);
      known.printed.push(queryParameter(argument, schemas));
      byName.set(argument.name, known);
    }
  }
  return [...byName.values()].map(({ types, printed }) => merged(printed, types, byType.length));
}

function merged(printed: readonly Parameter[], types: readonly string[], all: number): Parameter {
  const [first] = printed as [Parameter];
  const schemas = distinct(printed.map(({ schema }) => schema));
  const scope = types.length === all ? '' : ` Applies to ${types.map(type => `\`${type}\``).join(', ')}.`;
  return {
    ...first,
    description: `${first.description}${scope}`,
    schema: schemas.length === 1 ? schemas[0]! : { anyOf: schemas },
    example: parameterExample(first.name),
  };
}

function distinct(schemas: readonly JsonSchema[]): JsonSchema[] {
  return [...new Map(schemas.map(schema => [JSON.stringify(schema), schema])).values()];
}
