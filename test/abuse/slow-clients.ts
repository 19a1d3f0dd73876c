import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Load } from '../support/load.ts';
import type { LargeService } from './large-service.ts';

/** Slow clients of one kind. */
export interface Attack {
  name: string;
  /** The bytes that each client sends immediately. */
  sends(key: string): string;
  /** The bytes that each client sends every second after that. None by default. */
  drips?: string;
  /** True if the client needs no key, so that only limits per machine apply. */
  anonymous?: true;
}

const withAuthorization = (key: string, line: string, ...lines: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${key}`, ...lines].join('\r\n')}\r\n\r\n`;

export const ATTACKS: readonly Attack[] = [
  { name: 'no data', sends: () => '', anonymous: true },
  {
    name: 'headers that never end',
    sends: () => 'GET /v1/me HTTP/1.1\r\nHost: localhost\r\n',
    drips: 'X-A: b\r\n',
    anonymous: true,
  },
  {
    name: 'long headers that never end',
    sends: () => `GET /v1/me HTTP/1.1\r\nHost: localhost\r\nX-A: ${'x'.repeat(100_000)}`,
    drips: 'x',
    anonymous: true,
  },
  {
    name: 'bodies that never end',
    sends: key =>
      `${withAuthorization(key, 'POST /graphql', 'Content-Type: application/json', 'Content-Length: 9999')}{`,
    drips: ' ',
  },
  { name: 'unread small responses', sends: key => withAuthorization(key, 'GET /v1/plan').repeat(4) },
  {
    name: 'unread large responses',
    sends: key => withAuthorization(key, 'GET /v1/reports/csp?unit=days&date=2026-05-20').repeat(10),
  },
  { name: 'unread streams', sends: key => withAuthorization(key, 'GET /v1/audit-log') },
];

/** The responses to well-behaved clients, and the memory of the service. */
export interface Damage {
  /** The requests of the well-behaved clients: their number, failures, and durations in milliseconds. */
  requests: number;
  failures: string[];
  p99: number;
  /** The largest memory growth of the service in MiB. */
  memory: number;
  /** The number of extra sockets that stayed open. */
  socketsLeft: number;
}

/** The number of sockets that the service may open to the database. */
export const OWN = 4;

/** Includes those of well-behaved clients. */
const FEW = 20;

/**
 * @param count clients of each kind, all with keys of an account with large responses
 * @param patience milliseconds after the last connection by which all must be disconnected
 */
export async function attack(
  { served, keys }: LargeService,
  attacks: readonly Attack[],
  count: number,
  patience: number,
): Promise<Damage> {
  const pid = served.child.pid!;
  const largeKeys = await keys('large', 5);
  const smallKeys = await keys('small', 10);
  const before = openSockets(pid);
  const memoryBefore = peakMemory(pid);
  const good = smallKeys.map(
    key =>
      new Load({
        url: served.url,
        key,
        // Below the rate limit, and before idle connections are closed.
        rate: 1,
        paths: ['/v1/me', '/v1/plan', '/v1/quota', '/v1/breakdown?n=*'],
      }),
  );
  const sockets: Socket[] = [];
  for (const kind of attacks) {
    for (let i = 0; i < count; i++) {
      sockets.push(slowClient(served.url, kind, largeKeys[i % largeKeys.length]!));
      if (i % 50 === 49) await sleep(10);
    }
  }
  const until = performance.now() + patience;
  await sleep(2000);
  while (performance.now() < until && openSockets(pid) > before + FEW) await sleep(250);
  const results = await Promise.all(good.map(load => load.stop()));
  while (performance.now() < until && openSockets(pid) > before + OWN) await sleep(250);
  const socketsLeft = openSockets(pid) - before;
  for (const socket of sockets) socket.destroy();
  const times = good
    .flatMap(({ outcomes }) => outcomes.map(({ took }) => took))
    .sort((one, other) => one - other);
  return {
    requests: times.length,
    failures: results.flatMap(({ failures }) => failures),
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
    memory: peakMemory(pid) - memoryBefore,
    socketsLeft,
  };
}

/** A client that reads nothing and closes only after it was disconnected. */
function slowClient(url: string, { sends, drips }: Attack, key: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on('error', () => {});
  socket.write(sends(key));
  if (drips) {
    const drip = setInterval(() => socket.write(drips), 1000);
    socket.once('close', () => clearInterval(drip));
  }
  return socket;
}

function openSockets(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter(fd => isSocket(`${folder}/${fd}`)).length;
}

function isSocket(link: string): boolean {
  try {
    return readlinkSync(link).startsWith('socket:');
  } catch {
    return false;
  }
}

function peakMemory(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}
