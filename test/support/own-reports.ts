import type { ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { guardKey } from './canary.ts';
import { makeFolder } from './folder.ts';
import { freePort } from './network.ts';
import { exitCode, startSightline } from './sightline.ts';
import { until } from './until.ts';

/** `sightline dev --empty --collect`: a service without reports, and a collector that browsers report to. */
export interface OwnReports {
  /** Its files, including keys and tokens. */
  folder: string;
  service: string;
  /** The URL that browsers report to. */
  address: string;
  key: string;
  close(): Promise<void>;
}

/**
 * @param collectorPort port of the collector
 * @param env further settings
 */
export async function startOwnReports(
  collectorPort?: number,
  env: Readonly<Record<string, string>> = {},
): Promise<OwnReports> {
  const folder = makeFolder();
  const port = String(collectorPort ?? (await freePort()));
  const sightline = startSightline(['dev', '--empty', '--collect'], {
    env: { DATA_DIRECTORY: folder, PORT: '0', COLLECT_PORT: port, ...env },
  });
  const close = () => end(sightline, folder);
  let greeting = '';
  sightline.stdout!.on('data', text => {
    greeting += text;
  });
  await until(() => greeting.includes('Ctrl-C ends it.')).catch(async error => {
    await close();
    throw error;
  });
  const own = readFileSync(join(folder, 'own-key.env'), 'utf8');
  return {
    folder,
    service: /Sightline answers at (\S+)/.exec(greeting)![1]!,
    address: /Browsers report to (\S+)/.exec(greeting)![1]!,
    key: guardKey(/OWN_KEY=(\S+)/.exec(own)![1]!),
    close,
  };
}

async function end(sightline: ChildProcess, folder: string): Promise<void> {
  sightline.kill('SIGINT');
  await exitCode(sightline);
  rmSync(folder, { recursive: true, force: true });
}
