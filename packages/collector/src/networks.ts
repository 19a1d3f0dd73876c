import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { LRUCache } from 'lru-cache';

/**
 * Returns the network of a client: its IPv4 address, or the first 64 bits of its IPv6 address, which a household
 * shares.
 */
export function toNetwork(address: string): string {
  const [, version4] = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (version4 !== undefined) return version4;
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head.split(':').filter(group => group !== '');
  const rest = (tail ?? '').split(':').filter(group => group !== '');
  while (tail !== undefined && groups.length + rest.length < 8) groups.push('0');
  const first = [...groups, ...rest].slice(0, 4);
  return first.map(group => group.replace(/^0+(?=.)/, '')).join(':');
}

type Peer = { network: string; isProxy: boolean };

/** Identifies clients by network for rate limits. Addresses are not stored. */
export class Clients {
  #proxies: BlockList;
  #cache = new LRUCache<string, Peer>({ max: 10_000 });
  /** Number of requests that were forwarded by unlisted proxies. */
  unlisted = 0;

  constructor(proxies: BlockList) {
    this.#proxies = proxies;
  }

  /** Returns the network of the client: the last address in the chain that is not a listed proxy. */
  network({ socket, headers }: IncomingMessage): string {
    let peer = this.at(socket.remoteAddress);
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined) return peer.network;
    if (!peer.isProxy) this.unlisted++;
    for (const address of String(forwarded).split(',').reverse()) {
      if (!peer.isProxy || isIP(address.trim()) === 0) break;
      peer = this.at(address.trim());
    }
    return peer.network;
  }

  /** Returns a cached entry for an address. */
  at(address = ''): Peer {
    const existing = this.#cache.get(address);
    if (existing) return existing;
    const version = isIP(address);
    const isProxy = version !== 0 && this.#proxies.check(address, version === 4 ? 'ipv4' : 'ipv6');
    const peer = { network: toNetwork(address), isProxy };
    this.#cache.set(address, peer);
    return peer;
  }
}
