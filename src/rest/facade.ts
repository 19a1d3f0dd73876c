import { notFound } from '../../schema/errors.ts';
import { type OperationVariables, readArguments } from './arguments.ts';
import { collectOperations } from './operations.ts';
import { parseQuery } from './query-string.ts';
import { compileRoute, type Route } from './route.ts';
import { Router } from './router.ts';

/**
 * Finds the route and checks its parameters: the last two stages before the schema.
 * @throws {PublicError} NOT_FOUND or INVALID
 */
export type Facade = (path: string, query: string) => { route: Route; variables: OperationVariables };

/** Maps `/v1` onto the REST schema, as SOFA does. Paths are relative to `/v1`. */
export async function createFacade(): Promise<Facade> {
  const router = new Router<Route>();
  for (const operation of await collectOperations())
    router.add(operation.route.path, compileRoute(operation));
  // Matches the documented path template. Known types have literal paths.
  const unknownTypes = new Router<true>();
  unknownTypes.add('/reports/:type', true);

  return (path, query) => {
    const match = router.find(path);
    if (!match) throw notFound(unknownTypes.find(path) ? 'Unknown report type' : 'Not found');
    const route = match.target;
    return { route, variables: readArguments(route.operation, match.parameters, parseQuery(query)) };
  };
}
