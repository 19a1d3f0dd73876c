import { caughtIfPromise, type Soon, thenIfPromise } from '@sightline/json/then-if-promise';
import { isServersFault } from '@sightline/postgres';
import { hasApiAccess } from '../../schema/entitlements.ts';
import type { Account } from '../../sql/account.ts';
import type { DatabaseClient } from '../../sql/client.ts';
import type { Server, Servers } from '../../sql/servers/servers.ts';
import { type Authenticate, type Identified, unauthorized } from '../http/authenticate.ts';
import type { App, Reply, Request } from '../http/reply.ts';
import { errorReply, isUnforeseen, Refusal } from '../http/respond.ts';
import { causeOf, type Logger } from '../observability/logger.ts';
import { traced } from '../observability/tracing.ts';
import type { Authentication, DoorDependencies } from './dependencies.ts';

/** A key's caller that may go on, before its rate is counted. */
export interface Admitted<Caller> {
  isRated: boolean;
  /** The caller, or a look-up of it, which runs once the rate was counted. */
  known: Caller | ((server: Server) => Promise<Caller>);
}

/** The differences between the rooms behind the doors. */
export interface Room<Caller extends Identified> {
  methods: readonly string[];
  /** Decides who may go on. @throws {Refusal} `401` */
  admit(caller: Identified, request: Request): Admitted<Caller>;
  answer(entered: Entered<Caller>): Soon<Reply>;
}

/**
 * The doors before the route: method, key, rate and API access, in the order in which they are documented. Every answer
 * to a request whose rate was counted says the rest of it.
 */
export function enter<Caller extends Identified>(
  { servers, clock, rateLimit, logger, authenticateOn }: DoorDependencies & Authentication,
  { methods, admit, answer }: Room<Caller>,
): App {
  const allowed = { Allow: methods.join(', ') };
  return request => {
    if (!methods.includes(request.method)) throw new Refusal('methodNotAllowed', allowed);
    let budget: Record<string, string> | undefined;
    const work: Work<Reply> = (server, spoils) => {
      const now = clock.now();
      return thenIfPromise(identify(request, authenticateOn(server), now), caller => {
        const admitted = admit(caller, request);
        return thenIfPromise(budget ?? (admitted.isRated ? rateLimit(caller.keyId) : {}), rated => {
          budget = rated;
          if (caller.account && !hasApiAccess(caller.account, now)) throw new Refusal('noApiAccess');
          const known = typeof admitted.known === 'function' ? admitted.known(server) : admitted.known;
          return thenIfPromise(known, known => {
            if (known.account) request.notes.account = known.account.id;
            return thenIfPromise(answer({ request, server, known, now, spoils }), request.letWait);
          });
        });
      });
    };
    const fail = (error: unknown) => {
      if (!budget) throw error;
      return failed(error, request, logger);
    };
    const reply = caughtIfPromise(() => withFailover(servers, work), fail);
    return thenIfPromise(reply, reply => {
      Object.assign(reply.headers, budget);
      return reply;
    });
  };
}

/**
 * Work that reads from one server and may be done once more.
 * @param spoils whether an error that is told in the result makes it worthless, since another server is asked
 */
type Work<Result> = (server: Server, spoils: (error: unknown) => boolean) => Soon<Result>;

/** Does the work on one server, and where that goes away meanwhile, all of it again on another one. */
function withFailover<Result>(servers: Servers, work: Work<Result>): Soon<Result> {
  const server = servers.choose();
  let other: Server | undefined;
  const spoils = (error: unknown) => {
    if (isServersFault(causeOf(error))) other ??= servers.insteadOf(server);
    return other !== undefined;
  };
  const spoilt = (error: unknown) => {
    if (!spoils(error)) throw error;
    return undefined;
  };
  const first = caughtIfPromise<Result | undefined>(() => work(server, spoils), spoilt);
  return thenIfPromise(first, result => (other ? work(other, () => false) : result!));
}

export function oncePerServer<Made>(make: (database: DatabaseClient) => Made): (server: Server) => Made {
  const made = new Map<Server, Made>();
  return server => {
    const known = made.get(server) ?? make(server.database);
    made.set(server, known);
    return known;
  };
}

export type Known = Identified & { account: Account };

/** A request behind the doors before the route. */
export interface Entered<Caller extends Identified = Known> {
  request: Request;
  server: Server;
  known: Caller;
  /** One instant for the whole request. */
  now: Date;
  /** Tells whether an error that the answer tells makes it worthless, since another server is asked. */
  spoils(error: unknown): boolean;
}

/** @throws {Refusal} `401` for an internal token */
export function requireAccount(caller: Identified): Known {
  if (!caller.account) throw unauthorized(true);
  return caller as Known;
}

/** Notes the caller on the request. */
function identify(request: Request, authenticate: Authenticate, now: Date): Soon<Identified> {
  const leased = authenticate.leased(request.headers.authorization, now);
  return thenIfPromise(leased ?? lookUp(request, authenticate), caller => {
    if (caller.account) request.notes.account = caller.account.id;
    return caller;
  });
}

export function lookUp(request: Request, authenticate: Authenticate): Promise<Identified> {
  const { notes, headers } = request;
  const span = () => ({ name: 'authenticate' });
  return traced(notes.trace, span, () => request.inTime(authenticate(headers.authorization)));
}

export function failed(error: unknown, request: Request, logger: Logger): Reply {
  // Work for a client that went away is given up, and that is as it should be.
  if (isUnforeseen(error) && !request.isGone())
    logger.error({ err: error, requestId: request.id }, 'a request failed');
  return errorReply(error);
}
