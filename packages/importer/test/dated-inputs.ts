import { issueCertificate, toPublicKey } from '../../demo/src/certificates.ts';

/** The day of these inputs, for imports of `importAsOf`. */
export const DAY = Date.UTC(2026, 10, 20);

/** Moves an aggregate report to the day. */
export const onDay = (xml: string) =>
  xml.replace(/<begin>\d+/, `<begin>${DAY / 1000}`).replace(/<end>\d+/, `<end>${DAY / 1000 + 86_399}`);

/** Returns a CSP report about the page with this number. */
export const toCsp = (page: number) =>
  JSON.stringify({
    'csp-report': { 'document-uri': `https://a.example/${page}`, 'effective-directive': 'img-src' },
  });

/** Issues a certificate that is valid for the day. */
export const issueForDay = (hostnames: readonly string[], precertificate = false) =>
  issueCertificate({
    hostnames,
    issuer: { country: 'DE', organisation: 'Beispiel', commonName: 'Beispiel CA' },
    serialNumber: '0102',
    notBefore: DAY,
    notAfter: DAY + 86_400_000,
    publicKeyInfo: toPublicKey('sightline tests'),
    precertificate,
  });
