import { Resolver } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** Time limit of a DNS query in milliseconds, and maximum number of concurrent queries. */
const TIMEOUT = 2000;
const AT_ONCE = 20;

const HOST = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/;

/**
 * Looks up the host names of addresses in DNS. The holder of a network can claim any name, so each name must resolve to
 * the address.
 */
export class ReverseNames {
  #resolver = new Resolver({ timeout: TIMEOUT, tries: 1 });
  #cache = new Map<string, string | undefined>();

  /** @param server the DNS server, `192.0.2.1` or `192.0.2.1:5353`; default: the system's servers */
  constructor(server?: string) {
    if (server !== undefined) this.#resolver.setServers([server]);
  }

  /** Returns the host names of those addresses that have one. */
  async find(addresses: Iterable<string>): Promise<ReadonlyMap<string, string | undefined>> {
    const waiting = [...new Set(addresses)].filter(address => !this.#cache.has(address));
    const work = async () => {
      for (let address = waiting.pop(); address !== undefined; address = waiting.pop())
        this.#cache.set(address, await this.#getName(address));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return this.#cache;
  }

  async #getName(address: string): Promise<string | undefined> {
    try {
      const names = await this.#resolver.reverse(address);
      const name = names
        .map(existing => existing.toLowerCase().replace(/\.$/, ''))
        .find(existing => HOST.test(existing));
      return name !== undefined && (await this.#leadsTo(address, name)) ? name : undefined;
    } catch {
      return undefined;
    }
  }

  async #leadsTo(address: string, name: string): Promise<boolean> {
    const [version, family] = isIP(address) === 4 ? (['4', 'ipv4'] as const) : (['6', 'ipv6'] as const);
    const found = await (version === '4' ? this.#resolver.resolve4(name) : this.#resolver.resolve6(name));
    const list = new BlockList();
    for (const one of found) list.addAddress(one, family);
    return list.check(address, family);
  }
}
