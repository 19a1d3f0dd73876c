import { visibleAccount } from '../../schema/account.ts';
import { hasApiAccess } from '../../schema/entitlements.ts';
import { notFound } from '../../schema/errors.ts';
import type { Account } from '../../sql/account.ts';
import { isServersFault } from '../../sql/client/breaker.ts';
import type { DatabaseClient } from '../../sql/client.ts';
import type { Server, Servers } from '../../sql/servers/servers.ts';
import { type Authenticate, type Identified, unauthorized } from '../http/authenticate.ts';
import type { App, Reply, Request } from '../http/reply.ts';
import { errorReply, isUnforeseen, Refusal } from '../http/respond.ts';
import { causeOf, type Logger } from '../observability/logger.ts';
import { traced } from '../observability/tracing.ts';
import { WatchedDatabase } from '../observability/watched-database.ts';
import type { Authentication, DoorDependencies } from './dependencies.ts';

/**
 * The doors before the route: method, key, rate and API access, in the order in which they are documented.
 * @param namedBy whose data an internal token asks for; it is refused where that is undefined
 */
export function enter(
  { servers, clock, rateLimit, logger, authenticateOn }: DoorDependencies & Authentication,
  answer: (entered: Entered) => Promise<Reply>,
  namedBy: (request: Request) => string | undefined = () => undefined,
): App {
  return async request => {
    if (request.method !== 'GET') throw new Refusal('methodNotAllowed', { Allow: 'GET' });
    let budget: Record<string, string> | undefined;
    const reply = await reading(servers, async server => {
      const now = clock.now();
      const caller = await identify(request, authenticateOn(server), now);
      const { account } = caller;
      const name = account ? account.id : namedBy(request);
      if (name === undefined) throw unauthorized(true);
      budget ??= await rateLimit(caller.keyId);
      if (account && !hasApiAccess(account, now)) throw new Refusal('noApiAccess');
      const known = account ? owning(caller) : await naming(name, caller, request, server);
      request.notes.account = known.account.id;
      return answer({ request, server, known, now });
    }).catch(error => {
      if (!budget) throw error;
      return failed(error, request, logger);
    });
    Object.assign(reply.headers, budget);
    return reply;
  };
}

/**
 * Work that reads from one server and may be done once more.
 * @param spoils whether an error that is told in the result makes it worthless, since another server is asked
 */
type Work<Result> = (server: Server, spoils: (error: unknown) => boolean) => Promise<Result>;

/** Does the work on one server, and where that goes away meanwhile, all of it again on another one. */
export async function reading<Result>(servers: Servers, work: Work<Result>): Promise<Result> {
  const server = servers.choose();
  let other: Server | undefined;
  const spoils = (error: unknown) => {
    if (isServersFault(causeOf(error))) other ??= servers.insteadOf(server);
    return other !== undefined;
  };
  try {
    const result = await work(server, spoils);
    if (!other) return result;
  } catch (error) {
    if (!spoils(error) || !other) throw error;
  }
  return work(other, () => false);
}

/** What is made once for each server. */
export function forEach<Made>(make: (database: DatabaseClient) => Made): (server: Server) => Made {
  const made = new Map<Server, Made>();
  return server => {
    const known = made.get(server) ?? make(server.database);
    made.set(server, known);
    return known;
  };
}

/** Who asks for what an account has. */
export type Known = Identified & { account: Account };

/** A request behind the doors before the route. */
export interface Entered {
  request: Request;
  server: Server;
  known: Known;
  /** One instant for the whole request. */
  now: Date;
}

export function owning(caller: Identified): Known {
  if (!caller.account) throw unauthorized(true);
  return caller as Known;
}

async function naming(name: string, caller: Identified, request: Request, server: Server): Promise<Known> {
  const { isGone, notes } = request;
  const database = new WatchedDatabase(server.database, { key: caller.keyId, isGone, notes });
  const account = await request.inTime(visibleAccount(name, { account: null, database }));
  if (!account) throw notFound('Account not found');
  return { ...caller, account };
}

/** Who asks, as the request notes it. */
export async function identify(request: Request, authenticate: Authenticate, now: Date): Promise<Identified> {
  const leased = authenticate.leased(request.headers.authorization, now);
  const caller = leased ?? (await lookUp(request, authenticate));
  if (caller.account) request.notes.account = caller.account.id;
  return caller;
}

const AUTHENTICATE = () => ({ name: 'authenticate' });

export function lookUp(request: Request, authenticate: Authenticate): Promise<Identified> {
  const { notes, headers } = request;
  return traced(notes.trace, AUTHENTICATE, () => request.inTime(authenticate(headers.authorization)));
}

export function failed(error: unknown, request: Request, logger: Logger): Reply {
  // Work for a client that went away is given up, and that is as it should be.
  if (isUnforeseen(error) && !request.isGone())
    logger.error({ err: error, requestId: request.id }, 'a request failed');
  return errorReply(error);
}
