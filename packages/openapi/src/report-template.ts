import type { ReportType } from '@sightline/reports';
import type { GraphQLNamedType } from 'graphql';
import { parameterExample } from './examples.ts';
import type { SchemaComponents } from './json-schema.ts';
import { queryParameter } from './parameters.ts';
import type { DescribedRoute, RouteArgument } from './routes.ts';
import type { JsonSchema, OpenApiParameter } from './types.ts';

const PARENT = '/reports/';
const UNKNOWN_TYPE = 'Unknown report type';

/** Checks whether a route belongs to one report type. */
export function isReportRoute({ template }: DescribedRoute): boolean {
  return template.startsWith(PARENT);
}

/**
 * Creates a path template that covers the paths of all report types. Shared parts are taken from the first type, which
 * has every kind of filter.
 */
export function reportTemplate(first: DescribedRoute): DescribedRoute {
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

/** Returns the parameters: the type, and every filter of every type with the types it applies to. */
export function templateParameters(
  routes: readonly DescribedRoute[],
  typeName: GraphQLNamedType,
  schemas: SchemaComponents,
): OpenApiParameter[] {
  const byType = routes.map(({ template, query }): [ReportType, RouteArgument[]] => [
    template.slice(PARENT.length) as ReportType,
    query,
  ]);
  return [typeParameter(typeName, schemas), ...mergedParameters(byType, schemas)];
}

export function typeParameter(typeName: GraphQLNamedType, schemas: SchemaComponents): OpenApiParameter {
  return {
    name: 'type',
    in: 'path',
    description: 'A report type of `/v1/report-types`.',
    required: true,
    schema: { ...schemas.reference(typeName) },
    example: 'csp',
  };
}

/** Returns each parameter once, with the types that it applies to. */
export function mergedParameters(
  byType: readonly (readonly [ReportType, readonly RouteArgument[]])[],
  schemas: SchemaComponents,
): OpenApiParameter[] {
  const byName = new Map<string, { types: string[]; printed: OpenApiParameter[] }>();
  for (const [type, query] of byType) {
    for (const argument of query) {
      const existing = byName.get(argument.name) ?? { types: [], printed: [] };
      existing.types.push(type);
      existing.printed.push(queryParameter(argument, schemas));
      byName.set(argument.name, existing);
    }
  }
  return [...byName.values()].map(({ types, printed }) => merged(printed, types, byType.length));
}

function merged(
  printed: readonly OpenApiParameter[],
  types: readonly string[],
  all: number,
): OpenApiParameter {
  const [first] = printed as [OpenApiParameter];
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
