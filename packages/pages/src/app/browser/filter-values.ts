import type { ReportTypeName } from './documents/documents.generated.ts';

/** The filters that are told or not. */
export const BOOLEANS = new Set([
  'aligned',
  'hasFailures',
  'ioc',
  'generatedDomain',
  'suspicious',
  'newlyRegisteredDomain',
  'anyThreatIntel',
]);

const DISPOSITIONS: Readonly<Record<string, readonly string[]>> = {
  permissions_policy: ['enforce', 'report'],
  dmarc: ['none', 'quarantine', 'reject', 'pass'],
};
const ISOLATION = ['enforce', 'reporting'];
const RESULTS = ['pass', 'fail'];
const CLOSED: Readonly<Record<string, readonly string[]>> = {
  sourceClass: [
    'external',
    'sameSite',
    'sameOrigin',
    'inline',
    'eval',
    'data',
    'blob',
    'extension',
    'browser',
    'impossible',
    'unknown',
  ],
  action: ['enforced', 'reportOnly'],
  phase: ['dns', 'connection', 'application'],
  dkim: RESULTS,
  spf: RESULTS,
  policyType: ['sts', 'tlsa', 'no-policy-found'],
  certType: ['certificate', 'precertificate'],
};

/** All values that a filter takes, where these are known. */
export function valuesOf(filter: string, type: ReportTypeName): readonly string[] | undefined {
  if (BOOLEANS.has(filter)) return ['true', 'false'];
  if (filter === 'disposition') return DISPOSITIONS[type] ?? ISOLATION;
  return Object.hasOwn(CLOSED, filter) ? CLOSED[filter] : undefined;
}
