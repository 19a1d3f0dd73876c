import type { ReadServer, Servers } from '../../sql/servers/servers.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Authenticate } from '../http/authenticate.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { StaticFiles } from '../http/static-files.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { ProxyLogin } from '../pages/login/proxy-login.ts';
import type { Page } from '../pages/page.ts';

export interface PipelineDependencies {
  servers: Servers;
  clock: Clock;
  config: Pick<
    Config,
    | 'reportsResultCap'
    | 'graphiql'
    | 'graphqlDocuments'
    | 'answerCacheSize'
    | 'keyLease'
    | 'lookUpTimeout'
    | 'exportConcurrency'
    | 'publicPath'
  >;
  /** Maximum size of a list of reports in bytes; by default 32 MiB. */
  longestAnswer?: number | undefined;
  /** How long the client of an export can stall while others wait, in milliseconds; 10 s by default. */
  exportPatience?: number | undefined;
  logger: Logger;
  rateLimit: RateLimit;
  /** Undefined without a metrics port. */
  metrics?: Metrics | undefined;
  /** Checks whether the service can answer: for `/readyz`. */
  isReady(): Promise<boolean>;
  /** The OpenAPI description and other files that are served unchanged, by path. */
  files: StaticFiles;
  docs: Page;
  /** The page at `/app`; undefined if it is disabled. */
  page?: Page | undefined;
  /** Sign-in through a proxy; undefined if people sign in with keys. */
  login?: ProxyLogin | undefined;
}

/** Looks up callers on each server. Requests that wait for the same key share one. */
export interface Authentication {
  authenticateOn(server: ReadServer): Authenticate;
}
