import { filledPath } from '@sightline/openapi/paths';
import { type DocumentNode, Kind } from 'graphql';
import { useSofa } from 'sofa-api';
import { restSchema } from '../../schema/index.ts';
import { BASE_PATH, restFields, routeOf } from './fields.ts';

/** A document that SOFA builds, with the name of its operation. */
export interface Document {
  name: string;
  document: DocumentNode;
}

interface Captured {
  document: DocumentNode;
  operationName?: string;
}

type Capture = (captured: Captured) => unknown;

/** The SOFA facade over the REST schema, with the executor that the caller brings. */
export function createSofa(execute: Capture, context: object = {}) {
  withoutDescriptions();
  return useSofa({
    schema: restSchema,
    basePath: BASE_PATH,
    routes: Object.fromEntries(
      restFields().map(field => [`Query.${field.name}`, { method: 'GET', path: routeOf(field).path }]),
    ),
    execute: execute as never,
    context,
    openAPI: { endpoint: false },
    swaggerUI: { endpoint: false },
  });
}

/**
 * SOFA looks for the description of each argument in the definition of its type. Where there is none, it prints and
 * parses the whole type once for every argument, which would be most of a start. Nothing reads what it finds.
 */
function withoutDescriptions(): void {
  const query = restSchema.getQueryType()!;
  const name = { kind: Kind.NAME, value: query.name } as const;
  query.astNode ??= { kind: Kind.OBJECT_TYPE_DEFINITION, name, fields: [] };
}

/** Asks SOFA for every route once. @returns the documents by Query field */
export async function collectDocuments(): Promise<Record<string, Document>> {
  let captured: Captured | undefined;
  const facade = createSofa(call => {
    captured = call;
    return { data: {} };
  });
  const documents: Record<string, Document> = {};
  for (const field of restFields()) {
    captured = undefined;
    const { path, example = {} } = routeOf(field);
    await facade.fetch(`http://localhost${BASE_PATH}${filledPath(path, example)}`);
    documents[field.name] = documentOf(field.name, captured);
  }
  return documents;
}

function documentOf(field: string, captured: Captured | undefined): Document {
  if (!captured?.operationName) throw new Error(`SOFA has no route for Query.${field}`);
  return { name: captured.operationName, document: captured.document };
}
