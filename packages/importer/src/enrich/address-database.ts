import { gunzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { Reader, type Response } from 'mmdb-lib';

/** The network that an address belongs to. */
export interface Network {
  asn?: number;
  organisation?: string;
  /** ISO 3166-1 alpha-2 code. */
  country?: string;
}

/** The fields of common databases: MaxMind and DB-IP, and IPinfo. */
interface Entry {
  autonomous_system_number?: unknown;
  autonomous_system_organization?: unknown;
  asn?: unknown;
  as_name?: unknown;
  country?: { iso_code?: unknown } | string;
  country_code?: unknown;
}

/** The fields that a database of each kind must provide. */
const FIELDS = { organisations: ['asn', 'organisation'], countries: ['country'] } as const;

/** Number of networks that are searched for a required field when a database is opened. */
const LOOKED_AT = 10_000;

/** Maximum number of cached entries of a database; many networks share one entry. */
const MOST_ENTRIES = 50_000;

/** The zero bytes after the search tree of a database. */
const SEPARATOR = Buffer.alloc(16);

/** A database of networks in MaxMind's format (MaxMind DB 2.0), held in memory. */
export class AddressDatabase {
  #reader: Reader<Response>;
  #name: string;
  /** The network of an entry. The reader returns the same object while it is cached. */
  #networks = new WeakMap<object, Network>();

  /**
   * @param content plain or gzipped
   * @param name the name of the file, for messages
   * @param kind what the database is used for
   * @throws {Error} if it has another format or kind, or is truncated
   */
  constructor(content: Buffer, name: string, kind: keyof typeof FIELDS) {
    this.#name = name;
    try {
      this.#reader = openReader(content[0] === 0x1f && content[1] === 0x8b ? gunzipSync(content) : content);
    } catch {
      throw new Error('it is not a complete MMDB file: unpack it, or download it again');
    }
    if (this.#isWithout(FIELDS[kind]))
      throw new Error(
        `it contains no ${kind}, because it is a database of the type ${this.#reader.metadata.databaseType}`,
      );
  }

  /**
   * Checks whether none of the first IPv4 networks has any of the fields. False for a database without IPv4 networks.
   */
  #isWithout(fields: readonly (keyof Network)[]): boolean {
    let hasNetwork = false;
    let address = 0;
    for (let tries = 0; tries < LOOKED_AT && address < 2 ** 32; tries++) {
      const dotted = [24, 16, 8, 0].map(bits => (address >>> bits) & 0xff).join('.');
      const [entry, length] = this.#entry(dotted);
      const network = entry ? toNetwork(entry) : NOWHERE;
      if (fields.some(field => network[field] !== undefined)) return false;
      hasNetwork ||= entry !== null;
      address += 2 ** (32 - length);
    }
    return hasNetwork;
  }

  /**
   * Returns the network of an address, which is empty if the database does not contain it.
   * @param address IPv4 or IPv6
   */
  find(address: string): Readonly<Network> {
    const [entry] = this.#entry(address);
    if (typeof entry !== 'object' || entry === null) return NOWHERE;
    const existing = this.#networks.get(entry);
    if (existing) return existing;
    const network = toNetwork(entry);
    this.#networks.set(entry, network);
    return network;
  }

  /** Returns the entry of the address, and the prefix length of its network. */
  #entry(address: string): [entry: Entry | null, length: number] {
    try {
      return this.#reader.getWithPrefixLength(address) as [Entry | null, number];
    } catch {
      throw new Error(`${this.#name} is damaged: download it again`);
    }
  }
}

/**
 * Opens a database.
 * @throws {Error} if the search tree does not have the length that the metadata states
 */
function openReader(content: Buffer): Reader<Response> {
  const cache = new LRUCache<string | number, object>({ max: MOST_ENTRIES });
  const reader = new Reader(content, { cache });
  const { searchTreeSize: end } = reader.metadata;
  if (!content.subarray(end, end + SEPARATOR.length).equals(SEPARATOR)) throw new Error('no end of its tree');
  return reader;
}

const NOWHERE: Network = {};

function toNetwork(entry: Entry): Network {
  const { country } = entry;
  const network: Network = {};
  const asn = toNumber(entry.autonomous_system_number ?? entry.asn);
  const organisation = toText(entry.autonomous_system_organization ?? entry.as_name);
  const code =
    getCode(typeof country === 'object' ? country.iso_code : entry.country_code) ?? getCode(country);
  if (asn !== undefined) network.asn = asn;
  if (organisation !== undefined) network.organisation = organisation;
  if (code !== undefined) network.country = code;
  return network;
}

/** Parses `15169` and `AS15169`. */
function toNumber(value: unknown): number | undefined {
  const number = Number(/^(?:AS)?(\d{1,10})$/i.exec(String(value))?.[1]);
  return number > 0 && number < 2 ** 32 ? number : undefined;
}

const LONGEST_NAME = 255;

/** Removes characters that a report cannot contain. */
export function toText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value.replace(/\p{C}/gu, '').trim().slice(0, LONGEST_NAME) || undefined;
}

function getCode(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z]{2}$/i.test(value) ? value.toUpperCase() : undefined;
}
