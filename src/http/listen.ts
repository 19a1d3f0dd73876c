import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The port cannot be opened. The message states the reason and the remedy. */
export class ListenFailed extends Error {
  override name = 'ListenFailed';
}

interface Place {
  host: string;
  port: number;
  /** The setting that chooses the port; default: `PORT`. */
  setting?: string;
}

/** Resolves with the port once the server listens. */
export async function listen(server: Server, place: Place): Promise<number> {
  server.listen(place.port, place.host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new ListenFailed(sentence(error as NodeJS.ErrnoException, place));
  }
  return (server.address() as AddressInfo).port;
}

/** Checks the port before the long work of starting. Another process can still take the port in the meantime. */
export async function requireFreePort(place: Place): Promise<void> {
  const probe = createServer();
  await listen(probe, place);
  probe.close();
  await once(probe, 'close');
}

function sentence({ code, message }: NodeJS.ErrnoException, { host, port, setting = 'PORT' }: Place): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use: stop the process that listens there, or choose another port with ${setting}.`;
    case 'EACCES':
      return `Port ${port} cannot be opened by this user: choose one above 1023 with ${setting}.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine: choose another with HOST.`;
    default:
      return `The service cannot listen on port ${port} of ${host}: ${message}`;
  }
}
