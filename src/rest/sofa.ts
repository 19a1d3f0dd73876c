import { filledPath } from '@sightline/openapi/description';
import { type DocumentNode, Kind } from 'graphql';
import { useSofa } from 'sofa-api';
import { restSchema } from '../../schema/index.ts';
import { BASE_PATH, getRoute, restFields } from './fields.ts';

/** A document that SOFA builds, with the name of its operation. */
export interface Document {
  name: string;
  document: DocumentNode;
}

interface SofaOperation {
  document: DocumentNode;
  operationName?: string;
}

type Capture = (captured: SofaOperation) => unknown;

/** Creates the SOFA facade over the REST schema with the given executor. */
export function createSofa(execute: Capture, context: object = {}) {
  withoutDescriptions();
  return useSofa({
    schema: restSchema,
    basePath: BASE_PATH,
    routes: Object.fromEntries(
      restFields().map(field => [`Query.${field.name}`, { method: 'GET', path: getRoute(field).path }]),
    ),
    execute: execute as never,
    context,
    openAPI: { endpoint: false },
    swaggerUI: { endpoint: false },
  });
}

/**
 * SOFA searches the definition of each argument's type for a description. Without one, it prints and parses the type
 * for every argument, which would take most of the start. The result is unused.
 */
function withoutDescriptions(): void {
  const query = restSchema.getQueryType()!;
  const name = { kind: Kind.NAME, value: query.name } as const;
  query.astNode ??= { kind: Kind.OBJECT_TYPE_DEFINITION, name, fields: [] };
}

/** Calls SOFA once for every route. @returns the documents by Query field */
export async function collectDocuments(): Promise<Record<string, Document>> {
  let captured: SofaOperation | undefined;
  const facade = createSofa(call => {
    captured = call;
    return { data: {} };
  });
  const documents: Record<string, Document> = {};
  for (const field of restFields()) {
    captured = undefined;
    const { path, example = {} } = getRoute(field);
    await facade.fetch(`http://localhost${BASE_PATH}${filledPath(path, example)}`);
    documents[field.name] = toDocument(field.name, captured);
  }
  return documents;
}

function toDocument(field: string, captured: SofaOperation | undefined): Document {
  if (!captured?.operationName) throw new Error(`SOFA has no route for Query.${field}`);
  return { name: captured.operationName, document: captured.document };
}
