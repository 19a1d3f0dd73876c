const NAMES: Readonly<Record<string, string>> = {
  uri: 'Page',
  blockedUri: 'Blocked',
  nelType: 'Error',
  asn: 'AS number',
  dkim: 'DKIM',
  spf: 'SPF',
  sha256: 'SHA-256',
  sha256Spki: 'SHA-256 of the public key',
  sha256Tbs: 'SHA-256 of the signed part',
  sourceIp: 'Source address',
  serverIp: 'Server address',
  featureId: 'Feature',
  property: 'Feature',
  recordId: 'Report',
  policyIocHosts: 'Compromised hosts in the policy',
  policyConcernHosts: 'Doubtful hosts in the policy',
  indicatorOfCompromise: 'Threat match',
};

/** `lowReputationDomain` as `Low reputation domain`. */
export function nameOf(field: string): string {
  const words = field.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
  return NAMES[field] ?? words[0]!.toUpperCase() + words.slice(1);
}
