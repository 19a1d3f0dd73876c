import { createHash, randomUUID } from 'node:crypto';
import { printSchema } from 'graphql';
import { dayOf } from '../schema/calendar.ts';
import type { Context } from '../schema/context.ts';
import { hasApiAccess } from '../schema/entitlements.ts';
import { restSchema } from '../schema/index.ts';
import { keepGroups, ofTimeline } from '../schema/kept-groups.ts';
import { directLoaders, gatheringLoaders, type Loaders } from '../schema/loaders.ts';
import type { Account } from '../sql/account.ts';
import type { Database, DatabaseClient } from '../sql/client.ts';
import type { Caller } from '../sql/keys.ts';
import type { Server, Servers } from '../sql/servers/servers.ts';
import { type AppPage, isPagePath } from './app-page/app-page.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { createExport, EXPORT_PATH } from './export/handler.ts';
import { createGraphQLHandler, graphiQLPage, isGraphiQLPage } from './graphql/handler.ts';
import { UNREAD } from './graphql/outcome.ts';
import { Answer, AnswerCache, compressReply, streamReply } from './http/answers.ts';
import { type Authenticate, createAuthenticate, type Identified, unauthorized } from './http/authenticate.ts';
import { entityTag, matches } from './http/conditional.ts';
import type { RateLimit } from './http/rate-limit.ts';
import { json, type Reply, type Request } from './http/reply.ts';
import { errorReply, isUnforeseen, Refusal } from './http/respond.ts';
import { type StaticFiles, serveFile } from './http/static-files.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './observability/metrics.ts';
import { nameOperation, traced } from './observability/tracing.ts';
import { watchDatabase } from './observability/watched-database.ts';
import { forEach, reading } from './reading.ts';
import { type Call, createFacade } from './rest/facade.ts';
import { isWhole, type Json } from './rest/json.ts';
import { BASE_PATH } from './rest/operations.ts';

export interface AppDependencies {
  /** Those that are read from. */
  servers: Servers;
  clock: Clock;
  config: Pick<
    Config,
    'reportsResultCap' | 'graphiql' | 'answerCacheSize' | 'keyLease' | 'exportConcurrency'
  >;
  logger: Logger;
  rateLimit: RateLimit;
  /** Undefined where nobody can ask for them. */
  metrics?: Metrics | undefined;
  /** Whether the service can answer: for `/readyz`. */
  isReady(): Promise<boolean>;
  /** The documentation and the OpenAPI description, by path. */
  files: StaticFiles;
  /** The page at `/app`; undefined where it is switched off. */
  page?: AppPage | undefined;
}

/** Answers every request, whatever happens. */
export type App = (request: Request) => Promise<Reply>;

type Room = [belongs: (path: string) => boolean, route: string, answer: App];

export async function createApp(dependencies: AppDependencies): Promise<App> {
  const { logger, page } = dependencies;
  const isV1 = (path: string) => path === BASE_PATH || path.startsWith(`${BASE_PATH}/`);
  const rooms: Room[] = [
    [isV1, `${BASE_PATH}/*`, await createV1(dependencies)],
    [path => path.startsWith(`${EXPORT_PATH}/`), `${EXPORT_PATH}/*`, exportDoors(dependencies)],
    [path => path === '/graphql', '/graphql', createGraphQL(dependencies)],
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

const AUTHENTICATE = () => ({ name: 'authenticate' });
const GRAPHQL = () => ({ name: 'graphql' });

/** The doors of `/v1`, in the order in which they are documented. */
async function createV1(dependencies: AppDependencies): Promise<App> {
  const { servers, clock, config, metrics } = dependencies;
  const authenticateOn = forEach(database => createAuthenticate(database, clock, config.keyLease));
  const facade = await createFacade();
  const release = releaseTag(config);
  const answers = new AnswerCache(config.answerCacheSize);
  metrics?.watchAnswers(answers);

  /** @param tries how often the account may move on meanwhile; then its tag tells no state */
  async function answer(known: Known, request: Request, server: Server, tries = 3): Promise<Reply> {
    const { account } = known;
    const now = clock.now();
    const call = facade(request.path.slice(BASE_PATH.length), request.query);
    request.notes.route = call.operation.template;
    const period = periodOf(call, now);
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
    const run = call.run(new OwnContext(known, request, server.database, now, config.reportsResultCap));
    const body = run instanceof Promise ? await request.inTime(run) : run;
    // While a change is announced, several servers may have come to different versions of it (decision 40).
    if (known.isChanging) return passing(body, headers, acceptEncoding);
    // What was read may be of a version that came meanwhile; of several servers, one may lag behind the others.
    if (servers.areSeveral || performance.now() >= known.sureUntil) {
      const present = owning(await lookUp(request, authenticateOn(server)));
      const isSame = present.account.version === account.version;
      if (!isSame && tries > 0) return answer(present, request, server, tries - 1);
      if (!isSame) return passing(body, headers, acceptEncoding);
    }
    if (ifNoneMatch === '*') return unchanged;
    return firstReply(body, headers, acceptEncoding, made => answers.keep(tag, made));
  }

  return enter(dependencies, (known, request, server) => answer(known, request, server));
}

/** The doors before the route: method, key, rate and API access, in the order in which they are documented. */
function enter(
  { servers, clock, config, rateLimit, logger }: AppDependencies,
  answer: (known: Known, request: Request, server: Server) => Promise<Reply>,
): App {
  const authenticateOn = forEach(database => createAuthenticate(database, clock, config.keyLease));
  return async request => {
    if (request.method !== 'GET') throw new Refusal('methodNotAllowed', { Allow: 'GET' });
    let budget: Record<string, string> | undefined;
    const reply = await reading(servers, async server => {
      const authenticate = authenticateOn(server);
      const leased = authenticate.leased(request.headers.authorization);
      const known = owning(leased ?? (await lookUp(request, authenticate)));
      request.notes.account = known.account.id;
      budget ??= await rateLimit(known.keyId);
      if (!hasApiAccess(known.account, clock.now())) throw new Refusal('noApiAccess');
      return answer(known, request, server);
    }).catch(error => {
      if (!budget) throw error;
      return failed(error, request, logger);
    });
    Object.assign(reply.headers, budget);
    return reply;
  };
}

/** The same doors, and then everything as a stream. */
function exportDoors(dependencies: AppDependencies): App {
  const { clock, config } = dependencies;
  const answer = createExport(config.exportConcurrency);
  return enter(dependencies, ({ account, keyId }, request, server) => {
    const { isGone, notes } = request;
    return answer(request, {
      account,
      now: clock.now(),
      database: watchDatabase(server.database.for({ key: keyId, isGone }), notes),
      snapshot: () => server.database.snapshot(),
    });
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
  #known: Known;
  #request: Request;
  #database: DatabaseClient;

  constructor(known: Known, request: Request, database: DatabaseClient, now: Date, reportsResultCap: number) {
    this.account = known.account;
    this.now = now;
    this.reportsResultCap = reportsResultCap;
    this.#known = known;
    this.#request = request;
    this.#database = database;
  }

  get database(): Database {
    const { isGone, notes } = this.#request;
    return watchDatabase(this.#database.for({ key: this.#known.keyId, isGone }), notes);
  }

  get load(): Loaders {
    return directLoaders(this.database);
  }
}

/** Who asks for what an account has. */
type Known = Identified & { account: Account };

function owning(caller: Identified): Known {
  if (!caller.account) throw unauthorized(true);
  return caller as Known;
}

function lookUp(request: Request, authenticate: Authenticate): Promise<Identified> {
  const { notes, headers } = request;
  return traced(notes.trace, AUTHENTICATE, () => request.inTime(authenticate(headers.authorization)));
}

/**
 * The data moved on while it was read, or is about to: the answer is right, but it is not known of which version. So
 * its tag is of this answer alone, and it is not kept.
 */
function passing(
  body: Json | AsyncIterable<Buffer>,
  headers: Record<string, string>,
  acceptEncoding: string | string[] | undefined,
): Promise<Reply> | Reply {
  headers.ETag = `W/"${randomUUID()}"`;
  return firstReply(body, headers, acceptEncoding, made => made.drop());
}

/** @param settle what becomes of the answer: after its first reply, since it may be gone by then */
function firstReply(
  body: Json | AsyncIterable<Buffer>,
  headers: Record<string, string>,
  acceptEncoding: string | string[] | undefined,
  settle: (made: Answer) => void,
): Promise<Reply> | Reply {
  if (!isWhole(body)) return streamReply(body, headers, acceptEncoding);
  const made = new Answer(body);
  const reply = made.reply(headers, acceptEncoding);
  settle(made);
  return reply;
}

function failed(error: unknown, request: Request, logger: Logger): Reply {
  // Work for a client that went away is given up, and that is as it should be.
  if (isUnforeseen(error) && !request.isGone())
    logger.error({ err: error, requestId: request.id }, 'a request failed');
  return errorReply(error);
}

/** What an answer's dependence on the time comes to: the day, and the hour where a period can begin within it. */
function periodOf({ variables }: Call, now: Date): string {
  return variables.unit === 'hours' ? now.toISOString().slice(0, 13) : dayOf(now);
}

/** Changes with whatever makes other answers of the same data. */
function releaseTag({ reportsResultCap }: AppDependencies['config']): string {
  return createHash('sha1')
    .update(printSchema(restSchema))
    .update(String(reportsResultCap))
    .digest('base64url');
}

function createGraphQL({ servers, clock, config, rateLimit, logger, metrics }: AppDependencies): App {
  const authenticateOn = forEach(database => createAuthenticate(database, clock, config.keyLease));
  const handle = createGraphQLHandler({
    logError: error => logger.error({ err: error }, 'a GraphQL request failed'),
  });
  const groups = keepGroups(config.answerCacheSize / 4);
  const gatheringContext = ({ account }: Caller, database: Database, timeline: string): Context => ({
    account,
    database,
    load: gatheringLoaders(database),
    now: clock.now(),
    reportsResultCap: config.reportsResultCap,
    keptGroups: ofTimeline(groups, timeline),
  });

  return async request => {
    const { method, path, query, headers } = request;
    if (method !== 'GET' && method !== 'POST') throw new Refusal('methodNotAllowed', { Allow: 'GET, POST' });
    const asked = { method, target: query ? `${path}?${query}` : path, headers };
    if (config.graphiql && isGraphiQLPage(asked)) return (await graphiQLPage()).reply(request);
    const { id, notes } = request;
    let budget: Record<string, string> | undefined;
    let body: Buffer | undefined;
    const { outcome = UNREAD, ...reply } = await reading(servers, async (server, spoils) => {
      const authenticate = authenticateOn(server);
      const leased = authenticate.leased(headers.authorization);
      const caller = leased ?? (await lookUp(request, authenticate));
      const { account, keyId } = caller;
      if (account) notes.account = account.id;
      budget ??= account ? await rateLimit(keyId) : {};
      if (account && !hasApiAccess(account, clock.now())) throw new Refusal('noApiAccess', budget);
      body ??= await request.body();
      const sent = { ...asked, body };
      const logError = (error: unknown) => {
        if (spoils(error) || request.isGone()) return;
        logger.error({ err: error, requestId: id }, 'a GraphQL request failed');
      };
      return traced(notes.trace, GRAPHQL, async trace => {
        const own = server.database.for({ key: keyId, isGone: request.isGone });
        const context = gatheringContext(caller, watchDatabase(own, notes, trace), server.timeline);
        const handled = await request.inTime(handle(sent, context, logError));
        nameOperation(trace, handled.outcome ?? UNREAD);
        return handled;
      });
    });
    metrics?.operation(outcome.code, outcome.limit);
    const told = { ...reply, headers: Object.assign({}, reply.headers, budget) };
    return compressReply(told, headers['accept-encoding']);
  };
}

async function ready({ isReady, servers }: AppDependencies): Promise<Reply> {
  if (!(await isReady())) throw new Refusal('unavailable');
  const server = servers.areSeveral ? { server: servers.choose().name } : {};
  return json(JSON.stringify({ status: 'ready', ...server }));
}
