import { notFound } from '../../schema/errors.ts';
import { readArguments, type Variables } from './arguments.ts';
import { collectOperations } from './operations.ts';
import { parseQuery } from './query-string.ts';
import { compileRoute, type Route } from './route.ts';
import { Router } from './router.ts';

/**
 * The doors of the route and of its parameters, the last two before the schema.
 * @throws {PublicError} NOT_FOUND or INVALID
 */
export type Facade = (path: string, query: string) => { route: Route; variables: Variables };

/** `/v1`, as SOFA maps it onto the REST schema. Paths are below `/v1`. */
export async function createFacade(): Promise<Facade> {
  const router = new Router<Route>();
  for (const operation of await collectOperations())
    router.add(operation.route.path, compileRoute(operation));
  // The documented template path; each known type has a literal path of its own.
  const unknownTypes = new Router<true>();
  unknownTypes.add('/reports/:type', true);

  return (path, query) => {
    const match = router.find(path);
    if (!match) throw notFound(unknownTypes.find(path) ? 'Unknown report type' : 'Not found');
    const route = match.target;
    return { route, variables: readArguments(route.operation, match.parameters, parseQuery(query)) };
  };
}
