import type { Server, Servers } from '../../sql/servers/servers.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Authenticate } from '../http/authenticate.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { StaticFiles } from '../http/static-files.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Page } from '../pages/page.ts';

export interface DoorDependencies {
  servers: Servers;
  clock: Clock;
  config: Pick<
    Config,
    'reportsResultCap' | 'graphiql' | 'answerCacheSize' | 'keyLease' | 'lookUpTimeout' | 'exportConcurrency'
  >;
  /** The most bytes of a list of reports; 32 MiB, when left out. */
  longestAnswer?: number | undefined;
  /** Milliseconds that the client of an export may take its time while others wait; 10 s, when left out. */
  exportPatience?: number | undefined;
  logger: Logger;
  rateLimit: RateLimit;
  /** Undefined where no port serves them. */
  metrics?: Metrics | undefined;
  /** Tells whether the service can answer: for `/readyz`. */
  isReady(): Promise<boolean>;
  /** The OpenAPI description, and what else is served as it is, by path. */
  files: StaticFiles;
  docs: Page;
  /** The page at `/app`; undefined where it is switched off. */
  page?: Page | undefined;
}

/** Each server's, for all doors: a look-up that one waits for serves the others, too. */
export interface Authentication {
  authenticateOn(server: Server): Authenticate;
}
