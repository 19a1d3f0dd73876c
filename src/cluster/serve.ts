import { Workers } from '@sightline/workers';
import { connect } from '../../sql/client.ts';
import { type Config, httpAddress } from '../config.ts';
import { startAdmin } from '../http/admin.ts';
import { countForAll } from '../http/counting.ts';
import { closeLimitOf } from '../http/deadlines.ts';
import { requireFreePort } from '../http/listen.ts';
import type { Logger } from '../observability/logger.ts';
import { metricsOfAll } from '../observability/metrics.ts';
import type { OneTimeKey } from '../pages/sign-in.ts';
import { preflight, Unserviceable } from '../preflight.ts';
import { redeemForAll } from './one-time-key.ts';

export interface ManyOptions {
  config: Config;
  databaseUrl: string;
  logger: Logger;
  /** The key that the page's one-time link signs in with. */
  oneTimeKey?: OneTimeKey | undefined;
  /** Settings of the processes that serve, where they differ from those of this one. */
  env?: Readonly<Record<string, string>>;
}

export interface Many {
  url: string;
  /** Milliseconds that closing takes at most, beyond its grace. */
  closeLimit: number;
  close(): Promise<void>;
  /** Replaces the processes, one after the other. Files of secrets and the program itself are read anew. */
  reload(): void;
}

/** Milliseconds more than its processes take: they have to be told, and to end. */
const SLACK = 200;

/**
 * Serves by several processes on one port. This one serves nothing: it hands out the connections, starts again what
 * ends, counts for the rate limit and adds up the metrics.
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
  // With Redis no process asks for it.
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
  const workers = new Workers({ count, args: ['serve'], env, logger, onRefusal });
  try {
    const port = await workers.start();
    return {
      url: httpAddress(host, port),
      closeLimit: closeLimitOf(config.database.statementTimeout) + SLACK,
      close,
      reload: () => void workers.reload(),
    };
  } catch (error) {
    admin?.close();
    throw error;
  }
}

/** Says problems once, before anything is started. A database that is away is waited for. */
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
