import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startEmbedded } from '@sightline/embedded';
import { migrate } from '../../sql/operator/migrate.ts';
import { connectOperator, type Operator } from '../../test/support/operator.ts';
import type { ScaleOptions } from './options.ts';

export interface ScaleDatabase {
  url: string;
  sql: Operator;
  stop(): Promise<void>;
}

/** Measured: the disk space of a report with its indexes and write-ahead log, including room for rewriting a month. */
const BYTES_PER_REPORT = 2000;

/**
 * Starts a new PostgreSQL, migrated, with the settings that an operator would have: its defaults, and the service's
 * session settings.
 * @throws {Error} if the disk is too small for the largest size
 */
export async function openDatabase({ directory, database, rows }: ScaleOptions): Promise<ScaleDatabase> {
  if (database) return openGiven(database);
  const folder = directory ? resolve(directory) : mkdtempSync(join(tmpdir(), 'sightline-scale-'));
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  if (!directory) await requireRoom(folder, rows.at(-1)! * BYTES_PER_REPORT);
  const server = await startEmbedded({ directory: join(folder, 'data') });
  const sql = connectOperator(server.url);
  await migrate(sql);
  return {
    url: server.url,
    sql,
    async stop() {
      await sql.end();
      await server.stop();
      if (!directory) rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openGiven(url: string): Promise<ScaleDatabase> {
  const sql = connectOperator(url);
  await migrate(sql);
  return { url, sql, stop: () => sql.end() };
}

async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize > bytes) return;
  rmSync(folder, { recursive: true });
  const gigabytes = (value: number) => `${(value / 1e9).toFixed(0)} GB`;
  throw new Error(`${folder} has ${gigabytes(bavail * bsize)} free, and ${gigabytes(bytes)} are needed`);
}
