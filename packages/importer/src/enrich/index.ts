export { AddressDatabase } from './address-database.ts';
export { Enricher } from './enricher.ts';
export { ReverseNames } from './reverse-names.ts';
export { SenderNames } from './sender-names.ts';
export { ENRICH_SETTINGS, type EnrichmentFiles, enrichmentFiles } from './settings.ts';
