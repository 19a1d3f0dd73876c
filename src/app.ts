import { isPagePath } from './app-page/app-page.ts';
import type { DoorDependencies } from './doors/dependencies.ts';
import { failed } from './doors/enter.ts';
import { createExportDoors } from './doors/export.ts';
import { createGraphQL } from './doors/graphql.ts';
import { createV1 } from './doors/v1.ts';
import { EXPORT_PATH } from './export/path.ts';
import { createAuthenticate } from './http/authenticate.ts';
import { type App, json, type Reply } from './http/reply.ts';
import { Refusal } from './http/respond.ts';
import { serveFile } from './http/static-files.ts';
import { forEach } from './reading.ts';
import { BASE_PATH } from './rest/operations.ts';

type Room = [belongs: (path: string) => boolean, route: string, answer: App];

/** The list of doors: which paths each takes, the route that is noted of a request, and what answers. */
export async function createApp(dependencies: DoorDependencies): Promise<App> {
  const { logger, page, clock, config } = dependencies;
  const authenticateOn = forEach(database => createAuthenticate(database, clock, config.keyLease));
  const behindKeys = { ...dependencies, authenticateOn };
  const isV1 = (path: string) => path === BASE_PATH || path.startsWith(`${BASE_PATH}/`);
  const rooms: Room[] = [
    [isV1, `${BASE_PATH}/*`, await createV1(behindKeys)],
    [path => path.startsWith(`${EXPORT_PATH}/`), `${EXPORT_PATH}/*`, createExportDoors(behindKeys)],
    [path => path === '/graphql', '/graphql', createGraphQL(behindKeys)],
    [path => path === '/healthz', '/healthz', async () => json('{"status":"up"}')],
    [path => path === '/readyz', '/readyz', () => ready(dependencies)],
    ...(page ? [[isPagePath, '/app/*', page] satisfies Room] : []),
    [() => true, '/*', request => serveFile(request, dependencies.files)],
  ];
  return async request => {
    try {
      const [, route, answer] = rooms.find(([belongs]) => belongs(request.path))!;
      request.notes.route = route;
      return await answer(request);
    } catch (error) {
      return failed(error, request, logger);
    }
  };
}

async function ready({ isReady, servers }: DoorDependencies): Promise<Reply> {
  if (!(await isReady())) throw new Refusal('unavailable');
  const server = servers.areSeveral ? { server: servers.choose().name } : {};
  return json(JSON.stringify({ status: 'ready', ...server }));
}
