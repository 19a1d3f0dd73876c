import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clients } from './networks.ts';

/**
 * Maximum number of concurrent connections, per client and in total. Each takes about 20 KB of memory. Connections from
 * proxies are not limited.
 */
const MOST_OF_ONE = 100;
const MOST = 800;

/**
 * Limits the connections that slow clients hold open. A client at its limit is refused; at the total limit, the oldest
 * connection is closed.
 */
export function boundConnections(server: Server, clients: Clients): void {
  const open = new Set<Socket>();
  const byClient = new Map<string, number>();
  server.on('connection', socket => {
    const { network: client, isProxy } = clients.at(socket.remoteAddress);
    if (isProxy) return;
    const count = byClient.get(client) ?? 0;
    if (count >= MOST_OF_ONE) return void socket.destroy();
    byClient.set(client, count + 1);
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      const left = byClient.get(client)! - 1;
      if (left > 0) byClient.set(client, left);
      else byClient.delete(client);
    });
    if (open.size > MOST) open.values().next().value!.destroy();
  });
}
