import { createHash, randomUUID } from 'node:crypto';
import { printSchema } from 'graphql';
import { dayOf } from '../../schema/calendar.ts';
import type { Context } from '../../schema/context.ts';
import { restSchema } from '../../schema/index.ts';
import { directLoaders, type Loaders } from '../../schema/loaders.ts';
import type { Account } from '../../sql/account.ts';
import type { Database } from '../../sql/client.ts';
import { AnswerCache, onlyReply } from '../http/answers.ts';
import { entityTag, matches } from '../http/conditional.ts';
import type { App, Reply } from '../http/reply.ts';
import type { Body } from '../json/json.ts';
import { WatchedDatabase } from '../observability/watched-database.ts';
import type { Variables } from '../rest/arguments.ts';
import { createFacade } from '../rest/facade.ts';
import { BASE_PATH } from '../rest/fields.ts';
import type { Authentication, DoorDependencies } from './dependencies.ts';
import { type Entered, enter, lookUp, owning } from './enter.ts';

/** The doors of `/v1`, in the order in which they are documented. */
export async function createV1(dependencies: DoorDependencies & Authentication): Promise<App> {
  const { servers, config, longestAnswer, metrics, authenticateOn } = dependencies;
  const facade = await createFacade();
  const release = releaseTag(config);
  const answers = new AnswerCache(config.answerCacheSize);
  metrics?.watchAnswers(answers);

  /** @param tries how often the account may move on meanwhile; then its tag tells no state */
  async function answer(entered: Entered, tries = 3): Promise<Reply> {
    const { request, server, known, now } = entered;
    const { account } = known;
    const { route, variables } = facade(request.path.slice(BASE_PATH.length), request.query);
    request.notes.route = route.operation.template;
    const period = periodOf(variables, now);
    const tag = entityTag(release + server.timeline, account, period, `${request.path}?${request.query}`);
    const headers = {
      ETag: tag,
      'Cache-Control': 'private, no-cache',
      Vary: 'Authorization, Accept-Encoding',
    };
    const unchanged = { status: 304, headers, body: '' };
    const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = request.headers;
    if (matches(ifNoneMatch, tag)) return unchanged;
    const kept = answers.get(tag);
    // "*" names whatever there is, so it has to be known that there is something.
    if (kept) return ifNoneMatch === '*' ? unchanged : kept.reply(headers, acceptEncoding);
    const context = new OwnContext(entered, config.reportsResultCap, longestAnswer);
    const work = route.answer(variables, context);
    const body = work instanceof Promise ? await request.inTime(work) : work;
    // While a change is announced, several servers may have come to different versions of it.
    if (known.isChanging) return passing(body, headers, acceptEncoding);
    // What was read may be of a version that came meanwhile; of several servers, one may lag behind the others.
    if (servers.areSeveral || performance.now() >= known.sureUntil) {
      const present = owning(await lookUp(request, authenticateOn(server)));
      const isSame = present.account.version === account.version;
      if (!isSame && tries > 0) return answer({ ...entered, known: present }, tries - 1);
      if (!isSame) return passing(body, headers, acceptEncoding);
    }
    if (ifNoneMatch === '*') return unchanged;
    return answers.first(tag, body, headers, acceptEncoding);
  }

  return enter(dependencies, {
    methods: ['GET'],
    admit: caller => ({ isRated: true, known: owning(caller) }),
    answer,
  });
}

/**
 * What the resolvers of a request know. What an answer may need of the database is made when it is asked for: many need
 * nothing. It is a class since an object with accessors of its own outlives its request in V8.
 */
class OwnContext implements Context {
  readonly account: Account;
  readonly now: Date;
  readonly reportsResultCap: number;
  readonly longestAnswer: number | undefined;
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

/**
 * The data moved on while it was read, or is about to: the answer is right, but it is not known of which version. So
 * its tag is of this answer alone, and it is not kept.
 */
function passing(
  body: Body,
  headers: Record<string, string>,
  acceptEncoding: string | string[] | undefined,
): Promise<Reply> {
  headers.ETag = `W/"${randomUUID()}"`;
  return onlyReply({ status: 200, headers, body }, acceptEncoding);
}

/** What an answer's dependence on the time comes to: the day, and the hour where a period can begin within it. */
function periodOf(variables: Variables, now: Date): string {
  return variables.unit === 'hours' ? now.toISOString().slice(0, 13) : dayOf(now);
}

/** Changes with whatever makes other answers of the same data. */
function releaseTag({ reportsResultCap }: DoorDependencies['config']): string {
  return createHash('sha1')
    .update(printSchema(restSchema))
    .update(String(reportsResultCap))
    .digest('base64url');
}
