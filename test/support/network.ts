import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts } from 'node:net';

/**
 * A network address for a database. The network is down at first. Returns the address and a function that enables the
 * network; it ends with the process.
 */
export async function createNetwork(databaseUrl: string): Promise<{ url: string; putUp(): Promise<void> }> {
  const target = toAddress(databaseUrl);
  const server = createServer(client => {
    const upstream = connect(target);
    client.pipe(upstream).pipe(client);
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
  }).unref();
  const port = await freePort();
  return {
    url: databaseUrl.replace(/@[^/]+/, `@127.0.0.1:${port}`),
    async putUp() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}

/**
 * The address that the server listens on. The embedded server only has a socket, whose folder takes the place of the
 * host.
 */
export function toAddress(databaseUrl: string): NetConnectOpts {
  const { hostname, port } = new URL(databaseUrl);
  const folder = decodeURIComponent(hostname);
  return folder.startsWith('/')
    ? { path: `${folder}/.s.PGSQL.${port || 5432}` }
    : { host: hostname, port: Number(port || 5432) };
}

/**
 * The first port that tests get, and how many each of the processes that run tests has. They are below those that the
 * kernel gives to connections, which could take a port before its test does.
 */
const [FIRST, PORTS_EACH, PROCESSES] = [20_000, 1000, 12];

/** Ports that this process has been given. */
const given = new Set<number>();

/** Returns a free port that no other test will get. */
export async function freePort(): Promise<number> {
  const place = Number(process.env.VITEST_POOL_ID ?? 0) % PROCESSES;
  for (;;) {
    const port = FIRST + place * PORTS_EACH + randomInt(PORTS_EACH);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (isListening) await once(server.close(), 'close');
  return isListening;
}
