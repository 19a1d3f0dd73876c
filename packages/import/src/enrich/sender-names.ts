import { BlockList, isIP } from 'node:net';
import { parse } from 'csv-parse/sync';
import { textOf } from './address-database.ts';

/** Names of senders by the domain of their host names, or by network: the form of parsedmarc's map. */
export class SenderNames {
  #ofDomain = new Map<string, string>();
  /** The longest prefix first. */
  #networks: { list: BlockList; prefix: number; name: string }[] = [];

  /**
   * @param csv with the columns `base_reverse_dns`, a domain or a network as `192.0.2.0/24`, and `name`
   * @throws {Error} where it is of another form
   */
  constructor(csv: string) {
    const rows: Record<string, string>[] = parse(csv, { columns: true, bom: true, trim: true });
    const [first] = rows;
    if (first && !('base_reverse_dns' in first && 'name' in first))
      throw new Error('has no columns base_reverse_dns and name');
    for (const { base_reverse_dns: key = '', name } of rows) this.#add(key.toLowerCase(), textOf(name));
    this.#networks.sort((one, other) => other.prefix - one.prefix);
  }

  #add(key: string, name: string | undefined): void {
    if (key === '' || name === undefined) return;
    const [address = '', length] = key.split('/');
    const version = isIP(address);
    if (version === 0 || length === undefined) return void this.#ofDomain.set(key, name);
    const list = new BlockList();
    const prefix = Number(length);
    list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
    this.#networks.push({ list, prefix, name });
  }

  /** The name for the longest domain that the host is in. */
  ofHost(host: string): string | undefined {
    const labels = host.toLowerCase().replace(/\.$/, '').split('.');
    for (let begin = 0; begin < labels.length; begin++) {
      const name = this.#ofDomain.get(labels.slice(begin).join('.'));
      if (name !== undefined) return name;
    }
    return undefined;
  }

  /** @param address IPv4 or IPv6 */
  ofAddress(address: string): string | undefined {
    const version = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    return this.#networks.find(({ list }) => list.check(address, version))?.name;
  }
}
