import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createToken } from '@sightline/collector/tokens';
import { makeFolder } from '../database.ts';
import { type LoadRequest, sendLoad, warmUp } from '../load.ts';
import { readOptions } from '../options.ts';
import { cpuSeconds, type Settings, SIGHTLINE, say, start, stop } from '../processes.ts';
import { table } from '../table.ts';

const { rounds, seconds } = readOptions(
  `Measures "sightline collect", and compares it with a floor: node:http that appends the body to a file.
Usage: npm run bench:collect -- [options]`,
  { rounds: [5, 'number of rounds'], seconds: [3, 'seconds of a round'] },
);

const CONNECTIONS = 16;

/** The Node flags of the service units. */
const FLAGS = ['--max-semi-space-size=2'];

const AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** A violation report as Chrome sends it, 1 kB long. */
const BODY = JSON.stringify([
  {
    age: 2,
    body: {
      blockedURL: 'https://tracker.example/pixel.js',
      columnNumber: 12,
      disposition: 'enforce',
      documentURL: 'https://acme.example/checkout/cart?step=2',
      effectiveDirective: 'script-src-elem',
      lineNumber: 345,
      originalPolicy: `default-src 'self'; script-src 'self' ${'https://cdn.example '.repeat(16)}; report-to csp`,
      referrer: 'https://acme.example/',
      sample: '',
      sourceFile: 'https://acme.example/checkout/cart',
      statusCode: 200,
    },
    type: 'csp-violation',
    url: 'https://acme.example/checkout/cart?step=2',
    user_agent: AGENT,
  },
]);

const folder = makeFolder();
const tokens = join(folder, 'tokens');
const path = `/r/${await createToken(tokens, { account: 'acme', hosts: ['acme.example'] })}/enforce`;

interface Server {
  name: string;
  child: ChildProcess;
  request: LoadRequest;
  /** Requests per second of processor time, in each round. */
  rates: number[];
}

/** Starts a server that prints its URL. */
async function startServer(name: string, args: string[], env: Settings = {}): Promise<Server> {
  const child = start(args, env, FLAGS);
  child.stderr!.pipe(process.stderr);
  const [line] = await once(createInterface({ input: child.stdout! }), 'line');
  const headers = {
    'content-type': 'application/reports+json',
    'user-agent': AGENT,
    origin: 'https://acme.example',
    'x-forwarded-for': '192.0.2.1',
  };
  const request = {
    url: JSON.parse(line).url + path,
    method: 'POST',
    headers,
    body: BODY,
    status: 204,
  } as const;
  return { name, child, request, rates: [] };
}

const floor = await startServer('floor', [
  '--import',
  'tsx',
  join(import.meta.dirname, 'floor.ts'),
  join(folder, 'floor'),
]);
const collector = await startServer('collector', [SIGHTLINE, 'collect'], {
  COLLECT_SPOOL: join(folder, 'spool'),
  COLLECT_TOKENS: tokens,
  COLLECT_PORT: '0',
  COLLECT_CLIENT_RATE: '1000000',
  COLLECT_ACCOUNT_RATE: '1000000',
});
const servers = [floor, collector];
try {
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round++) {
    for (const { child, request, rates } of servers) {
      const rate = await warmUp(request, CONNECTIONS, { amount: Number.POSITIVE_INFINITY, seconds: 1 });
      const amount = Math.ceil(rate * seconds);
      const before = cpuSeconds(child.pid!);
      await sendLoad(request, CONNECTIONS, { amount });
      if (round > 0) rates.push(amount / (cpuSeconds(child.pid!) - before));
    }
    say(`round ${round} of ${rounds}`);
  }
} finally {
  await Promise.all(servers.map(({ child }) => stop(child)));
  rmSync(folder, { recursive: true });
}
const ratios = collector.rates.map((rate, round) => rate / floor.rates[round]!);
process.stdout.write(
  table(
    ['POST requests per second of processor time', 'median'],
    [...servers.map(({ name, rates }) => [name, rates]), ['collector ÷ floor', ratios]],
  ),
);
