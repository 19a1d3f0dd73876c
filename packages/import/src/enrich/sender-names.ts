import { isIP } from 'node:net';
import { addressBits } from '@sightline/reports/ip-address';
import { parse } from 'csv-parse/sync';
import { textOf } from './address-database.ts';

/** Bits of an address, where IPv4 is mapped into IPv6. */
const BITS = 128;

/** The networks with a prefix of one length. */
interface NetworksOfPrefix {
  /** The bits of an address behind the prefix. */
  rest: bigint;
  /** A name for the bits of each prefix. */
  names: Map<bigint, string>;
}

/** Names of senders by the domain of their host names, or by network: the form of parsedmarc's map. */
export class SenderNames {
  #ofDomain = new Map<string, string>();
  /** The longest prefix first. */
  #networks: NetworksOfPrefix[] = [];

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
    this.#networks.sort((one, other) => Number(one.rest - other.rest));
  }

  #add(key: string, name: string | undefined): void {
    if (key === '' || name === undefined) return;
    const [address = '', length] = key.split('/');
    const version = isIP(address);
    if (version === 0 || length === undefined) return void this.#ofDomain.set(key, name);
    const most = version === 4 ? 32 : BITS;
    if (!/^\d{1,3}$/.test(length) || Number(length) > most) throw new Error(`${key} is no network`);
    const rest = BigInt(most - Number(length));
    const network = addressBits(address) >> rest;
    const { names } = this.#networksOf(rest);
    // The first of several lines decides.
    if (!names.has(network)) names.set(network, name);
  }

  #networksOf(rest: bigint): NetworksOfPrefix {
    let networks = this.#networks.find(known => known.rest === rest);
    if (!networks) {
      networks = { rest, names: new Map() };
      this.#networks.push(networks);
    }
    return networks;
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
    const bits = addressBits(address);
    for (const { rest, names } of this.#networks) {
      const name = names.get(bits >> rest);
      if (name !== undefined) return name;
    }
    return undefined;
  }
}
