import { EXPORT_PATH } from '@sightline/tools';
import { catchMaybePromise } from './executor/maybe-promise.ts';
import { createAuthenticate } from './http/authenticate.ts';
import { type App, json, type Reply } from './http/reply.ts';
import { Refusal } from './http/respond.ts';
import { serveFile } from './http/static-files.ts';
import { PAGE_PATH } from './pages/app.ts';
import { DOCS_PATH } from './pages/docs.ts';
import { isBelow } from './pages/page.ts';
import type { PipelineDependencies } from './pipeline/dependencies.ts';
import { createExportMount } from './pipeline/export.ts';
import { createGraphQL } from './pipeline/graphql.ts';
import { createSession, PAGE_QUERY_PATH, SESSION_PATH } from './pipeline/page-login.ts';
import { failed, oncePerServer } from './pipeline/pipeline.ts';
import { createV1 } from './pipeline/v1.ts';
import { BASE_PATH } from './rest/fields.ts';

type Mount = [belongs: (path: string) => boolean, route: string, answer: App];

/** Maps paths to handlers, with the route to log for each request. */
export async function createApp(dependencies: PipelineDependencies): Promise<App> {
  const { logger, page, docs, clock, config, login } = dependencies;
  const authenticateOn = oncePerServer(database => createAuthenticate(database, clock, config));
  const authenticated = { ...dependencies, authenticateOn };
  const graphql = createGraphQL(authenticated);
  const mounts: Mount[] = [
    [path => isBelow(BASE_PATH, path), `${BASE_PATH}/*`, await createV1(authenticated)],
    [path => path.startsWith(`${EXPORT_PATH}/`), `${EXPORT_PATH}/*`, createExportMount(authenticated)],
    [path => path === '/graphql' || path === '/graphql/', '/graphql', graphql.keys],
    [path => path === '/healthz', '/healthz', async () => json('{"status":"up"}')],
    [path => path === '/readyz', '/readyz', () => ready(dependencies)],
    ...(login && graphql.people
      ? ([
          [path => path === SESSION_PATH, SESSION_PATH, createSession(login, dependencies)],
          [path => path === PAGE_QUERY_PATH, PAGE_QUERY_PATH, graphql.people],
        ] satisfies Mount[])
      : []),
    ...(page ? [[path => isBelow(PAGE_PATH, path), '/app/*', page] satisfies Mount] : []),
    [path => isBelow(DOCS_PATH, path), '/docs/*', docs],
    [() => true, '/*', request => serveFile(request, dependencies.files)],
  ];
  return request => {
    const [, route, answer] = mounts.find(([belongs]) => belongs(request.path))!;
    request.notes.route = route;
    return catchMaybePromise(
      () => answer(request),
      error => failed(error, request, logger),
    );
  };
}

async function ready({ isReady, servers }: PipelineDependencies): Promise<Reply> {
  if (!(await isReady())) throw new Refusal('unavailable');
  const server = servers.areSeveral ? { server: servers.choose().name } : {};
  return json(JSON.stringify({ status: 'ready', ...server }));
}
