import { gunzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { Reader, type Response } from 'mmdb-lib';

/** The network of an address. */
export interface Network {
  asn?: number;
  organisation?: string;
  /** ISO 3166-1 alpha-2. */
  country?: string;
}

/** The fields of the databases that can be had: those of MaxMind and DB-IP, and those of IPinfo. */
interface Entry {
  autonomous_system_number?: unknown;
  autonomous_system_organization?: unknown;
  asn?: unknown;
  as_name?: unknown;
  country?: { iso_code?: unknown } | string;
  country_code?: unknown;
}

/** The fields that a database of each kind is there for. */
const FIELDS = { organisations: ['asn', 'organisation'], countries: ['country'] } as const;

/** Networks among which a database has one with such a field. */
const LOOKED_AT = 10_000;

/** Entries and parts of entries of a database that are kept: many networks have one holder. */
const MOST_ENTRIES = 50_000;

/** Bytes of zeros that end the tree of a database. */
const SEPARATOR = Buffer.alloc(16);

/** A database of addresses in MaxMind's form (MaxMind DB 2.0), held in memory. */
export class AddressDatabase {
  #reader: Reader<Response>;
  #name: string;
  /** The network of an entry. The reader gives the same object again while it keeps it. */
  #networks = new WeakMap<object, Network>();

  /**
   * @param content as it is, or packed by gzip
   * @param name of its file
   * @param kind what it is there for
   * @throws {Error} where it is of another form or kind, or only a part
   */
  constructor(content: Buffer, name: string, kind: keyof typeof FIELDS) {
    this.#name = name;
    try {
      this.#reader = readerOf(content[0] === 0x1f && content[1] === 0x8b ? gunzipSync(content) : content);
    } catch {
      throw new Error('it is no whole MMDB: unpack it, or get it anew');
    }
    if (this.#isWithout(FIELDS[kind]))
      throw new Error(`it names no ${kind}, as a database of the type ${this.#reader.metadata.databaseType}`);
  }

  /** True where it has IPv4 networks, and none of the first ones has any of the fields. */
  #isWithout(fields: readonly (keyof Network)[]): boolean {
    let hasNetwork = false;
    let address = 0;
    for (let looked = 0; looked < LOOKED_AT && address < 2 ** 32; looked++) {
      const dotted = [24, 16, 8, 0].map(bits => (address >>> bits) & 0xff).join('.');
      const [entry, length] = this.#entry(dotted);
      const network = entry ? networkOf(entry) : NOWHERE;
      if (fields.some(field => network[field] !== undefined)) return false;
      hasNetwork ||= entry !== null;
      address += 2 ** (32 - length);
    }
    return hasNetwork;
  }

  /** @param address IPv4 or IPv6 */
  find(address: string): Readonly<Network> {
    const [entry] = this.#entry(address);
    if (typeof entry !== 'object' || entry === null) return NOWHERE;
    const known = this.#networks.get(entry);
    if (known) return known;
    const network = networkOf(entry);
    this.#networks.set(entry, network);
    return network;
  }

  /** The entry of the address, and the length of its network's prefix. */
  #entry(address: string): [entry: Entry | null, length: number] {
    try {
      return this.#reader.getWithPrefixLength(address) as [Entry | null, number];
    } catch {
      throw new Error(`${this.#name} is damaged: get it anew`);
    }
  }
}

/** @throws {Error} where the tree does not end as its description says */
function readerOf(content: Buffer): Reader<Response> {
  const cache = new LRUCache<string | number, object>({ max: MOST_ENTRIES });
  const reader = new Reader(content, { cache });
  const { searchTreeSize: end } = reader.metadata;
  if (!content.subarray(end, end + SEPARATOR.length).equals(SEPARATOR)) throw new Error('no end of its tree');
  return reader;
}

const NOWHERE: Network = {};

function networkOf(entry: Entry): Network {
  const { country } = entry;
  const network: Network = {};
  const asn = numberOf(entry.autonomous_system_number ?? entry.asn);
  const organisation = textOf(entry.autonomous_system_organization ?? entry.as_name);
  const code = codeOf(typeof country === 'object' ? country.iso_code : entry.country_code) ?? codeOf(country);
  if (asn !== undefined) network.asn = asn;
  if (organisation !== undefined) network.organisation = organisation;
  if (code !== undefined) network.country = code;
  return network;
}

/** `15169` and `AS15169`. */
function numberOf(value: unknown): number | undefined {
  const number = Number(/^(?:AS)?(\d{1,10})$/i.exec(String(value))?.[1]);
  return number > 0 && number < 2 ** 32 ? number : undefined;
}

const LONGEST_NAME = 255;

/** Without what no text of a report may hold. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value.replace(/\p{C}/gu, '').trim().slice(0, LONGEST_NAME) || undefined;
}

function codeOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z]{2}$/i.test(value) ? value.toUpperCase() : undefined;
}
