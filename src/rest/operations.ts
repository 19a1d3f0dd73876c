import { existsSync, readFileSync } from 'node:fs';
import { templateOf } from '@sightline/openapi/paths';
import type { GraphQLArgument } from 'graphql';
import type { RestRoute } from '../../schema/rest-route.ts';
import { BASE_PATH, restFields, routeOf } from './fields.ts';
import type { Document } from './sofa.ts';

/** A GraphQL operation that answers a route, with its document and name. */
export interface Operation extends Document {
  field: string;
  route: RestRoute;
  args: readonly GraphQLArgument[];
  /** The route below the root, as it is written in logs and metrics: `/v1/watches/{product}/{domain}`. */
  template: string;
}

/** The path of SOFA's documents in a build, beside their reader: a start need not load SOFA and ask it. */
export const BUILT_DOCUMENTS = 'documents.json';
const built = new URL(BUILT_DOCUMENTS, import.meta.url);

/**
 * The operation behind each route, as SOFA builds it. Its documents never change, so a build or this function makes
 * them once. They need no router and no `Request` when they run.
 */
export function collectOperations(): Promise<Operation[]> {
  collected ??= collect();
  return collected;
}

let collected: Promise<Operation[]> | undefined;

async function collect(): Promise<Operation[]> {
  const documents = await readDocuments();
  return restFields().map(field => {
    const route = routeOf(field);
    const template = BASE_PATH + templateOf(route.path);
    return { field: field.name, route, args: field.args, ...documents[field.name]!, template };
  });
}

async function readDocuments(): Promise<Record<string, Document>> {
  if (existsSync(built)) return JSON.parse(readFileSync(built, 'utf8'));
  return (await import('./sofa.ts')).collectDocuments();
}
