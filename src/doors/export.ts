import { METRICS_PATH } from '@sightline/export/path';
import { visibleAccount } from '../../schema/account.ts';
import { dayOf } from '../../schema/calendar.ts';
import { notFound } from '../../schema/errors.ts';
import type { Server } from '../../sql/servers/servers.ts';
import { createExport } from '../export/handler.ts';
import { accountNamed, checkAccount } from '../export/parameters.ts';
import { AnswerCache } from '../http/answers.ts';
import { type Identified, unauthorized } from '../http/authenticate.ts';
import type { App, Reply, Request } from '../http/reply.ts';
import { WatchedDatabase } from '../observability/watched-database.ts';
import { parseQuery } from '../rest/query-string.ts';
import type { Authentication, DoorDependencies } from './dependencies.ts';
import { type Admitted, type Entered, enter, type Known, lookUp, requireAccount } from './enter.ts';
import { createValidated } from './validated.ts';

/** The doors of `/v1`, and behind them everything as a stream. */
export function createExportDoors(dependencies: DoorDependencies & Authentication): App {
  const answer = createExport(dependencies.config.exportConcurrency, dependencies.exportPatience);
  const metrics = createMetricsExport(dependencies);
  return enter(dependencies, {
    methods: ['GET'],
    admit,
    answer: entered => {
      const { request, server, now } = entered;
      const { account, keyId } = entered.known;
      const { isGone, notes } = request;
      if (request.path === METRICS_PATH) return metrics(entered);
      return answer(request, {
        account,
        now,
        database: new WatchedDatabase(server.database, { key: keyId, isGone, notes }),
        snapshot: () => server.database.snapshot(),
      });
    },
  });
}

/** An internal token asks for the account that it names. */
function admit(caller: Identified, request: Request): Admitted<Known> {
  if (caller.account) return { isRated: true, known: requireAccount(caller) };
  const name = accountNamed(parseQuery(request.query));
  if (name === undefined) throw unauthorized(true);
  return { isRated: true, known: server => accountFromQuery(name, caller, request, server) };
}

/** The numbers of an account, for Prometheus. */
function createMetricsExport(dependencies: DoorDependencies & Authentication) {
  const validated = createValidated(dependencies, new AnswerCache(KEPT_METRICS));
  return async (entered: Entered): Promise<Reply> => {
    const { request, now } = entered;
    request.notes.route = METRICS_PATH;
    const { METRICS_RELEASE, metricsForm } = await import('../export/metrics.ts');
    const query = parseQuery(request.query);
    checkAccount(query, entered.known.account.id);
    const { contentType, print } = metricsForm(request.headers.accept);
    return validated(entered, {
      release: METRICS_RELEASE + contentType,
      period: dayOf(now),
      headers: { 'Content-Type': contentType, Vary: 'Authorization, Accept, Accept-Encoding' },
      make: ({ server, known: { account, keyId } }) => {
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

/** Bytes. An answer takes some tens of kilobytes, and is asked for again and again. */
const KEPT_METRICS = 4 * 1024 * 1024;

async function accountFromQuery(
  name: string,
  caller: Identified,
  request: Request,
  server: Server,
): Promise<Known> {
  const { isGone, notes } = request;
  const database = new WatchedDatabase(server.database, { key: caller.keyId, isGone, notes });
  const account = await request.inTime(visibleAccount(name, { account: null, database }));
  if (!account) throw notFound('Account not found');
  // Nothing is known of how long an account is good that was not looked up with its key.
  return { ...caller, account, sureUntil: Number.NEGATIVE_INFINITY };
}
