import { createExport } from '../export/handler.ts';
import { accountNamed } from '../export/parameters.ts';
import type { App } from '../http/reply.ts';
import { WatchedDatabase } from '../observability/watched-database.ts';
import { parseQuery } from '../rest/query-string.ts';
import type { Authentication, DoorDependencies } from './dependencies.ts';
import { enter } from './enter.ts';

/** The doors of `/v1`, and behind them everything as a stream. */
export function createExportDoors(dependencies: DoorDependencies & Authentication): App {
  const answer = createExport(dependencies.config.exportConcurrency);
  return enter(
    dependencies,
    ({ request, server, known: { account, keyId }, now }) => {
      const { isGone, notes } = request;
      return answer(request, {
        account,
        now,
        database: new WatchedDatabase(server.database, { key: keyId, isGone, notes }),
        snapshot: () => server.database.snapshot(),
      });
    },
    request => accountNamed(parseQuery(request.query)),
  );
}
