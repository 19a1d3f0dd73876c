import type { GraphQLField } from 'graphql';
import { restSchema } from '../../schema/index.ts';
import type { RestRoute } from '../../schema/rest-route.ts';

export const BASE_PATH = '/v1';

export function restFields(): GraphQLField<unknown, unknown>[] {
  return Object.values(restSchema.getQueryType()!.getFields());
}

export function getRoute(field: GraphQLField<unknown, unknown>): RestRoute {
  const route = field.extensions.rest as RestRoute | undefined;
  if (!route) throw new Error(`Query.${field.name} belongs to the REST schema and has no route`);
  return route;
}
