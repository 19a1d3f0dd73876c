/**
 * The service under a constant load for as long as it is told to, and what its memory does meanwhile:
 * `npm run soak -- --minutes 10`. Ends with 1 when a request fails or the memory grows.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connectOperator } from '../../sql/operator/connect.ts';
import { migrate } from '../../sql/operator/migrate.ts';
import { startEmbedded } from '../../src/embedded/start.ts';
import { issueKey } from '../../src/keys/issue.ts';
import { compileService } from '../support/compiled.ts';
import { makeFolder } from '../support/folder.ts';
import { Load } from '../support/load.ts';
import { freePort } from '../support/network.ts';

/** MiB an hour for which the memory counts as flat, beyond what the measurement itself is unsure of. */
const FLAT = 30;

/** MiB that the process takes at most. */
const MOST = 400;

/** Minutes from which on a slope can be told from the noise. */
const SHORTEST = 5;

const PATHS = ['/v1/me?n=*', '/v1/last-seven-days?n=*', '/v1/breakdown?n=*', '/v1/reports/csp?unit=days&n=*'];

const program = join(await compileService(), 'bin/sightline.js');
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    /** Of the most requests a second that the service answers here. */
    share: { type: 'string', default: '0.6' },
  },
});
const minutes = Number(values.minutes);

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
  await sql.end({ timeout: 5 });
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

/** What the service says went wrong, and how often. */
const errors = new Map<string, number>();

function noteError(line: string): void {
  const { err } = JSON.parse(line);
  if (err) count(errors, err.message);
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Answers a second that the service gives to those who ask again as soon as they are answered. */
async function peak(url: string, key: string, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${key}` };
  const end = performance.now() + seconds * 1000;
  let answers = 0;
  const client = async () => {
    while (performance.now() < end) {
      const path = PATHS[answers % PATHS.length]!.replace('*', `p${answers}`).replace('unit=days', period());
      const [response] = await once(get(url + path, { agent, headers }), 'response');
      await once(response.resume(), 'end');
      answers++;
    }
  };
  await Promise.all(Array.from({ length: 16 }, client));
  agent.destroy();
  return answers / seconds;
}

const period = () => `unit=days&date=${new Date().toISOString().slice(0, 10)}`;

interface Sample {
  /** Minutes since the begin, and MiB. */
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

/** Least squares: the slope a minute, and its standard error. */
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
  const most = await peak(url, key, 5);
  const rate = Math.floor(most * Number(values.share));
  say(`peak ${most.toFixed(0)} requests a second; soaking at ${rate} for ${minutes} minutes`);
  const paths = PATHS.map(path => path.replace('unit=days', period()));
  const load = new Load({ url, key, rate, paths });
  const begin = performance.now();
  const samples: Sample[] = [];
  const failures = new Map<string, number>();
  let answered = 0;
  while (performance.now() - begin < minutes * 60_000) {
    await sleep(Math.min(5000, minutes * 1500));
    for (const { status, failure } of load.outcomes.splice(0)) {
      answered++;
      if (status !== 200)
        failures.set(`${status ?? failure}`, (failures.get(`${status ?? failure}`) ?? 0) + 1);
    }
    const sample = await memory(adminPort, begin);
    samples.push(sample);
    say(
      `${sample.at.toFixed(2)} min: ${sample.resident.toFixed(0)} MiB resident, ${sample.heap.toFixed(0)} MiB of heap used`,
    );
  }
  await load.stop();
  say(`${answered} requests answered, not with 200: ${print(failures)}; errors: ${print(errors)}`);
  return isFlat(samples) && failures.size === 0;
}

function isFlat(samples: Sample[]): boolean {
  const most = Math.max(...samples.map(({ resident }) => resident));
  if (minutes < SHORTEST) {
    say(`memory: ${most.toFixed(0)} MiB at most; the slope shows from ${SHORTEST} minutes on`);
    return most < MOST;
  }
  // The first third is when caches fill and code is compiled.
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
