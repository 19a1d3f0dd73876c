import { type DocumentNode, type GraphQLArgument, type GraphQLField, Kind } from 'graphql';
import { useSofa } from 'sofa-api';
import { restSchema } from '../../schema/index.ts';
import type { RestRoute } from '../../schema/rest-route.ts';
import { filledPath, templateOf } from './path-pattern.ts';

export const BASE_PATH = '/v1';

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

/**
 * The operation behind each route, as SOFA builds it: its documents never change, so they are asked for once,
 * here, and need no router and no `Request` when they run.
 */
export function collectOperations(): Promise<Operation[]> {
  collected ??= collect();
  return collected;
}

let collected: Promise<Operation[]> | undefined;

async function collect(): Promise<Operation[]> {
  let captured: Captured | undefined;
  const facade = createSofa(call => {
    captured = call;
    return { data: {} };
  });
  const operations: Operation[] = [];
  for (const field of restFields()) {
    captured = undefined;
    const { path, example = {} } = routeOf(field);
    await facade.fetch(`http://localhost${BASE_PATH}${filledPath(path, example)}`);
    operations.push(operation(field, captured));
  }
  return operations;
}

function operation(field: GraphQLField<unknown, unknown>, captured: Captured | undefined): Operation {
  if (!captured?.operationName) throw new Error(`SOFA has no route for Query.${field.name}`);
  return {
    field: field.name,
    route: routeOf(field),
    args: field.args,
    document: captured.document,
    name: captured.operationName,
    template: BASE_PATH + templateOf(routeOf(field).path),
  };
}

function restFields(): GraphQLField<unknown, unknown>[] {
  return Object.values(restSchema.getQueryType()!.getFields());
}

function routeOf(field: GraphQLField<unknown, unknown>): RestRoute {
  const route = field.extensions.rest as RestRoute | undefined;
  if (!route) throw new Error(`Query.${field.name} belongs to the REST schema and has no route`);
  return route;
}
