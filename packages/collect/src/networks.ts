import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, type Socket } from 'node:net';

/** One client: an IPv4 address, or the first 64 bits of an IPv6 one, of which a household has all. */
export function networkOf(address: string): string {
  const [, version4] = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (version4 !== undefined) return version4;
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head.split(':').filter(group => group !== '');
  const rest = (tail ?? '').split(':').filter(group => group !== '');
  while (tail !== undefined && groups.length + rest.length < 8) groups.push('0');
  const first = [...groups, ...rest].slice(0, 4);
  return first.map(group => group.replace(/^0+(?=.)/, '')).join(':');
}

/** Who sends: for rates alone. No address is written anywhere. */
export class Clients {
  #proxies: BlockList;
  #peers = new WeakMap<Socket, { network: string; isProxy: boolean }>();
  /** Requests that were handed on by an address that is not on the list. */
  unlisted = 0;

  constructor(proxies: BlockList) {
    this.#proxies = proxies;
  }

  /** Of a connection, and whether it is a proxy's. */
  peer(socket: Socket): { network: string; isProxy: boolean } {
    let peer = this.#peers.get(socket);
    if (peer) return peer;
    const address = socket.remoteAddress ?? '';
    peer = { network: networkOf(address), isProxy: this.#isListed(address) };
    this.#peers.set(socket, peer);
    return peer;
  }

  /** Of the last address that no proxy of the list has. */
  network({ socket, headers }: IncomingMessage): string {
    const { network, isProxy } = this.peer(socket);
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined) return network;
    if (!isProxy) this.unlisted++;
    const addresses = isProxy ? String(forwarded).split(',') : [];
    let last = network;
    while (addresses.length > 0) {
      const address = addresses.pop()!.trim();
      if (isIP(address) === 0) break;
      last = networkOf(address);
      if (!this.#isListed(address)) break;
    }
    return last;
  }

  #isListed(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.#proxies.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }
}
