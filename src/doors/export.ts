import { visibleAccount } from '../../schema/account.ts';
import { notFound } from '../../schema/errors.ts';
import type { Server } from '../../sql/servers/servers.ts';
import { createExport } from '../export/handler.ts';
import { accountNamed } from '../export/parameters.ts';
import { type Identified, unauthorized } from '../http/authenticate.ts';
import type { App, Request } from '../http/reply.ts';
import { WatchedDatabase } from '../observability/watched-database.ts';
import { parseQuery } from '../rest/query-string.ts';
import type { Authentication, DoorDependencies } from './dependencies.ts';
import { type Admitted, enter, type Known, owning } from './enter.ts';

/** The doors of `/v1`, and behind them everything as a stream. */
export function createExportDoors(dependencies: DoorDependencies & Authentication): App {
  const answer = createExport(dependencies.config.exportConcurrency, dependencies.exportPatience);
  return enter(dependencies, {
    methods: ['GET'],
    admit,
    answer: ({ request, server, known: { account, keyId }, now }) => {
      const { isGone, notes } = request;
      return answer(request, {
        account,
        now,
        database: new WatchedDatabase(server.database, { key: keyId, isGone, notes }),
        snapshot: () => server.database.snapshot(),
      });
    },
  });
}

/** An internal token asks for the account that it names. */
function admit(caller: Identified, request: Request): Admitted<Known> {
  if (caller.account) return { isRated: true, known: owning(caller) };
  const name = accountNamed(parseQuery(request.query));
  if (name === undefined) throw unauthorized(true);
  return { isRated: true, known: server => naming(name, caller, request, server) };
}

async function naming(name: string, caller: Identified, request: Request, server: Server): Promise<Known> {
  const { isGone, notes } = request;
  const database = new WatchedDatabase(server.database, { key: caller.keyId, isGone, notes });
  const account = await request.inTime(visibleAccount(name, { account: null, database }));
  if (!account) throw notFound('Account not found');
  return { ...caller, account };
}
