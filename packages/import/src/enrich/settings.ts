import * as z from 'zod';

/** Settings of what imports are enriched by. */
export const ENRICH_SETTINGS = {
  ENRICH_ASN: z
    .string()
    .optional()
    .describe(
      'File of networks and their organisations (MMDB) that imports are enriched by; none when empty.',
    ),
  ENRICH_COUNTRY: z
    .string()
    .optional()
    .describe('File of networks and their countries (MMDB) that imports are enriched by; none when empty.'),
  ENRICH_NAMES: z
    .string()
    .optional()
    .describe(
      "File of names of senders (CSV, as parsedmarc's map) that imports are enriched by; none when empty.",
    ),
};

const ALL = z.object(ENRICH_SETTINGS);

/** Paths. */
export interface EnrichmentFiles {
  asn?: string | undefined;
  country?: string | undefined;
  names?: string | undefined;
}

export function enrichmentFiles(values: z.infer<typeof ALL>): EnrichmentFiles {
  return { asn: values.ENRICH_ASN, country: values.ENRICH_COUNTRY, names: values.ENRICH_NAMES };
}
