import { existsSync, readFileSync } from 'node:fs';
import { toTemplate } from '@sightline/openapi/description';
import type { GraphQLArgument } from 'graphql';
import type { RestRoute } from '../../schema/rest-route.ts';
import { BASE_PATH, getRoute, restFields } from './fields.ts';
import type { Document } from './sofa.ts';

/** The GraphQL operation of a route, with its document and name. */
export interface RouteOperation extends Document {
  field: string;
  route: RestRoute;
  args: readonly GraphQLArgument[];
  /** The path template of the route, as in logs and metrics: `/v1/watches/{product}/{domain}`. */
  template: string;
}

/** A file of the build that contains SOFA's documents, so that SOFA is not loaded at the start. */
export const BUILT_DOCUMENTS = 'documents.json';
const built = new URL(BUILT_DOCUMENTS, import.meta.url);

/**
 * Returns the operation of each route. SOFA creates their documents once during the build, because they never change.
 * Neither a router nor a `Request` is needed at run time.
 */
export function collectOperations(): Promise<RouteOperation[]> {
  collected ??= collect();
  return collected;
}

let collected: Promise<RouteOperation[]> | undefined;

async function collect(): Promise<RouteOperation[]> {
  const documents = await readDocuments();
  return restFields().map(field => {
    const route = getRoute(field);
    const template = BASE_PATH + toTemplate(route.path);
    return { field: field.name, route, args: field.args, ...documents[field.name]!, template };
  });
}

async function readDocuments(): Promise<Record<string, Document>> {
  if (existsSync(built)) return JSON.parse(readFileSync(built, 'utf8'));
  return (await import('./sofa.ts')).collectDocuments();
}
