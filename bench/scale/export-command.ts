import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startSilently } from './command.ts';
import { startService } from './routes.ts';

/** The fastest times, in seconds, to export all CSP reports of an account with the command and with curl. */
export interface ExportCommandResult {
  command: number;
  curl: number;
}

const ROUNDS = 3;

/** Alternates the command and curl, so that other work on the machine affects both. */
export async function measureExportCommand(databaseUrl: string, key: string): Promise<ExportCommandResult> {
  const service = await startService(databaseUrl, { STATEMENT_TIMEOUT: '2s' });
  const result: ExportCommandResult = { command: Number.POSITIVE_INFINITY, curl: Number.POSITIVE_INFINITY };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      result.curl = Math.min(result.curl, await toSeconds(() => runCurl(service.url, key)));
      result.command = Math.min(result.command, await toSeconds(() => runExport(service.url, key)));
    }
    return result;
  } finally {
    await service.stop();
  }
}

async function toSeconds(work: () => Promise<void>): Promise<number> {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1000;
}

async function runCurl(url: string, key: string): Promise<void> {
  const args = ['--fail', '--silent', '--output', '/dev/null', '--header', '@-', `${url}/export/reports/csp`];
  const curl = spawn('curl', args, { stdio: ['pipe', 'ignore', 'inherit'] });
  curl.stdin.end(`Authorization: Bearer ${key}\n`);
  await ended('curl', curl);
}

async function runExport(url: string, key: string): Promise<void> {
  const args = ['export', 'csp', '--url', url, '--output', '-'];
  await ended('sightline export', startSilently(args, { SIGHTLINE_KEY: key }));
}

async function ended(name: string, child: ReturnType<typeof spawn>): Promise<void> {
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
}
