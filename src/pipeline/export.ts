import { METRICS_PATH } from '@sightline/tools';
import { visibleAccount } from '../../schema/account.ts';
import { toDay } from '../../schema/calendar.ts';
import { notFound } from '../../schema/errors.ts';
import type { ReadServer } from '../../sql/servers/servers.ts';
import { createExport } from '../export/handler.ts';
import { accountNamed, checkAccount, readQuery } from '../export/parameters.ts';
import { BodyCache } from '../http/answers.ts';
import { type IdentifiedKey, unauthorized } from '../http/authenticate.ts';
import type { App, Reply, Request } from '../http/reply.ts';
import { WatchedDatabase } from '../observability/watched-database.ts';
import { parseQuery } from '../rest/query-string.ts';
import { createValidated } from './conditional.ts';
import type { Authentication, PipelineDependencies } from './dependencies.ts';
import {
  type AuthenticatedRequest,
  type Authorization,
  createPipeline,
  type IdentifiedCaller,
  lookUp,
  requireAccount,
} from './pipeline.ts';

/** Creates the mount of `/export`: the pipeline of `/v1`, then a stream of all rows. */
export function createExportMount(dependencies: PipelineDependencies & Authentication): App {
  const { exportConcurrency, publicPath } = dependencies.config;
  const answer = createExport(exportConcurrency, publicPath, dependencies.exportPatience);
  const metrics = createMetricsExport(dependencies);
  return createPipeline(dependencies, {
    methods: ['GET'],
    authorize,
    answer: authenticated => {
      const { request, server, now } = authenticated;
      const { account, keyId } = authenticated.caller;
      const { isGone, notes } = request;
      if (request.path === METRICS_PATH) return metrics(authenticated);
      return answer(request, {
        account,
        now,
        database: new WatchedDatabase(server.database, { key: keyId, isGone, notes }),
        snapshot: () => server.database.snapshot(),
      });
    },
  });
}

/** With an internal token, the request names the account. */
function authorize(caller: IdentifiedKey, request: Request): Authorization<IdentifiedCaller> {
  if (caller.account) return { isRated: true, caller: requireAccount(caller) };
  const name = accountNamed(parseQuery(request.query));
  if (name === undefined) throw unauthorized(true);
  return { isRated: true, caller: server => accountFromQuery(name, caller, request, server) };
}

/** Serves the metrics of an account in Prometheus format. */
function createMetricsExport(dependencies: PipelineDependencies & Authentication) {
  const validated = createValidated(dependencies, new BodyCache(KEPT_METRICS));
  return async (authenticated: AuthenticatedRequest): Promise<Reply> => {
    const { request, now } = authenticated;
    request.notes.route = METRICS_PATH;
    const { METRICS_RELEASE, metricsForm } = await import('../export/metrics.ts');
    const query = readQuery(request.query);
    checkAccount(query, authenticated.caller.account.id);
    const { contentType, print } = metricsForm(request.headers.accept);
    return validated(authenticated, {
      release: METRICS_RELEASE + contentType,
      period: toDay(now),
      headers: { 'Content-Type': contentType, Vary: 'Authorization, Accept, Accept-Encoding' },
      make: ({ server, caller: { account, keyId } }) => {
        const { isGone, notes } = request;
        return print(account, new WatchedDatabase(server.database, { key: keyId, isGone, notes }), now);
      },
      async lookUp(server) {
        const caller = await lookUp(request, dependencies.authenticateOn(server));
        return caller.account
          ? requireAccount(caller)
          : accountFromQuery(accountNamed(query)!, caller, request, server);
      },
    });
  };
}

/** The size of the cache for metrics, in bytes. A response takes tens of kilobytes and is requested repeatedly. */
const KEPT_METRICS = 4 * 1024 * 1024;

async function accountFromQuery(
  name: string,
  caller: IdentifiedKey,
  request: Request,
  server: ReadServer,
): Promise<IdentifiedCaller> {
  const { isGone, notes } = request;
  const database = new WatchedDatabase(server.database, { key: caller.keyId, isGone, notes });
  const account = await request.inTime(visibleAccount(name, { account: null, database }));
  if (!account) throw notFound('Account not found');
  // The account was not looked up with the key, so its lease is unknown.
  return { ...caller, account, validUntil: Number.NEGATIVE_INFINITY };
}
