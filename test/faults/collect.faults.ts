import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createToken } from '@sightline/collector/tokens';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linesIn, violation } from '../../packages/collector/test/collecting.ts';
import { exitCode, startSightline } from '../support/sightline.ts';
import { until } from '../support/until.ts';
import { IN_EARNEST } from './scale.ts';

/** The largest resident memory in MB of 10^6 bytes. */
const MOST_MEMORY = 150;
const MILLISECONDS = IN_EARNEST ? 60_000 : 2000;
/** The highest 99th percentile for another account's reports on a quiet machine, in milliseconds. */
const SLOWEST = IN_EARNEST ? 100 : Number.POSITIVE_INFINITY;
/** An account's rate limit in this test, in reports per second. */
const RATE = 50;

let folder: string;
let spool: string;
let collector: ChildProcess;
let url: string;
let paths: { flooded: string; other: string };

async function start(proxies: string): Promise<void> {
  const [tokens, rate] = [join(folder, 'tokens'), String(RATE)];
  const token = async (account: string) => `/r/${await createToken(tokens, { account })}`;
  paths = { flooded: await token('flooded'), other: await token('other') };
  collector = startSightline(['collect'], {
    env: {
      NODE_OPTIONS: '--max-semi-space-size=2',
      COLLECT_SPOOL: spool,
      COLLECT_TOKENS: tokens,
      COLLECT_PORT: '0',
      COLLECT_PROXIES: proxies,
      COLLECT_ACCOUNT_RATE: rate,
      COLLECT_CLIENT_RATE: rate,
    },
  });
  const [line] = await once(createInterface({ input: collector.stdout! }), 'line');
  url = JSON.parse(line).url;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-test-collect-'));
  spool = join(folder, 'spool');
});
afterEach(async () => {
  collector.kill('SIGKILL');
  await exitCode(collector);
  await rm(folder, { recursive: true, force: true });
});

function memory(): number {
  const [, kilobytes] = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${collector.pid}/status`, 'utf8'))!;
  return (Number(kilobytes) * 1024) / 1e6;
}

/** Sends a report as a proxy forwards it. */
async function post(path: string, body: string, address: string): Promise<void> {
  const headers = { 'content-type': 'application/reports+json', 'x-forwarded-for': address };
  const { status } = await fetch(url + path, { method: 'POST', headers, body });
  expect(status).toBe(204);
}

/** Sends another account's reports one at a time, each from its own client, until the attack ends. */
async function others(attack: Promise<unknown>): Promise<{ sent: number; p99: number }> {
  let isOver = false;
  attack.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  while (!isOver) {
    const begun = performance.now();
    await post(paths.other, violation(), `2001:db8:${times.length.toString(16)}::1`);
    times.push(performance.now() - begun);
    await sleep(50);
  }
  times.sort((one, other) => one - other);
  return { sent: times.length, p99: times[Math.floor(times.length * 0.99)]! };
}

async function isAllWritten(account: string, sent: number): Promise<void> {
  await until(async () => expect((await linesIn(spool, account)).length).toBe(sent), 200);
}

function checkOthers(what: string, { sent, p99 }: { sent: number; p99: number }): void {
  process.stderr.write(
    `${what}: ${memory().toFixed(0)} MB at most; of another account ${sent} reports, 99 % within ${p99.toFixed(0)} ms\n`,
  );
  expect(p99).toBeLessThanOrEqual(SLOWEST);
}

describe('a flood at ten times the rate limit of an account', () => {
  it.each([
    ['small reports', violation()],
    ['bodies of 64 KiB', violation({ 'script-sample': 'x'.repeat(64_000) })],
  ])('of %s loses no report of another account and needs bounded memory', async (what, body) => {
    await start('127.0.0.1');
    let client = 0;
    const connections = 50;
    const pause = (connections * 1000) / (10 * RATE);
    const flood = Promise.all(
      Array.from({ length: connections }, async () => {
        const end = performance.now() + MILLISECONDS;
        while (performance.now() < end) {
          const address = `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client++ & 255}`;
          await post(paths.flooded, body, address);
          await sleep(pause);
        }
      }),
    );
    const { sent, p99 } = await others(flood);
    await flood;
    await isAllWritten('other', sent);
    checkOthers(`${client} ${what}`, { sent, p99 });
    expect(memory()).toBeLessThan(MOST_MEMORY);
  });
});

describe('slow clients', () => {
  const COUNT = IN_EARNEST ? 100_000 : 3000;
  /** The number of concurrent connections, which is limited by a process's open files. */
  const AT_ONCE = 5000;

  /** Addresses of simulated clients. On Linux, the loopback interface has a whole network. */
  function from(number: number): Socket {
    const { hostname, port } = new URL(url);
    const localAddress = `127.${1 + (number % 200)}.${Math.floor(number / 200) % 250}.${1 + (number % 7)}`;
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    socket.on('error', () => {});
    return socket;
  }

  it(`do not block other clients when ${COUNT} of them send incomplete headers`, async () => {
    await start('10.0.0.0/8');
    const open = new Set<Socket>();
    const attack = (async () => {
      for (let number = 0; number < COUNT; number++) {
        const socket = from(number);
        open.add(socket);
        socket.on('close', () => open.delete(socket));
        socket.on('connect', () =>
          socket.write(`POST ${paths.flooded} HTTP/1.1\r\nX: ${'y'.repeat(15_000)}`),
        );
        if (number % 100 === 0) await sleep(1);
        while (open.size > AT_ONCE) await sleep(5);
      }
    })();
    const { sent, p99 } = await others(attack);
    for (const socket of open) socket.destroy();
    await isAllWritten('other', sent);
    checkOthers(`${COUNT} heads`, { sent, p99 });
    expect(memory()).toBeLessThan(MOST_MEMORY);
  });

  it('need no more memory than 64 KiB each when they send that byte by byte', async () => {
    await start('10.0.0.0/8');
    const clients = Array.from({ length: IN_EARNEST ? 400 : 100 }, (_, number) => from(number));
    const head = `POST ${paths.flooded} HTTP/1.1\r\nHost: x\r\nContent-Length: 64000\r\n\r\n`;
    let isOver = false;
    const attack = Promise.all(
      clients.map(async socket => {
        socket.setNoDelay(true);
        socket.write(head);
        while (!isOver && !socket.destroyed) {
          socket.write('x');
          await sleep(1);
        }
      }),
    );
    const { sent, p99 } = await others(sleep(MILLISECONDS / 2));
    isOver = true;
    await attack;
    for (const socket of clients) socket.destroy();
    await isAllWritten('other', sent);
    checkOthers('64 KiB byte by byte', { sent, p99 });
    expect(memory()).toBeLessThan(MOST_MEMORY);
  });
});
