import { hash } from 'node:crypto';
import type { Soon } from '@sightline/json/then-if-promise';
import { printSchema } from 'graphql';
import { dayOf } from '../../schema/calendar.ts';
import type { Context } from '../../schema/context.ts';
import { restSchema } from '../../schema/index.ts';
import { directLoaders, type Loaders } from '../../schema/loaders.ts';
import type { Account } from '../../sql/account.ts';
import type { Database } from '../../sql/client.ts';
import { AnswerCache } from '../http/answers.ts';
import type { App, Reply } from '../http/reply.ts';
import { WatchedDatabase } from '../observability/watched-database.ts';
import type { Variables } from '../rest/arguments.ts';
import { createFacade } from '../rest/facade.ts';
import { BASE_PATH } from '../rest/fields.ts';
import type { Authentication, DoorDependencies } from './dependencies.ts';
import { type Entered, enter, lookUp, requireAccount } from './enter.ts';
import { createValidated } from './validated.ts';

/** The doors of `/v1`, in the order in which they are documented. */
export async function createV1(dependencies: DoorDependencies & Authentication): Promise<App> {
  const { config, longestAnswer, metrics, authenticateOn } = dependencies;
  const facade = await createFacade();
  const release = releaseTag(config);
  const answers = new AnswerCache(config.answerCacheSize);
  metrics?.watchAnswers(answers);
  const validated = createValidated(dependencies, answers);

  function answer(entered: Entered): Soon<Reply> {
    const { request, now } = entered;
    const { route, variables } = facade(request.path.slice(BASE_PATH.length), request.query);
    request.notes.route = route.operation.template;
    return validated(entered, {
      release,
      period: periodOf(variables, now),
      headers: { Vary: 'Authorization, Accept-Encoding' },
      make: asked => route.answer(variables, new OwnContext(asked, config.reportsResultCap, longestAnswer)),
      lookUp: async server => requireAccount(await lookUp(request, authenticateOn(server))),
    });
  }

  return enter(dependencies, {
    methods: ['GET'],
    admit: caller => ({ isRated: true, known: requireAccount(caller) }),
    answer,
  });
}

/**
 * The context of a request's resolvers. Access to the database is made at its first use: many answers need none. It is
 * a class since an object with accessors of its own outlives its request in V8.
 */
class OwnContext implements Context {
  readonly account: Account;
  readonly now: Date;
  readonly reportsResultCap: number;
  readonly longestAnswer: number | undefined;
  readonly isPlain = true;
  #entered: Entered;

  constructor(entered: Entered, reportsResultCap: number, longestAnswer: number | undefined) {
    this.account = entered.known.account;
    this.now = entered.now;
    this.reportsResultCap = reportsResultCap;
    this.longestAnswer = longestAnswer;
    this.#entered = entered;
  }

  get database(): Database {
    const { request, server, known } = this.#entered;
    const { isGone, notes } = request;
    return new WatchedDatabase(server.database, { key: known.keyId, isGone, notes });
  }

  get load(): Loaders {
    return directLoaders(this.database);
  }
}

/** The time that an answer depends on: the day, and the hour where a period can begin within it. */
function periodOf(variables: Variables, now: Date): string {
  return variables.unit === 'hours' ? now.toISOString().slice(0, 13) : dayOf(now);
}

/** Changes with whatever makes other answers of the same data. */
function releaseTag({ reportsResultCap }: DoorDependencies['config']): string {
  return hash('sha1', printSchema(restSchema) + String(reportsResultCap), 'base64url');
}
