import { AnswerBudget } from '../../schema/answer-budget.ts';
import { createAnswerCache, ofTimeline } from '../../schema/answer-cache.ts';
import type { Context } from '../../schema/context.ts';
import { createGroupCache } from '../../schema/group-cache.ts';
import type { FoundInsights } from '../../schema/insight.ts';
import { gatheringLoaders } from '../../schema/loaders.ts';
import { createGraphQLHandler, graphiQLPage, isGraphiQLPage } from '../graphql/handler.ts';
import { UNREAD } from '../graphql/outcome.ts';
import { onlyReply } from '../http/answers.ts';
import type { IdentifiedKey } from '../http/authenticate.ts';
import type { App, Reply, Request } from '../http/reply.ts';
import { nameOperation, traceWork } from '../observability/tracing.ts';
import { WatchedDatabase } from '../observability/watched-database.ts';
import type { Authentication, PipelineDependencies } from './dependencies.ts';
import { createPageQueries } from './page-login.ts';
import { type AuthenticatedRequest, createPipeline } from './pipeline.ts';

/** Approximate size of an insight with its texts, in bytes. */
const INSIGHT = 3000;

const GRAPHQL = () => ({ name: 'graphql' });

/** The apps that serve `/graphql`: for keys, and for people identified by a sign-in proxy. */
export interface GraphQLApps {
  keys: App;
  /** Undefined if people sign in with keys. */
  people: App | undefined;
}

/** Internal tokens have no rate limit and can request any account. */
export function createGraphQL(dependencies: PipelineDependencies & Authentication): GraphQLApps {
  const { config, longestAnswer, logger, metrics } = dependencies;
  const handle = createGraphQLHandler({
    logError: error => logger.error({ err: error }, 'a GraphQL request failed'),
    documents: config.graphqlDocuments,
  });
  const groups = createGroupCache(config.answerCacheSize / 4);
  const insights = createAnswerCache(
    config.answerCacheSize / 16,
    ({ insights }: FoundInsights) => 2000 + INSIGHT * insights.length,
  );

  async function answer({
    request,
    server,
    caller,
    now,
    shouldFailOver,
  }: AuthenticatedRequest<IdentifiedKey>): Promise<Reply> {
    const { id, notes, isGone, headers } = request;
    const sent = { ...isAskedByBrowser(request), body: await request.body() };
    let isFailedOver = false;
    const logError = (error: unknown) => {
      isFailedOver ||= shouldFailOver(error);
      if (isFailedOver || isGone()) return;
      logger.error({ err: error, requestId: id }, 'a GraphQL request failed');
    };
    const { outcome = UNREAD, ...reply } = await traceWork(notes.trace, GRAPHQL, async trace => {
      const budget = new AnswerBudget(longestAnswer);
      const sender = { key: caller.keyId, isGone, notes };
      const database = budget.of(new WatchedDatabase(server.database, sender, trace));
      const context: Context = {
        account: caller.account,
        database,
        load: gatheringLoaders(database),
        now,
        reportsResultCap: config.reportsResultCap,
        budget,
        groupCache: ofTimeline(groups, server.timeline),
        insightCache: ofTimeline(insights, server.timeline),
      };
      const handled = await handle(sent, context, request.inTime, logError);
      nameOperation(trace, handled.outcome ?? UNREAD);
      return handled;
    });
    if (!isFailedOver) metrics?.operation(outcome);
    return onlyReply(reply, headers['accept-encoding']);
  }

  const pipeline = createPipeline(dependencies, {
    methods: ['GET', 'POST'],
    authorize: caller => ({ isRated: caller.account !== null, caller }),
    answer,
  });
  const readPageQuery = dependencies.login && createPageQueries(dependencies.login);
  return {
    keys: async request =>
      config.graphiql && isGraphiQLPage(isAskedByBrowser(request))
        ? (await graphiQLPage()).reply(request)
        : pipeline(request),
    people:
      readPageQuery &&
      (async asked => {
        const { request, identify } = await readPageQuery(asked);
        return pipeline(request, identify);
      }),
  };
}

function isAskedByBrowser({ method, path, query, headers }: Request) {
  return { method, target: query ? `${path}?${query}` : path, headers };
}
