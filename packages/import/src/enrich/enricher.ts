import { isIP } from 'node:net';
import type { ReportType } from '@sightline/reports';
import { LRUCache } from 'lru-cache';
import type { AddressDatabase, Network } from './address-database.ts';
import type { SenderNames } from './sender-names.ts';

/** The fields of a report that are filled in. */
export interface Enrichment extends Network {
  sourceHostname?: string;
}

export interface EnrichmentSources {
  databases: readonly AddressDatabase[];
  names?: SenderNames | undefined;
}

/** The addresses by which reports are enriched, and the fields that are filled in. */
const ENRICHED: Partial<Record<ReportType, { address: string; fields: readonly (keyof Network)[] }>> = {
  dmarc: { address: 'sourceIp', fields: ['organisation', 'asn', 'country'] },
  nel: { address: 'serverIp', fields: ['organisation'] },
};

/** Addresses of which is kept what was found: a report's own come again and again. */
const MOST_ADDRESSES = 50_000;

/** Fills in what a report leaves empty, by its address. */
export class Enricher {
  #databases: readonly AddressDatabase[];
  #names: SenderNames | undefined;
  #found = new LRUCache<string, Network>({ max: MOST_ADDRESSES });

  constructor({ databases, names }: EnrichmentSources) {
    this.#databases = databases;
    this.#names = names;
  }

  /** Answers with the fields that are empty and known here, or with undefined where there are none. */
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
    const known = this.#found.get(address);
    if (known) return known;
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
