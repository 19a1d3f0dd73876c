import { Announcer } from '../../sql/changes/announcer.ts';
import { readConfig } from '../../src/config.ts';
import { loadFeed } from '../../src/feed/load.ts';
import type { KeyKind } from '../../src/keys/format.ts';
import { issueKey } from '../../src/keys/issue.ts';
import { startService } from '../../src/main.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { guardKey, watchOutput } from './canary.ts';
import { createDatabase } from './database.ts';
import { exchange } from './exchange.ts';
import { freePort } from './network.ts';
import { connectOperator } from './operator.ts';
import { serviceConnection } from './pooler.ts';
import type { Line } from './service.ts';
import { UNHURRIED } from './sightline.ts';
import { until } from './until.ts';

/** The complete service as started by "serve", with its log in memory and its metrics on a port. */
export interface WatchedService extends AsyncDisposable {
  url: string;
  adminUrl: string;
  /** All lines of the log so far, as they were written. */
  log(): string;
  /** Waits until the log has this many lines with this message, and returns them. */
  lines(message: string, count?: number): Promise<LogLine[]>;
  /** The value of a metric, by its name and labels as Prometheus prints them; undefined if it is missing. */
  metric(series: string): Promise<number | undefined>;
  metrics(): Promise<string>;
  load(...lines: Line[]): Promise<void>;
  key(kind: KeyKind, accountId?: string): Promise<string>;
  /** Runs a statement as the operator. */
  sql(text: string): Promise<unknown>;
  /** Locks a table until the returned function is called. */
  lock(table: string): Promise<() => Promise<void>>;
  /** Checks whether a statement waits for a lock on a table. */
  isWaitedFor(table: string): Promise<boolean>;
}

export type LogLine = Record<string, unknown> & { level: number; msg: string };

export async function startWatchedService(settings: Record<string, string> = {}): Promise<WatchedService> {
  const database = await createDatabase();
  const operator = connectOperator(database.url);
  const adminPort = await freePort();
  let log = '';
  const record = (line: string) => {
    log += watchOutput(line);
  };
  const { url: databaseUrl, prepare, role } = serviceConnection(database.url);
  const read = readConfig({
    PORT: '0',
    ADMIN_PORT: String(adminPort),
    KEY_LEASE: '0',
    ...UNHURRIED,
    ...settings,
  });
  const config = { ...read, database: { ...read.database, prepare, role } };
  const service = await startService({
    config,
    databaseUrl,
    logger: createLogger(config.logLevel, { write: record }),
    onRefusal: error => {
      throw error;
    },
  });
  const adminUrl = `http://127.0.0.1:${adminPort}`;
  const metrics = async () => watchOutput((await exchange(`${adminUrl}/metrics`)).text);
  const find = (message: string): LogLine[] =>
    log
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line))
      .filter(({ msg }) => msg === message);

  return {
    url: service.url,
    adminUrl,
    log: () => log,
    async lines(message, count = 1) {
      // A log line is written after the response was sent, so the client can have the response first.
      await until(() => find(message).length >= count);
      return find(message);
    },
    metrics,
    async metric(series) {
      const line = (await metrics()).split('\n').find(found => found.startsWith(`${series} `));
      return line === undefined ? undefined : Number(line.slice(series.length + 1));
    },
    async load(...lines) {
      const text = lines.map(line => `${JSON.stringify(line)}\n`).join('');
      await loadFeed(operator, new Announcer(operator, 0), [{ name: 'test', content: [Buffer.from(text)] }]);
    },
    async key(kind, accountId) {
      const holder = { accountId: accountId ?? null, name: null, expiresAt: null };
      return guardKey((await issueKey(operator, kind, holder)).key);
    },
    sql: text => operator.query(text),
    async lock(table) {
      const holder = connectOperator(database.url);
      await holder.query(`begin; lock table ${table} in access exclusive mode`);
      return () => holder.end();
    },
    async isWaitedFor(table) {
      const waiting = await operator`
        select from pg_locks where relation = ${table}::regclass and not granted
          and database = (select oid from pg_database where datname = current_database())`;
      return waiting.length > 0;
    },
    async [Symbol.asyncDispose]() {
      await service.close(0);
      await operator.end();
      await database.drop();
    },
  };
}
