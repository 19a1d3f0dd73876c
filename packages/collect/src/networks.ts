import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { LRUCache } from 'lru-cache';

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

type Peer = { network: string; isProxy: boolean };

/** The senders, for rates alone. No address is written anywhere. */
export class Clients {
  #proxies: BlockList;
  #known = new LRUCache<string, Peer>({ max: 10_000 });
  /** Requests that were handed on by an address that is not on the list. */
  unlisted = 0;

  constructor(proxies: BlockList) {
    this.#proxies = proxies;
  }

  /** The network of the last address that no proxy of the list has. */
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

  /** An address of a client, or of a proxy. */
  at(address = ''): Peer {
    const known = this.#known.get(address);
    if (known) return known;
    const version = isIP(address);
    const isProxy = version !== 0 && this.#proxies.check(address, version === 4 ? 'ipv4' : 'ipv6');
    const peer = { network: networkOf(address), isProxy };
    this.#known.set(address, peer);
    return peer;
  }
}
