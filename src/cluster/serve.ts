import { connect } from '../../sql/client.ts';
import { type Config, httpAddress } from '../config.ts';
import { startAdmin } from '../http/admin.ts';
import { countForAll } from '../http/counting.ts';
import { getCloseLimit } from '../http/deadlines.ts';
import { requireFreePort } from '../http/listen.ts';
import type { Logger } from '../observability/logger.ts';
import { metricsOfAll } from '../observability/metrics.ts';
import { serviceVersion } from '../observability/version.ts';
import type { OneTimeKey } from '../pages/sign-in.ts';
import { preflight, Unserviceable } from '../preflight.ts';
import { Workers } from '../workers/workers.ts';
import { redeemForAll } from './one-time-key.ts';

export interface ManyOptions {
  config: Config;
  databaseUrl: string;
  logger: Logger;
  /** The key that the page's one-time link signs in with. */
  oneTimeKey?: OneTimeKey | undefined;
  /** Settings of the workers that differ from those of this process. */
  env?: Readonly<Record<string, string>>;
}

export interface Many {
  url: string;
  /** The longest time for closing after the grace period, in milliseconds. */
  closeLimit: number;
  close(): Promise<void>;
  /** Replaces the workers one after the other. Secret files and the program itself are read again. */
  reload(): void;
}

/** Additional time for notifying the workers and waiting for them, in milliseconds. */
const SLACK = 200;

/**
 * Serves with several processes on one port. The primary distributes connections, restarts workers, counts for the
 * rate limit and aggregates metrics.
 * @throws {Unserviceable} {ListenFailed} {WorkerFailed}
 */
export async function serveByMany({
  config,
  databaseUrl,
  logger,
  oneTimeKey,
  env = {},
}: ManyOptions): Promise<Many> {
  await requireServiceable(config, databaseUrl);
  await requireFreePort(config);
  // With Redis, the workers count there.
  countForAll(config.rateLimit.window);
  redeemForAll(oneTimeKey);
  const { host, adminPort, processes: count } = config;
  const admin =
    adminPort === undefined ? undefined : await startAdmin({ host, port: adminPort }, metricsOfAll());
  const close = async () => {
    await workers.close();
    admin?.close();
  };
  const onRefusal = async () => {
    await close();
    process.exit(1);
  };
  const workers = new Workers({ count, args: ['serve'], env, logger, version: serviceVersion, onRefusal });
  try {
    const port = await workers.start();
    return {
      url: httpAddress(host, port),
      closeLimit: getCloseLimit(config.database.statementTimeout) + SLACK,
      close,
      reload: () => void workers.reload(),
    };
  } catch (error) {
    admin?.close();
    throw error;
  }
}

/** Reports problems once, before any worker starts. Waits for an unreachable database. */
async function requireServiceable({ database: settings }: Config, url: string): Promise<void> {
  const database = connect({ ...settings, url, poolSize: 1 });
  try {
    await preflight(database, settings.role);
  } catch (error) {
    if (error instanceof Unserviceable) throw error;
  } finally {
    await database.end();
  }
}
