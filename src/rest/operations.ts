import { existsSync, readFileSync } from 'node:fs';
import { templateOf } from '@sightline/openapi/paths';
import type { DocumentNode, GraphQLArgument, GraphQLField } from 'graphql';
import type { RestRoute } from '../../schema/rest-route.ts';
import { BASE_PATH, restFields, routeOf } from './fields.ts';
import type { Documents } from './sofa.ts';

/** A GraphQL operation that answers a route. */
export interface Operation {
  /** The Query field. */
  field: string;
  route: RestRoute;
  args: readonly GraphQLArgument[];
  document: DocumentNode;
  name: string;
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
  return restFields().map(field => operation(field, documents));
}

async function readDocuments(): Promise<Documents> {
  if (existsSync(built)) return JSON.parse(readFileSync(built, 'utf8'));
  return (await import('./sofa.ts')).collectDocuments();
}

function operation(field: GraphQLField<unknown, unknown>, documents: Documents): Operation {
  const { name, document } = documents[field.name]!;
  return {
    field: field.name,
    route: routeOf(field),
    args: field.args,
    document,
    name,
    template: BASE_PATH + templateOf(routeOf(field).path),
  };
}
