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

/** A database of addresses in MaxMind's form (MaxMind DB 2.0), held in memory. */
export class AddressDatabase {
  #reader: Reader<Response>;

  /** @throws {Error} where it is of another form */
  constructor(content: Buffer) {
    this.#reader = new Reader(content);
  }

  /** @param address IPv4 or IPv6 */
  find(address: string): Network {
    const entry = this.#reader.get(address) as Entry | null;
    if (!entry) return {};
    const { country } = entry;
    return {
      ...known('asn', numberOf(entry.autonomous_system_number ?? entry.asn)),
      ...known('organisation', textOf(entry.autonomous_system_organization ?? entry.as_name)),
      ...known(
        'country',
        codeOf(typeof country === 'object' ? country.iso_code : entry.country_code) ?? codeOf(country),
      ),
    };
  }
}

function known<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };
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
