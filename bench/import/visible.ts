import { once } from 'node:events';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbedded } from '@sightline/embedded';
import { migrate } from '../../sql/operator/migrate.ts';
import { openStock } from '../../test/support/stock.ts';
import { freePort, peakMemory, SIGHTLINE, start, stop, untilAnswering } from '../processes.ts';
import { writeMaildir, YESTERDAY } from './inputs.ts';

const ACCOUNT = 'bench';

/** Measures the time from the start of a maildir's import until `/v1` shows its reports. Returns a row of the table. */
export async function measureVisible(folder: string, mails: number): Promise<string[]> {
  await mkdir(folder);
  await chmod(folder, 0o755);
  const mailbox = join(folder, 'Maildir');
  await writeMaildir(mailbox, mails);
  const database = await startEmbedded({ directory: join(folder, 'data') });
  try {
    const key = await prepare(database.url);
    const port = await freePort();
    const service = start('sightline', {
      file: SIGHTLINE,
      args: ['serve'],
      env: { DATABASE_URL: database.url, PORT: String(port), LOG_LEVEL: 'warn', RATE_LIMIT_MAX: '100000' },
    });
    const headers = { authorization: `Bearer ${key}` };
    const day = new Date(YESTERDAY * 1000).toISOString().slice(0, 10);
    await untilAnswering(service, `http://127.0.0.1:${port}/v1/me`, headers);
    const measured = await importUntilVisible(
      database.url,
      mailbox,
      `http://127.0.0.1:${port}/v1/reports/dmarc?unit=days&date=${day}`,
      headers,
    );
    await stop(service);
    return [`a maildir of ${mails} mails, into /v1`, ...measured];
  } finally {
    await database.stop();
    await rm(folder, { recursive: true });
  }
}

/** Creates an account and returns a key for it. */
async function prepare(url: string): Promise<string> {
  const stock = openStock(url);
  try {
    await migrate(stock.sql);
    return await stock.account(ACCOUNT);
  } finally {
    await stock.close();
  }
}

/** Returns the exit code, the seconds until the service shows the reports, and the command's peak memory in MB. */
async function importUntilVisible(
  database: string,
  mailbox: string,
  url: string,
  headers: Record<string, string>,
): Promise<string[]> {
  const isVisible = async () => {
    const response = await fetch(url, { headers });
    if (!response.ok) throw new Error(`${url} answers with ${response.status}`);
    return ((await response.json()) as { reports: unknown[] }).reports.length > 0;
  };
  if (await isVisible()) throw new Error(`${url} shows reports before they are imported`);
  const began = performance.now();
  const child = start('sightline', {
    file: SIGHTLINE,
    args: ['import', '--account', ACCOUNT, mailbox],
    env: { DATABASE_URL: database },
  });
  const ended = once(child, 'exit');
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    peak = Math.max(peak, peakMemory(child.pid!) || 0);
    await Promise.race([ended, sleep(250)]);
  }
  if (child.exitCode !== 0) throw new Error(`the import ended with ${child.exitCode ?? child.signalCode}`);
  for (const deadline = performance.now() + 30_000; !(await isVisible()); await sleep(20)) {
    if (performance.now() > deadline) throw new Error(`${url} does not show what was imported`);
  }
  const seconds = (performance.now() - began) / 1000;
  return ['0', seconds.toFixed(1), '', peak.toFixed(0)];
}
