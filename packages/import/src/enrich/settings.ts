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

/** The paths of the files. */
export type EnrichmentFiles = ReturnType<typeof enrichmentFiles>;

export function enrichmentFiles(values: z.infer<typeof ALL>) {
  return { asn: values.ENRICH_ASN, country: values.ENRICH_COUNTRY, names: values.ENRICH_NAMES };
}
