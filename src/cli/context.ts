import type { CommandConnection } from '@sightline/pg-client';
import { CommandFailed, say } from '@sightline/tools';
import { connectOperator } from '../../sql/operator/connect.ts';
import { readConfig } from '../config.ts';

/** The context of the operator's commands. */
export interface CommandContext {
  /** Address of the operator's database, available while a command runs. */
  databaseUrl(): string;
}

/**
 * The database of DATABASE_URL, or else the embedded one that "npm start" created. The embedded one is started for
 * the duration of the command, unless "npm start" is running. Commands never create one: a job with a lost
 * environment would work on an empty database.
 */
export class OperatorDatabase implements CommandContext {
  #url: string | undefined;
  #stop: (() => Promise<void>) | undefined;

  databaseUrl(): string {
    if (!this.#url) throw new Error('the database is not open');
    return this.#url;
  }

  /** Resolves when the database is reachable and migrated. */
  async open(): Promise<void> {
    const isOwn = await this.openAsItIs();
    const { migrate } = await import('../../sql/operator/migrate.ts');
    await withOperator<unknown>(this, sql => (isOwn ? migrate(sql) : requireMigrations(sql)));
  }

  /** Resolves when the database is reachable; true if this process started it. */
  async openAsItIs(): Promise<boolean> {
    const { databaseUrl, dataDirectory, isProduction } = readConfig();
    this.#url = databaseUrl;
    if (databaseUrl) return false;
    if (isProduction) {
      throw new CommandFailed(
        'DATABASE_URL is not set, and NODE_ENV is production: set it to the URL of your PostgreSQL',
      );
    }
    const { findEmbedded, hasEmbedded, startEmbedded } = await import('@sightline/embedded');
    this.#url = findEmbedded(dataDirectory);
    if (!this.#url && !hasEmbedded(dataDirectory)) {
      throw new CommandFailed(
        `DATABASE_URL is not set, and ${dataDirectory} contains no database: set it to the URL of your PostgreSQL, or create a database with "npm start"`,
      );
    }
    say(`Using the embedded database in ${dataDirectory}`);
    if (this.#url) return false;
    const embedded = await startEmbedded({ directory: dataDirectory });
    this.#url = embedded.url;
    this.#stop = embedded.stop;
    return true;
  }

  async close(): Promise<void> {
    await this.#stop?.();
  }
}

/** Runs the work on one connection, and ends that. */
export async function withOperator<Result>(
  context: CommandContext,
  work: (sql: CommandConnection) => Promise<Result>,
): Promise<Result> {
  const sql = connectOperator(context.databaseUrl());
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

async function requireMigrations(sql: CommandConnection): Promise<void> {
  const { pendingMigrations } = await import('../../sql/operator/preflight.ts');
  const { isRestored } = await import('../../sql/operator/restored.ts');
  const [first] = await pendingMigrations(text => sql.query(text));
  if (first) throw new CommandFailed(`The database lacks migration ${first.name}: run "sightline migrate"`);
  if (await isRestored(text => sql.query(text)))
    throw new CommandFailed('The database was restored: run "sightline migrate"');
}
