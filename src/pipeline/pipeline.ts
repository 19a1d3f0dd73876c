import { isServersFault } from '@sightline/pg-client';
import { hasApiAccess } from '../../schema/entitlements.ts';
import type { Account } from '../../sql/account.ts';
import type { DatabaseClient } from '../../sql/client.ts';
import type { ReadServer, Servers } from '../../sql/servers/servers.ts';
import { catchMaybePromise, type MaybePromise, mapMaybePromise } from '../executor/maybe-promise.ts';
import { type Authenticate, type IdentifiedKey, unauthorized } from '../http/authenticate.ts';
import type { Reply, Request } from '../http/reply.ts';
import { errorReply, isUnforeseen, Refusal } from '../http/respond.ts';
import { findCause, type Logger } from '../observability/logger.ts';
import { traceWork } from '../observability/tracing.ts';
import { BASE_PATH } from '../rest/fields.ts';
import type { Authentication, PipelineDependencies } from './dependencies.ts';

/** The result of authorization: the caller, and whether the request counts against a rate limit. */
export interface Authorization<Caller> {
  isRated: boolean;
  /** The caller, or a look-up that runs after the rate was counted. */
  caller: Caller | ((server: ReadServer) => Promise<Caller>);
}

/** The differences between the endpoints that need a key. */
export interface Endpoint<Caller extends IdentifiedKey> {
  methods: readonly string[];
  /**
   * Authorizes the caller.
   * @throws {Refusal} `401`
   */
  authorize(caller: IdentifiedKey, request: Request): Authorization<Caller>;
  answer(authenticated: AuthenticatedRequest<Caller>): MaybePromise<Reply>;
}

/** Identifies the caller of a request other than by a key. */
export type Identify = (server: ReadServer) => Promise<IdentifiedKey>;

/** A request in the pipeline, with the results of its stages. */
interface PendingRequest<Caller extends IdentifiedKey> {
  request: Request;
  server: ReadServer;
  /** The time of the request, read once. */
  now: Date;
  identifyOn: Identify | undefined;
  identified?: IdentifiedKey;
  authorization?: Authorization<Caller>;
  /** The headers of the rate limit, once the request was counted; retries on other servers share them. */
  rate: { headers?: Record<string, string> };
  caller?: Caller;
}

/**
 * Adds the results of one check to the pending request.
 * @throws {Refusal} to end the request
 */
type Stage<Caller extends IdentifiedKey> = (pending: PendingRequest<Caller>) => MaybePromise<void>;

/**
 * The stages before the route, in the documented order: method (405), key (401), rate limit (429), API access (403).
 * Each response to a counted request includes the remaining limit.
 */
export function createPipeline<Caller extends IdentifiedKey>(
  { servers, clock, rateLimit, logger, authenticateOn }: PipelineDependencies & Authentication,
  { methods, authorize, answer }: Endpoint<Caller>,
): (request: Request, identifyOn?: Identify) => MaybePromise<Reply> {
  const allowed = { Allow: methods.join(', ') };

  const identifyCaller: Stage<Caller> = pending => {
    const { request, server, now, identifyOn } = pending;
    const identified = identifyOn
      ? request.inTime(identifyOn(server))
      : identify(request, authenticateOn(server), now);
    return mapMaybePromise(identified, caller => {
      pending.identified = caller;
    });
  };

  const authorizeCaller: Stage<Caller> = pending => {
    pending.authorization = authorize(pending.identified!, pending.request);
  };

  const countRequest: Stage<Caller> = pending => {
    const { rate, authorization, identified } = pending;
    if (rate.headers) return;
    const counted = authorization!.isRated ? rateLimit(identified!.keyId) : {};
    return mapMaybePromise(counted, headers => {
      rate.headers = headers;
    });
  };

  const checkApiAccess: Stage<Caller> = ({ identified, now }) => {
    const { account } = identified!;
    if (account && !hasApiAccess(account, now)) throw new Refusal('noApiAccess');
  };

  const resolveCaller: Stage<Caller> = pending => {
    const { caller } = pending.authorization!;
    const resolved = typeof caller === 'function' ? caller(pending.server) : caller;
    return mapMaybePromise(resolved, found => {
      pending.caller = found;
      if (found.account) pending.request.notes.account = found.account.id;
    });
  };

  const stages = [identifyCaller, authorizeCaller, countRequest, checkApiAccess, resolveCaller];

  return (request, identifyOn) => {
    if (!methods.includes(request.method)) throw new Refusal('methodNotAllowed', allowed);
    const rate: PendingRequest<Caller>['rate'] = {};
    const work: Work<Reply> = (server, shouldFailOver) => {
      const now = clock.now();
      const pending: PendingRequest<Caller> = { request, server, now, identifyOn, rate };
      return mapMaybePromise(runStages(stages, pending), () => {
        const reply = answer({ request, server, caller: pending.caller!, now, shouldFailOver });
        return mapMaybePromise(reply, request.letWait);
      });
    };
    const fail = (error: unknown) => {
      if (!rate.headers) throw error;
      return failed(error, request, logger);
    };
    const reply = catchMaybePromise(() => withFailover(servers, work), fail);
    return mapMaybePromise(reply, reply => {
      Object.assign(reply.headers, rate.headers);
      return reply;
    });
  };
}

function runStages<Caller extends IdentifiedKey>(
  stages: readonly Stage<Caller>[],
  pending: PendingRequest<Caller>,
  from = 0,
): MaybePromise<void> {
  for (let index = from; index < stages.length; index++) {
    const unfinished = stages[index]!(pending);
    if (unfinished) return mapMaybePromise(unfinished, () => runStages(stages, pending, index + 1));
  }
}

/**
 * Work that reads from one server and can be repeated on another.
 * @param shouldFailOver whether an error in the result calls for another server
 */
type Work<Result> = (server: ReadServer, shouldFailOver: (error: unknown) => boolean) => MaybePromise<Result>;

/** Does the work on one server. If that server becomes unreachable, repeats it on another one. */
function withFailover<Result>(servers: Servers, work: Work<Result>): MaybePromise<Result> {
  const server = servers.choose();
  let other: ReadServer | undefined;
  const shouldFailOver = (error: unknown) => {
    if (isServersFault(findCause(error))) other ??= servers.replacementFor(server);
    return other !== undefined;
  };
  const failOver = (error: unknown) => {
    if (!shouldFailOver(error)) throw error;
    return undefined;
  };
  const first = catchMaybePromise<Result | undefined>(() => work(server, shouldFailOver), failOver);
  return mapMaybePromise(first, result => (other ? work(other, () => false) : result!));
}

export function oncePerServer<Made>(make: (database: DatabaseClient) => Made): (server: ReadServer) => Made {
  const made = new Map<ReadServer, Made>();
  return server => {
    const existing = made.get(server) ?? make(server.database);
    made.set(server, existing);
    return existing;
  };
}

export type IdentifiedCaller = IdentifiedKey & { account: Account };

/** A request that has passed the stages before the route. */
export interface AuthenticatedRequest<Caller extends IdentifiedKey = IdentifiedCaller> {
  request: Request;
  server: ReadServer;
  caller: Caller;
  /** The time of the request, read once. */
  now: Date;
  /** Decides whether an error in the response calls for another server. */
  shouldFailOver(error: unknown): boolean;
}

/** @throws {Refusal} `401` for an internal token */
export function requireAccount(caller: IdentifiedKey): IdentifiedCaller {
  if (!caller.account) throw unauthorized(true);
  return caller as IdentifiedCaller;
}

/** Records the caller on the request. */
function identify(request: Request, authenticate: Authenticate, now: Date): MaybePromise<IdentifiedKey> {
  const leased = authenticate.getLeased(request.headers.authorization, now);
  return mapMaybePromise(leased ?? lookUp(request, authenticate), caller => {
    if (caller.account) request.notes.account = caller.account.id;
    return caller;
  });
}

export function lookUp(request: Request, authenticate: Authenticate): Promise<IdentifiedKey> {
  const { notes, headers } = request;
  const span = () => ({ name: 'authenticate' });
  return traceWork(notes.trace, span, () => request.inTime(authenticate(headers.authorization)));
}

export function failed(error: unknown, request: Request, logger: Logger): Reply {
  // Work for a disconnected client is aborted, which is not an error.
  if (isUnforeseen(error) && !request.isGone())
    logger.error({ err: error, requestId: request.id }, 'a request failed');
  return errorReply(error, isV1(request));
}

const isV1 = ({ path }: Request) => path === BASE_PATH || path.startsWith(`${BASE_PATH}/`);
