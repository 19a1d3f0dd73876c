import { isServersFault } from '../sql/client/breaker.ts';
import type { DatabaseClient } from '../sql/client.ts';
import type { Server, Servers } from '../sql/servers/servers.ts';
import { causeOf } from './observability/logger.ts';

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
