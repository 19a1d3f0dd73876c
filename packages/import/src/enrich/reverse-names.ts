import { Resolver } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** Milliseconds that a question may take, and questions at once. */
const TIMEOUT = 2000;
const AT_ONCE = 20;

const HOST = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/;

/** Host names of addresses, as DNS has them. A network's holder gives its names, so each has to lead back to it. */
export class ReverseNames {
  #resolver = new Resolver({ timeout: TIMEOUT, tries: 1 });
  #known = new Map<string, string | undefined>();

  /** @param server that is asked, `192.0.2.1` or `192.0.2.1:5353`; those of the system when left out */
  constructor(server?: string) {
    if (server !== undefined) this.#resolver.setServers([server]);
  }

  /** Answers with the names of those that have one. */
  async find(addresses: Iterable<string>): Promise<ReadonlyMap<string, string | undefined>> {
    const waiting = [...new Set(addresses)].filter(address => !this.#known.has(address));
    const work = async () => {
      for (let address = waiting.pop(); address !== undefined; address = waiting.pop())
        this.#known.set(address, await this.#nameOf(address));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return this.#known;
  }

  async #nameOf(address: string): Promise<string | undefined> {
    try {
      const names = await this.#resolver.reverse(address);
      const name = names.map(known => known.toLowerCase().replace(/\.$/, '')).find(known => HOST.test(known));
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
