import type { Context } from '../../schema/context.ts';
import { hasApiAccess } from '../../schema/entitlements.ts';
import { keepGroups, ofTimeline } from '../../schema/kept-groups.ts';
import { gatheringLoaders } from '../../schema/loaders.ts';
import { createGraphQLHandler, graphiQLPage, isGraphiQLPage } from '../graphql/handler.ts';
import { UNREAD } from '../graphql/outcome.ts';
import { onlyReply } from '../http/answers.ts';
import type { App } from '../http/reply.ts';
import { Refusal } from '../http/respond.ts';
import { nameOperation, traced } from '../observability/tracing.ts';
import { WatchedDatabase } from '../observability/watched-database.ts';
import type { Authentication, DoorDependencies } from './dependencies.ts';
import { identify, reading } from './enter.ts';

const GRAPHQL = () => ({ name: 'graphql' });

/** The doors of `/graphql`: an internal token has no rate, and asks for any account. */
export function createGraphQL({
  servers,
  clock,
  config,
  rateLimit,
  logger,
  metrics,
  authenticateOn,
}: DoorDependencies & Authentication): App {
  const handle = createGraphQLHandler({
    logError: error => logger.error({ err: error }, 'a GraphQL request failed'),
  });
  const groups = keepGroups(config.answerCacheSize / 4);

  return async request => {
    const { method, path, query, headers } = request;
    if (method !== 'GET' && method !== 'POST') throw new Refusal('methodNotAllowed', { Allow: 'GET, POST' });
    const asked = { method, target: query ? `${path}?${query}` : path, headers };
    if (config.graphiql && isGraphiQLPage(asked)) return (await graphiQLPage()).reply(request);
    const { id, notes } = request;
    let budget: Record<string, string> | undefined;
    let body: Buffer | undefined;
    const { outcome = UNREAD, ...reply } = await reading(servers, async (server, spoils) => {
      const now = clock.now();
      const { account, keyId } = await identify(request, authenticateOn(server), now);
      budget ??= account ? await rateLimit(keyId) : {};
      if (account && !hasApiAccess(account, now)) throw new Refusal('noApiAccess', budget);
      body ??= await request.body();
      const sent = { ...asked, body };
      const logError = (error: unknown) => {
        if (spoils(error) || request.isGone()) return;
        logger.error({ err: error, requestId: id }, 'a GraphQL request failed');
      };
      return traced(notes.trace, GRAPHQL, async trace => {
        const asker = { key: keyId, isGone: request.isGone, notes };
        const database = new WatchedDatabase(server.database, asker, trace);
        const context: Context = {
          account,
          database,
          load: gatheringLoaders(database),
          now,
          reportsResultCap: config.reportsResultCap,
          keptGroups: ofTimeline(groups, server.timeline),
        };
        const handled = await request.inTime(handle(sent, context, logError));
        nameOperation(trace, handled.outcome ?? UNREAD);
        return handled;
      });
    });
    metrics?.operation(outcome);
    const told = { ...reply, headers: Object.assign({}, reply.headers, budget) };
    return onlyReply(told, headers['accept-encoding']);
  };
}
