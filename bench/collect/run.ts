import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { createToken } from '@sightline/collector/tokens';
import { cpuSeconds, SIGHTLINE } from '../processes.ts';
import { toSpread } from '../statistics.ts';
import { table } from '../table.ts';
import { postAll, readBody, toRequest } from './posts.ts';

const HELP = `Measures the compiled "sightline collect", which "npm run build" makes, beside a floor: node:http that appends
the body. Both are asked in turns, by one that never sleeps, and processor time counts.
Usage: npm run bench:collect -- [options]

  --rounds N    of each; default: 5
  --seconds N   of a round; default: 3
  --help
`;

const CONNECTIONS = 16;

/** The Node flags of the service units. */
const FLAGS = ['--max-semi-space-size=2'];

interface Server {
  name: string;
  child: ChildProcess;
  url: string;
  request: Buffer;
}

async function start(
  name: string,
  args: string[],
  env: Record<string, string>,
  path: string,
): Promise<Server> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout! }), 'line');
  return { name, child, url: JSON.parse(line).url, request: toRequest(path, readBody(), '192.0.2.1') };
}

const { values } = parseArgs({
  options: { rounds: { type: 'string' }, seconds: { type: 'string' }, help: { type: 'boolean' } },
});
const rounds = Number(values.rounds ?? 5);
const seconds = Number(values.seconds ?? 3);

async function measure(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'));
  const tokens = join(folder, 'tokens');
  const path = `/r/${await createToken(tokens, { account: 'acme', hosts: ['acme.example'] })}/enforce`;
  const env = {
    COLLECT_SPOOL: join(folder, 'spool'),
    COLLECT_TOKENS: tokens,
    COLLECT_PORT: '0',
    COLLECT_CLIENT_RATE: '1000000',
    COLLECT_ACCOUNT_RATE: '1000000',
  };
  const floorFile = join(import.meta.dirname, 'floor.ts');
  const servers = [
    await start('floor', [...FLAGS, '--import', 'tsx', floorFile, join(folder, 'floor')], {}, path),
    await start('collect', [...FLAGS, SIGHTLINE, 'collect'], env, path),
  ];
  const rates = new Map(servers.map(({ name }) => [name, [] as number[]]));
  try {
    // The first round is a warm-up.
    for (let round = 0; round <= rounds; round++) {
      for (const { name, child, url, request } of servers) {
        const before = cpuSeconds([child.pid!]);
        const { answers, others } = await postAll(url, () => request, CONNECTIONS, seconds * 1000, true);
        if (others > 0) throw new Error(`${name} refused ${others} of ${answers}`);
        const rate = answers / (cpuSeconds([child.pid!]) - before);
        process.stderr.write(`${name}: ${answers} answers, ${Math.round(rate)} a second of processor\n`);
        if (round > 0) rates.get(name)!.push(rate);
      }
    }
  } finally {
    for (const { child } of servers) child.kill('SIGKILL');
    await Promise.all(servers.map(({ child }) => child.exitCode ?? once(child, 'exit')));
    await rm(folder, { recursive: true });
  }
  const ratios = rates.get('collect')!.map((rate, round) => rate / rates.get('floor')![round]!);
  return table(
    ['POST a second of processor', 'median'],
    [
      ...[...rates].map(([name, all]) => [name, toSpread(all).median.toFixed(0)]),
      ['collect ÷ floor', toSpread(ratios).median.toFixed(2)],
    ],
  );
}

if (values.help) process.stdout.write(HELP);
else
  process.stdout.write(
    `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model}\n\n${await measure()}\n`,
  );
