import { visibleAccount } from '../../schema/account.ts';
import { hasApiAccess } from '../../schema/entitlements.ts';
import { notFound } from '../../schema/errors.ts';
import type { Account } from '../../sql/account.ts';
import type { Server } from '../../sql/servers/servers.ts';
import { type Authenticate, type Identified, unauthorized } from '../http/authenticate.ts';
import type { App, Reply, Request } from '../http/reply.ts';
import { errorReply, isUnforeseen, Refusal } from '../http/respond.ts';
import type { Logger } from '../observability/logger.ts';
import { traced } from '../observability/tracing.ts';
import { WatchedDatabase } from '../observability/watched-database.ts';
import { reading } from '../reading.ts';
import type { Authentication, DoorDependencies } from './dependencies.ts';

/**
 * The doors before the route: method, key, rate and API access, in the order in which they are documented.
 * @param namedBy whose data an internal token asks for; it is refused where that is undefined
 */
export function enter(
  { servers, clock, rateLimit, logger, authenticateOn }: DoorDependencies & Authentication,
  answer: (known: Known, request: Request, server: Server) => Promise<Reply>,
  namedBy: (request: Request) => string | undefined = () => undefined,
): App {
  return async request => {
    if (request.method !== 'GET') throw new Refusal('methodNotAllowed', { Allow: 'GET' });
    let budget: Record<string, string> | undefined;
    const reply = await reading(servers, async server => {
      const caller = await identify(request, authenticateOn(server));
      const { account } = caller;
      const name = account ? account.id : namedBy(request);
      if (name === undefined) throw unauthorized(true);
      budget ??= await rateLimit(caller.keyId);
      if (account && !hasApiAccess(account, clock.now())) throw new Refusal('noApiAccess');
      const known = account ? owning(caller) : await naming(name, caller, request, server);
      request.notes.account = known.account.id;
      return answer(known, request, server);
    }).catch(error => {
      if (!budget) throw error;
      return failed(error, request, logger);
    });
    Object.assign(reply.headers, budget);
    return reply;
  };
}

/** Who asks for what an account has. */
export type Known = Identified & { account: Account };

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
export async function identify(request: Request, authenticate: Authenticate): Promise<Identified> {
  const leased = authenticate.leased(request.headers.authorization);
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
