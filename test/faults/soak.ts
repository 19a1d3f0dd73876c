/**
 * Runs the service under a constant load and watches its memory: `npm run soak -- --minutes 10`. Exits with 1 if a
 * request fails or the memory grows. Each of the few clients pauses after a response in proportion to its duration, so
 * a busy machine gets fewer requests and never more than it can answer.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startEmbedded } from '@sightline/embedded';
import { migrate } from '../../sql/operator/migrate.ts';
import { issueKey } from '../../src/keys/issue.ts';
import { compileService } from '../support/compiled.ts';
import { makeFolder } from '../support/folder.ts';
import { keepAliveAgent } from '../support/keep-alive.ts';
import { freePort } from '../support/network.ts';
import { connectOperator } from '../support/operator.ts';

/** Growth in MiB per hour that still counts as flat, in addition to the standard error. */
const FLAT = 30;

/** The maximum memory of the process in MiB. */
const MOST = 400;

/** The minutes needed to tell a slope from noise. */
const SHORTEST = 5;

const PATHS = ['/v1/me?n=*', '/v1/last-seven-days?n=*', '/v1/breakdown?n=*', '/v1/reports/csp?unit=days&n=*'];

const program = join(await compileService(), 'bin/sightline.js');
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    /** The share of its time that a client spends waiting for responses. */
    share: { type: 'string', default: '0.6' },
  },
});
const minutes = Number(values.minutes);
const share = Number(values.share);

function start(args: string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

async function fill(databaseUrl: string): Promise<string> {
  const env = { DATABASE_URL: databaseUrl };
  const sql = connectOperator(databaseUrl);
  await migrate(sql);
  const demo = start(['demo', '--accounts', '20', '--reports', '20000'], env);
  const load = start(['load', '-'], env);
  demo.stdout!.pipe(load.stdin!);
  load.stdout!.resume();
  if ((await once(load, 'exit'))[0] !== 0) throw new Error('the demo feed did not load');
  const [account] = await sql<{ id: string; type: 'personal' | 'team' }[]>`
    select id, type from account join plan on account_id = id
    where tier in ('business', 'enterprise') and status = 'active' limit 1`;
  const holder = { accountId: account!.id, name: 'soak', expiresAt: null };
  const { key } = await issueKey(sql, account!.type, holder);
  await sql.end();
  return key;
}

async function serve(databaseUrl: string, adminPort: number): Promise<{ child: ChildProcess; url: string }> {
  const child = start(['serve'], {
    DATABASE_URL: databaseUrl,
    PORT: '0',
    ADMIN_PORT: String(adminPort),
    RATE_LIMIT_MAX: '1000000000',
    SHUTDOWN_GRACE: '0',
    NODE_ENV: 'production',
  });
  const lines = createInterface({ input: child.stdout! });
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', line => {
      noteError(line);
      if (line.includes('"listening"')) resolve(JSON.parse(line).url);
    });
    lines.once('close', () => reject(new Error('the service did not start')));
  });
  return { child, url };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The errors in the service's log, with their counts. */
const errors = new Map<string, number>();

function noteError(line: string): void {
  const { err } = JSON.parse(line);
  if (err) count(errors, err.message);
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** The number of concurrent clients. */
const CLIENTS = 16;

/** In milliseconds. Requests without a response by then count as unanswered. The limit of the service is shorter. */
const PATIENCE = 10_000;

/**
 * Clients that send requests until they are stopped. `outcomes` counts statuses and the reasons for missing responses.
 */
function ask(url: string, key: string): { outcomes: Map<string, number>; stop(): Promise<void> } {
  const agent = keepAliveAgent();
  const headers = { authorization: `Bearer ${key}` };
  const outcomes = new Map<string, number>();
  let requested = 0;
  let isOver = false;
  const client = async () => {
    while (!isOver) {
      const number = requested++;
      const path = PATHS[number % PATHS.length]!.replace('*', String(number)).replace('unit=days', period());
      const begun = performance.now();
      const signal = AbortSignal.timeout(PATIENCE);
      try {
        const [response] = await once(get(url + path, { agent, headers, signal }), 'response');
        await once(response.resume(), 'end');
        count(outcomes, String(response.statusCode));
      } catch (error) {
        count(outcomes, (error as Error).message);
      }
      await sleep((performance.now() - begun) * (1 / share - 1));
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  return {
    outcomes,
    async stop() {
      isOver = true;
      await Promise.all(clients);
      agent.destroy();
    },
  };
}

const period = () => `unit=days&date=${new Date().toISOString().slice(0, 10)}`;

interface Sample {
  /** Minutes since the start, and memory in MiB. */
  at: number;
  resident: number;
  heap: number;
}

async function memory(adminPort: number, begin: number): Promise<Sample> {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  const mebibytes = (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)![1]) / 1024 / 1024;
  return {
    at: (performance.now() - begin) / 60_000,
    resident: mebibytes('process_resident_memory_bytes'),
    heap: mebibytes('nodejs_heap_size_used_bytes'),
  };
}

/** Fits a line by least squares, and returns its slope per minute with the standard error. */
function slope(points: [x: number, y: number][]): { perMinute: number; error: number } {
  const mean = (numbers: number[]) => numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const squares = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const perMinute = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / squares;
  const rest = points.reduce((sum, [x, y]) => sum + (y - meanY - perMinute * (x - meanX)) ** 2, 0);
  return { perMinute, error: Math.sqrt(rest / (points.length - 2) / squares) };
}

async function soak(url: string, key: string, adminPort: number): Promise<boolean> {
  const clients = ask(url, key);
  const begin = performance.now();
  const samples: Sample[] = [];
  while (performance.now() - begin < minutes * 60_000) {
    await sleep(Math.min(5000, minutes * 1500));
    const sample = await memory(adminPort, begin);
    samples.push(sample);
    say(
      `${sample.at.toFixed(2)} min: ${sample.resident.toFixed(0)} MiB resident, ${sample.heap.toFixed(0)} MiB of heap used`,
    );
  }
  await clients.stop();
  const { 200: answered = 0, ...failures } = Object.fromEntries(clients.outcomes);
  const rate = answered / ((performance.now() - begin) / 1000);
  say(
    `${answered} requests answered, ${rate.toFixed(0)} a second; not: ${JSON.stringify(failures)}; errors: ${print(errors)}`,
  );
  return isFlat(samples) && answered > 0 && Object.keys(failures).length === 0;
}

function isFlat(samples: Sample[]): boolean {
  const most = Math.max(...samples.map(({ resident }) => resident));
  if (minutes < SHORTEST) {
    say(`memory: ${most.toFixed(0)} MiB at most; the slope shows from ${SHORTEST} minutes on`);
    return most < MOST;
  }
  // During the first third, caches fill up and code is compiled.
  const settled = samples.slice(Math.floor(samples.length / 3));
  const { perMinute, error } = slope(settled.map(({ at, resident }) => [at, resident]));
  const [perHour, unsure] = [perMinute * 60, 2 * error * 60];
  say(`memory: ${perHour.toFixed(1)} MiB an hour, give or take ${unsure.toFixed(1)}`);
  return most < MOST && perHour - unsure < FLAT;
}

const print = (counts: Map<string, number>) => JSON.stringify(Object.fromEntries(counts));

const directory = makeFolder();
const database = await startEmbedded({ directory, settings: { fsync: 'off' } });
const adminPort = await freePort();
let passed = false;
try {
  const key = await fill(database.url);
  const { child, url } = await serve(database.url, adminPort);
  passed = await soak(url, key, adminPort);
  child.kill('SIGTERM');
  await once(child, 'exit');
} finally {
  await database.stop();
  rmSync(directory, { recursive: true, force: true });
}
process.exit(passed ? 0 : 1);
