import { EXPORT_PATH } from '@sightline/export/path';
import { caughtIfPromise } from '@sightline/json/then-if-promise';
import type { DoorDependencies } from './doors/dependencies.ts';
import { failed, oncePerServer } from './doors/enter.ts';
import { createExportDoors } from './doors/export.ts';
import { createGraphQL } from './doors/graphql.ts';
import { createV1 } from './doors/v1.ts';
import { createAuthenticate } from './http/authenticate.ts';
import { type App, json, type Reply } from './http/reply.ts';
import { Refusal } from './http/respond.ts';
import { serveFile } from './http/static-files.ts';
import { PAGE_PATH } from './pages/app.ts';
import { DOCS_PATH } from './pages/docs.ts';
import { isBelow } from './pages/page.ts';
import { BASE_PATH } from './rest/fields.ts';

type Room = [belongs: (path: string) => boolean, route: string, answer: App];

/** The list of doors: which paths each takes, the route that is noted of a request, and what answers. */
export async function createApp(dependencies: DoorDependencies): Promise<App> {
  const { logger, page, docs, clock, config } = dependencies;
  const authenticateOn = oncePerServer(database => createAuthenticate(database, clock, config));
  const behindKeys = { ...dependencies, authenticateOn };
  const rooms: Room[] = [
    [path => isBelow(BASE_PATH, path), `${BASE_PATH}/*`, await createV1(behindKeys)],
    [path => path.startsWith(`${EXPORT_PATH}/`), `${EXPORT_PATH}/*`, createExportDoors(behindKeys)],
    [path => path === '/graphql', '/graphql', createGraphQL(behindKeys)],
    [path => path === '/healthz', '/healthz', async () => json('{"status":"up"}')],
    [path => path === '/readyz', '/readyz', () => ready(dependencies)],
    ...(page ? [[path => isBelow(PAGE_PATH, path), '/app/*', page] satisfies Room] : []),
    [path => isBelow(DOCS_PATH, path), '/docs/*', docs],
    [() => true, '/*', request => serveFile(request, dependencies.files)],
  ];
  return request => {
    const [, route, answer] = rooms.find(([belongs]) => belongs(request.path))!;
    request.notes.route = route;
    return caughtIfPromise(
      () => answer(request),
      error => failed(error, request, logger),
    );
  };
}

async function ready({ isReady, servers }: DoorDependencies): Promise<Reply> {
  if (!(await isReady())) throw new Refusal('unavailable');
  const server = servers.areSeveral ? { server: servers.choose().name } : {};
  return json(JSON.stringify({ status: 'ready', ...server }));
}
