import { AnswerBudget } from '../../schema/answer-budget.ts';
import type { Context } from '../../schema/context.ts';
import { keepValues, ofTimeline } from '../../schema/kept.ts';
import { keepGroups } from '../../schema/kept-groups.ts';
import { gatheringLoaders } from '../../schema/loaders.ts';
import type { Sign } from '../../schema/sign.ts';
import { createGraphQLHandler, graphiQLPage, isGraphiQLPage } from '../graphql/handler.ts';
import { UNREAD } from '../graphql/outcome.ts';
import { onlyReply } from '../http/answers.ts';
import type { Identified } from '../http/authenticate.ts';
import type { App, Reply, Request } from '../http/reply.ts';
import { nameOperation, traced } from '../observability/tracing.ts';
import { WatchedDatabase } from '../observability/watched-database.ts';
import type { Authentication, DoorDependencies } from './dependencies.ts';
import { type Entered, enter } from './enter.ts';

/** Bytes that a sign takes, with its texts. */
const SIGN = 3000;

const GRAPHQL = () => ({ name: 'graphql' });

/** The doors of `/graphql`: an internal token has no rate, and asks for any account. */
export function createGraphQL(dependencies: DoorDependencies & Authentication): App {
  const { config, longestAnswer, logger, metrics } = dependencies;
  const handle = createGraphQLHandler({
    logError: error => logger.error({ err: error }, 'a GraphQL request failed'),
  });
  const groups = keepGroups(config.answerCacheSize / 4);
  const signs = keepValues(config.answerCacheSize / 16, (kept: Sign[]) => 500 + SIGN * kept.length);

  async function answer({ request, server, known, now, spoils }: Entered<Identified>): Promise<Reply> {
    const { id, notes, isGone, headers } = request;
    const sent = { ...asked(request), body: await request.body() };
    let isSpoiled = false;
    const logError = (error: unknown) => {
      isSpoiled ||= spoils(error);
      if (isSpoiled || isGone()) return;
      logger.error({ err: error, requestId: id }, 'a GraphQL request failed');
    };
    const { outcome = UNREAD, ...reply } = await traced(notes.trace, GRAPHQL, async trace => {
      const budget = new AnswerBudget(longestAnswer);
      const asker = { key: known.keyId, isGone, notes };
      const database = budget.of(new WatchedDatabase(server.database, asker, trace));
      const context: Context = {
        account: known.account,
        database,
        load: gatheringLoaders(database),
        now,
        reportsResultCap: config.reportsResultCap,
        budget,
        keptGroups: ofTimeline(groups, server.timeline),
        keptSigns: ofTimeline(signs, server.timeline),
      };
      const handled = await request.inTime(handle(sent, context, logError));
      nameOperation(trace, handled.outcome ?? UNREAD);
      return handled;
    });
    if (!isSpoiled) metrics?.operation(outcome);
    return onlyReply(reply, headers['accept-encoding']);
  }

  const doors = enter(dependencies, {
    methods: ['GET', 'POST'],
    admit: caller => ({ isRated: caller.account !== null, known: caller }),
    answer,
  });
  return async request =>
    config.graphiql && isGraphiQLPage(asked(request))
      ? (await graphiQLPage()).reply(request)
      : doors(request);
}

function asked({ method, path, query, headers }: Request) {
  return { method, target: query ? `${path}?${query}` : path, headers };
}
