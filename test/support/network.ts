import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts } from 'node:net';

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

/** Ports that this process has been given. The system reuses closed ports quickly. */
const given = new Set<number>();

/** Returns a free port that no other test will get soon. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  if (given.has(port)) return freePort();
  given.add(port);
  return port;
}
