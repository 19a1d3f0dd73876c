import { createExport } from '../export/handler.ts';
import { accountNamed } from '../export/parameters.ts';
import type { App } from '../http/reply.ts';
import { WatchedDatabase } from '../observability/watched-database.ts';
import { parseQuery } from '../rest/query-string.ts';
import type { Authentication, DoorDependencies } from './dependencies.ts';
import { enter } from './enter.ts';

/** The doors of `/v1`, and behind them everything as a stream. */
export function createExportDoors(dependencies: DoorDependencies & Authentication): App {
  const { clock, config } = dependencies;
  const answer = createExport(config.exportConcurrency);
  return enter(
    dependencies,
    ({ account, keyId }, request, server) => {
      const { isGone, notes } = request;
      return answer(request, {
        account,
        now: clock.now(),
        database: new WatchedDatabase(server.database, { key: keyId, isGone, notes }),
        snapshot: () => server.database.snapshot(),
      });
    },
    request => accountNamed(parseQuery(request.query)),
  );
}
