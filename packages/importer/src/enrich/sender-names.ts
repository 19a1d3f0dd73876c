import { isIP } from 'node:net';
import { addressDigits } from '@sightline/reports';
import { parse } from 'csv-parse/sync';
import { toText } from './address-database.ts';

/** Number of bits and of hexadecimal digits in an address. IPv4 addresses are mapped into IPv6. */
const [BITS, DIGITS] = [128, 32];

interface NamedNetwork {
  first: bigint;
  /** The end of the range, exclusive. */
  end: bigint;
  name: string;
}

/** Names of senders by domain or network, in the format of parsedmarc's map. */
export class SenderNames {
  #ofDomain = new Map<string, string>();
  /** The start addresses of the ranges in ascending order, and the name of each range. */
  #begins: string[] = [];
  #names: (string | undefined)[] = [];

  /**
   * @param csv with the columns `base_reverse_dns` (a domain, or a network as `192.0.2.0/24`) and `name`
   * @throws {Error} for another format
   */
  constructor(csv: string) {
    const rows: Record<string, string>[] = parse(csv, { columns: true, bom: true, trim: true });
    const [first] = rows;
    if (first && !('base_reverse_dns' in first && 'name' in first))
      throw new Error('has no columns base_reverse_dns and name');
    const networks: NamedNetwork[] = [];
    for (const row of rows) {
      const [key = '', name] = [row.base_reverse_dns?.toLowerCase(), toText(row.name)];
      if (key === '' || name === undefined) continue;
      const network = toNetwork(key);
      if (network) networks.push({ ...network, name });
      else this.#ofDomain.set(key, name);
    }
    this.#divide(networks);
  }

  /** Divides the address space into ranges with the same longest prefix. */
  #divide(networks: NamedNetwork[]): void {
    // Networks come before the smaller networks inside them. For equal networks, the first line is sorted last and
    // wins.
    networks
      .reverse()
      .sort(
        (one, other) =>
          Number(one.first > other.first) - Number(one.first < other.first) ||
          Number(other.end > one.end) - Number(other.end < one.end),
      );
    const around: NamedNetwork[] = [];
    const leaveBefore = (address: bigint) => {
      for (let inner = around.at(-1); inner && inner.end <= address; inner = around.at(-1)) {
        around.pop();
        this.#begin(inner.end, around.at(-1)?.name);
      }
    };
    for (const network of networks) {
      leaveBefore(network.first);
      this.#begin(network.first, network.name);
      around.push(network);
    }
    leaveBefore(1n << BigInt(BITS));
  }

  #begin(address: bigint, name: string | undefined): void {
    const digits = address.toString(16).padStart(DIGITS, '0');
    if (this.#begins.at(-1) === digits) this.#names[this.#names.length - 1] = name;
    else if (digits.length === DIGITS) this.#names[this.#begins.push(digits) - 1] = name;
  }

  /** Returns the name for the longest domain that contains the host. */
  ofHost(host: string): string | undefined {
    const labels = host.toLowerCase().replace(/\.$/, '').split('.');
    for (let begin = 0; begin < labels.length; begin++) {
      const name = this.#ofDomain.get(labels.slice(begin).join('.'));
      if (name !== undefined) return name;
    }
    return undefined;
  }

  /**
   * Returns the name for the smallest network that contains the address.
   * @param address IPv4 or IPv6
   */
  ofAddress(address: string): string | undefined {
    const digits = addressDigits(address);
    let [low, high] = [0, this.#begins.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#begins[middle]! <= digits) low = middle + 1;
      else high = middle;
    }
    return this.#names[low - 1];
  }
}

/**
 * Parses a network; returns undefined for a host name.
 * @throws {Error} for an invalid prefix
 */
function toNetwork(key: string): Omit<NamedNetwork, 'name'> | undefined {
  const [address = '', prefix] = key.split('/');
  const version = isIP(address);
  if (version === 0 || prefix === undefined) return undefined;
  const most = version === 4 ? 32 : BITS;
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > most) throw new Error(`${key} is no network`);
  const rest = BigInt(most - Number(prefix));
  const bits = BigInt(`0x${addressDigits(address)}`) >> rest;
  return { first: bits << rest, end: (bits + 1n) << rest };
}
