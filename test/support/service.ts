import type { AddressInfo } from 'node:net';
import { Announcer } from '../../sql/changes/announcer.ts';
import { connect, type DatabaseClient } from '../../sql/client.ts';
import { onlyServer } from '../../sql/servers/servers.ts';
import { createApp } from '../../src/app.ts';
import { LoadRefused, loadFeed } from '../../src/feed/load.ts';
import { createRateLimit } from '../../src/http/rate-limit.ts';
import { createServer } from '../../src/http/server.ts';
import type { KeyKind } from '../../src/keys/format.ts';
import { issueKey } from '../../src/keys/issue.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { createAppPage } from '../../src/pages/app.ts';
import { createDocs } from '../../src/pages/docs.ts';
import type { ProxyLogin } from '../../src/pages/login/proxy-login.ts';
import { servedFiles } from '../../src/pages/served.ts';
import type { OneTimeKey } from '../../src/pages/sign-in.ts';
import { builtPage } from './built.ts';
import { guardKey, watchOutput } from './canary.ts';
import { expectContract } from './contract.ts';
import { createDatabase } from './database.ts';
import { exchange, type HttpRequest } from './exchange.ts';
import { connectOperator } from './operator.ts';
import { serviceConnection } from './pooler.ts';

/** Time limits in milliseconds, of statements and of waiting for one, so high that a slow machine causes no failure. */
const UNHURRIED = 60_000;

/** A line of the feed. */
export type Line = { kind: string } & Record<string, unknown>;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body, parsed as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many shapes
  body: any;
}

export interface ServiceOptions {
  /** The current time for the service; the real time by default. */
  now?: string;
  rateLimit?: { max: number; window: number };
  reportsResultCap?: number;
  /** The maximum size of a list of reports under `/v1` in bytes; by default, the service's own. */
  longestAnswer?: number;
  /** The maximum number of concurrent exports; by default, 4. */
  exportConcurrency?: number;
  /** How long the client of an export can stall while others wait, in milliseconds; by default, the service's own. */
  exportPatience?: number;
  /** The size of the response cache in bytes; by default, the service's own. */
  answerCacheSize?: number;
  graphiql?: boolean;
  /** The documents that `/graphql` accepts; any by default. */
  documents?: 'any' | 'trusted';
  /** True to serve `/app`, which is the default. */
  appPage?: boolean;
  /** The sign-in through a proxy. */
  login?: ProxyLogin;
  /** Receives log lines; by default, only errors are logged. */
  onLog?(line: string): void;
  oneTimeKey?: OneTimeKey;
  /** The path prefix for clients; none by default. */
  publicPath?: string;
  /** Milliseconds for which key lookups are cached and loads wait; none by default. */
  keyLease?: number;
  /** True if the test expects a response with status 500. */
  mayFail?: boolean;
  /** The database; by default, a new and empty one. */
  databaseUrl?: string;
  /** Replaces the service's database. */
  through?(database: DatabaseClient): DatabaseClient;
}

export interface TestService extends AsyncDisposable {
  url: string;
  databaseUrl: string;
  /** The service's database client. */
  readonly database: DatabaseClient;
  /** The statements sent to the database since the start. */
  readonly statements: number;
  /** Moves the service's clock. */
  setNow(now: string): void;
  /** Loads lines of the feed. */
  load(...lines: Line[]): Promise<void>;
  /** A new key of an account, or an internal token. */
  key(kind: KeyKind, accountId?: string): Promise<string>;
  /** Sends a GET request, with the key if given. */
  get(path: string, key?: string, headers?: Record<string, string>): Promise<Answer>;
  request(path: string, init: HttpRequest): Promise<Answer>;
  close(): Promise<void>;
}

/** Starts the real server on a free port, with a real PostgreSQL and a clock that the test controls. */
export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const own = options.databaseUrl ? undefined : await createDatabase();
  const databaseUrl = options.databaseUrl ?? own!.url;
  const database = connect({
    ...serviceConnection(databaseUrl),
    poolSize: 4,
    statementTimeout: UNHURRIED,
    queueTimeout: UNHURRIED,
    queueLimit: 1000,
  });
  const operator = connectOperator(databaseUrl);
  // Announcing changes needs a second connection.
  const second = options.keyLease ? connectOperator(databaseUrl) : operator;
  const announcer = new Announcer(second, options.keyLease ?? 0);
  let now = options.now;
  const failures: string[] = [];
  const logger = createLogger(options.onLog ? 'info' : 'error', {
    write: line => {
      options.onLog?.(line);
      if (watchOutput(line).includes('"err"')) failures.push(line);
    },
  });
  const app = await createApp({
    servers: onlyServer(options.through?.(database) ?? database),
    clock: { now: () => (now ? new Date(now) : new Date()) },
    config: {
      reportsResultCap: options.reportsResultCap ?? 1000,
      graphiql: options.graphiql ?? false,
      graphqlDocuments: options.documents ?? 'any',
      lookUpTimeout: UNHURRIED,
      keyLease: options.keyLease ?? 0,
      answerCacheSize: options.answerCacheSize ?? 16 * 1024 * 1024,
      exportConcurrency: options.exportConcurrency ?? 4,
      publicPath: options.publicPath ?? '',
    },
    longestAnswer: options.longestAnswer,
    exportPatience: options.exportPatience,
    logger,
    rateLimit: createRateLimit(options.rateLimit ?? { max: 1_000_000, window: 60_000 }),
    isReady: async () => true,
    files: servedFiles(options.appPage ?? true, undefined, options.publicPath),
    docs: createDocs(undefined, builtPage('docs')),
    login: options.login,
    page:
      (options.appPage ?? true)
        ? createAppPage({
            oneTimeKey: options.oneTimeKey,
            built: builtPage('app'),
            isProxied: options.login !== undefined,
          })
        : undefined,
  });
  const server = createServer({ app, logger, answerLimit: UNHURRIED });
  // Client and server share a process. After a suspension, both would close an idle connection, and the client's next
  // request would fail.
  server.keepAliveTimeout = 10 * UNHURRIED;
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const request = async (path: string, init: HttpRequest): Promise<Answer> => {
    const { status, headers, text } = await exchange(url + path, init);
    if (status === 500 && !options.mayFail) throw new Error(`${path} failed: ${failures.at(-1)}`);
    const isJson = /^application\/([\w-]+\+)?json\b/.test(headers.get('content-type') ?? '');
    const body = isJson && text !== '' ? JSON.parse(text) : undefined;
    if (/^\/(v1|export)\//.test(path))
      expectContract(init.method ?? 'GET', path, status, headers, text, body);
    return { status, headers, text, body };
  };
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await Promise.all([database.end(), operator.end(), second.end()]);
    await own?.drop();
  };

  return {
    url,
    databaseUrl,
    database,
    get statements() {
      return database.statements;
    },
    setNow(instant) {
      now = instant;
    },
    async load(...lines) {
      const text = lines.map(line => `${JSON.stringify(line)}\n`).join('');
      await loadFeed(operator, announcer, [{ name: 'test', content: [text] }]).catch(explain);
    },
    async key(kind, accountId) {
      const holder = { accountId: accountId ?? null, name: null, expiresAt: null };
      return guardKey((await issueKey(operator, kind, holder)).key);
    },
    get: (path, key, headers = {}) =>
      request(path, { headers: { ...(key && { authorization: `Bearer ${key}` }), ...headers } }),
    request,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The error names the bad line. */
function explain(error: unknown): never {
  if (!(error instanceof LoadRefused)) throw error;
  const [bad] = error.badLines;
  throw new Error(`${error.message}: line ${bad?.line}, ${bad?.field} ${bad?.reason}`, { cause: error });
}
