import { hash } from 'node:crypto';
import { printSchema } from 'graphql';
import { toDay } from '../../schema/calendar.ts';
import type { Context } from '../../schema/context.ts';
import { restSchema } from '../../schema/index.ts';
import { directLoaders, type Loaders } from '../../schema/loaders.ts';
import type { Account } from '../../sql/account.ts';
import type { Database } from '../../sql/client.ts';
import type { MaybePromise } from '../executor/maybe-promise.ts';
import { BodyCache } from '../http/answers.ts';
import type { App, Reply } from '../http/reply.ts';
import { WatchedDatabase } from '../observability/watched-database.ts';
import type { OperationVariables } from '../rest/arguments.ts';
import { createFacade } from '../rest/facade.ts';
import { BASE_PATH } from '../rest/fields.ts';
import { createValidated } from './conditional.ts';
import type { Authentication, PipelineDependencies } from './dependencies.ts';
import { type AuthenticatedRequest, createPipeline, lookUp, requireAccount } from './pipeline.ts';

/** `/v1`: the pipeline is followed by route, parameters, plan and resource. */
export async function createV1(dependencies: PipelineDependencies & Authentication): Promise<App> {
  const { config, longestAnswer, metrics, authenticateOn } = dependencies;
  const facade = await createFacade();
  const release = releaseTag(config);
  const answers = new BodyCache(config.answerCacheSize);
  metrics?.watchAnswers(answers);
  const validated = createValidated(dependencies, answers);

  function answer(authenticated: AuthenticatedRequest): MaybePromise<Reply> {
    const { request, now } = authenticated;
    const { route, variables } = facade(request.path.slice(BASE_PATH.length), request.query);
    request.notes.route = route.operation.template;
    return validated(authenticated, {
      release,
      period: toPeriod(variables, now),
      headers: { Vary: 'Authorization, Accept-Encoding' },
      make: request =>
        route.answer(variables, new OwnContext(request, config.reportsResultCap, longestAnswer)),
      lookUp: async server => requireAccount(await lookUp(request, authenticateOn(server))),
    });
  }

  return createPipeline(dependencies, {
    methods: ['GET'],
    authorize: caller => ({ isRated: true, caller: requireAccount(caller) }),
    answer,
  });
}

/**
 * The context of a request's resolvers. It uses the database only on demand, because many responses do not need it. It
 * is a class, because V8 retains an object with accessors for longer than the request.
 */
class OwnContext implements Context {
  readonly account: Account;
  readonly now: Date;
  readonly reportsResultCap: number;
  readonly longestAnswer: number | undefined;
  readonly isPlain = true;
  #request: AuthenticatedRequest;

  constructor(
    authenticated: AuthenticatedRequest,
    reportsResultCap: number,
    longestAnswer: number | undefined,
  ) {
    this.account = authenticated.caller.account;
    this.now = authenticated.now;
    this.reportsResultCap = reportsResultCap;
    this.longestAnswer = longestAnswer;
    this.#request = authenticated;
  }

  get database(): Database {
    const { request, server, caller } = this.#request;
    const { isGone, notes } = request;
    return new WatchedDatabase(server.database, { key: caller.keyId, isGone, notes });
  }

  get load(): Loaders {
    return directLoaders(this.database);
  }
}

/** Returns the period of time that a response depends on: the day, or the hour if a period can start within a day. */
function toPeriod(variables: OperationVariables, now: Date): string {
  return variables.unit === 'hours' ? now.toISOString().slice(0, 13) : toDay(now);
}

/** Changes whenever something other than the data changes responses. */
function releaseTag({ reportsResultCap }: PipelineDependencies['config']): string {
  return hash('sha1', printSchema(restSchema) + String(reportsResultCap), 'base64url');
}
