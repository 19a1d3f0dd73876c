import { isIP } from 'node:net';
import type { ReportType } from '@sightline/reports';
import { LRUCache } from 'lru-cache';
import type { AddressDatabase, Network } from './address-database.ts';
import type { SenderNames } from './sender-names.ts';

/** The fields of a report that enrichment can fill in. */
export interface Enrichment extends Network {
  sourceHostname?: string;
}

export interface EnrichmentSources {
  databases: readonly AddressDatabase[];
  names?: SenderNames | undefined;
}

/** For each report type, the address to look up and the fields to fill in. */
const ENRICHED: Partial<Record<ReportType, { address: string; fields: readonly (keyof Network)[] }>> = {
  dmarc: { address: 'sourceIp', fields: ['organisation', 'asn', 'country'] },
  nel: { address: 'serverIp', fields: ['organisation'] },
};

/** Maximum number of addresses with cached results; a report repeats its addresses. */
const MOST_ADDRESSES = 50_000;

/** Fills in the empty fields of a report by its address. */
export class Enricher {
  #databases: readonly AddressDatabase[];
  #names: SenderNames | undefined;
  #found = new LRUCache<string, Network>({ max: MOST_ADDRESSES });

  constructor({ databases, names }: EnrichmentSources) {
    this.#databases = databases;
    this.#names = names;
  }

  /** Returns values for the empty fields, or undefined if there are none. */
  readonly missing = (
    type: ReportType,
    report: Readonly<Record<string, unknown>>,
  ): Enrichment | undefined => {
    const enriched = ENRICHED[type];
    const address = enriched && report[enriched.address];
    if (typeof address !== 'string' || isIP(address) === 0) return undefined;
    const found = this.#find(address);
    const { sourceHostname: host } = report;
    const name = typeof host === 'string' && host !== '' ? this.#names?.ofHost(host) : undefined;
    let added: Record<string, unknown> | undefined;
    for (const field of enriched!.fields) {
      if (!isEmpty(report[field])) continue;
      const value = (field === 'organisation' ? name : undefined) ?? found[field];
      if (value === undefined) continue;
      added ??= {};
      added[field] = value;
    }
    return added;
  };

  #find(address: string): Network {
    const existing = this.#found.get(address);
    if (existing) return existing;
    const found: Network = {};
    for (const database of this.#databases) Object.assign(found, database.find(address));
    const name = this.#names?.ofAddress(address);
    if (name !== undefined) found.organisation = name;
    this.#found.set(address, found);
    return found;
  }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
