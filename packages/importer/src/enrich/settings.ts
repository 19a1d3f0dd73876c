import * as z from 'zod';

/** Settings for enriching reports during an import. */
export const ENRICH_SETTINGS = {
  ENRICH_ASN: z
    .string()
    .optional()
    .describe('MMDB file with the organisations of networks, which imports add to reports; none if empty.'),
  ENRICH_COUNTRY: z
    .string()
    .optional()
    .describe('MMDB file with the countries of networks, which imports add to reports; none if empty.'),
  ENRICH_NAMES: z
    .string()
    .optional()
    .describe(
      "CSV file with names of senders (parsedmarc's map), which imports add to reports; none if empty.",
    ),
};

const ALL = z.object(ENRICH_SETTINGS);

/** Paths of the files with networks, countries and sender names. */
export type EnrichmentFiles = ReturnType<typeof enrichmentFiles>;

export function enrichmentFiles(values: z.infer<typeof ALL>) {
  return { asn: values.ENRICH_ASN, country: values.ENRICH_COUNTRY, names: values.ENRICH_NAMES };
}
