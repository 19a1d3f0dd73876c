import { isIP } from 'node:net';
import { addressDigits } from '@sightline/reports/ip-address';
import { parse } from 'csv-parse/sync';
import { textOf } from './address-database.ts';

/** Bits of an address, where IPv4 is mapped into IPv6, and hexadecimal digits. */
const [BITS, DIGITS] = [128, 32];

interface NamedNetwork {
  first: bigint;
  /** The address behind the last one. */
  end: bigint;
  name: string;
}

/** Names of senders by the domain of their host names, or by network: the form of parsedmarc's map. */
export class SenderNames {
  #ofDomain = new Map<string, string>();
  /** The addresses at which another name begins, in order, and these names. */
  #begins: string[] = [];
  #names: (string | undefined)[] = [];

  /**
   * @param csv with the columns `base_reverse_dns`, a domain or a network as `192.0.2.0/24`, and `name`
   * @throws {Error} where it is of another form
   */
  constructor(csv: string) {
    const rows: Record<string, string>[] = parse(csv, { columns: true, bom: true, trim: true });
    const [first] = rows;
    if (first && !('base_reverse_dns' in first && 'name' in first))
      throw new Error('has no columns base_reverse_dns and name');
    const networks: NamedNetwork[] = [];
    for (const row of rows) {
      const [key = '', name] = [row.base_reverse_dns?.toLowerCase(), textOf(row.name)];
      if (key === '' || name === undefined) continue;
      const network = networkOf(key);
      if (network) networks.push({ ...network, name });
      else this.#ofDomain.set(key, name);
    }
    this.#divide(networks);
  }

  /** Cuts the address space where the longest prefix is another one. */
  #divide(networks: NamedNetwork[]): void {
    // The wide before those within them; of one network, the first line comes last and decides.
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

/** Undefined for what is a name of hosts. @throws {Error} for a prefix that is none */
function networkOf(key: string): Omit<NamedNetwork, 'name'> | undefined {
  const [address = '', prefix] = key.split('/');
  const version = isIP(address);
  if (version === 0 || prefix === undefined) return undefined;
  const most = version === 4 ? 32 : BITS;
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > most) throw new Error(`${key} is no network`);
  const rest = BigInt(most - Number(prefix));
  const bits = BigInt(`0x${addressDigits(address)}`) >> rest;
  return { first: bits << rest, end: (bits + 1n) << rest };
}
