/** Networks reserved for documentation (RFC 5737, 3849 and 5398). */
export interface DemoNetwork {
  organisation: string;
  asn: number;
  country: string;
  /** The prefix of its addresses. */
  prefix: string;
}

export const SERVER_NETWORKS: readonly DemoNetwork[] = [
  { organisation: 'Example Cloud Hosting', asn: 64496, country: 'IE', prefix: '192.0.2.' },
  { organisation: 'Meridian Edge Networks', asn: 64497, country: 'US', prefix: '198.51.100.' },
  { organisation: 'Nordlys Datacenter AS', asn: 64498, country: 'NO', prefix: '2001:db8:10::' },
];

export const MAIL_NETWORKS: readonly DemoNetwork[] = [
  { organisation: 'Example Mail Services', asn: 64500, country: 'US', prefix: '192.0.2.' },
  { organisation: 'Postbote GmbH', asn: 64501, country: 'DE', prefix: '198.51.100.' },
  { organisation: 'Newsletter Works Ltd', asn: 64502, country: 'GB', prefix: '2001:db8:20::' },
];

export const SPOOFING_NETWORKS: readonly DemoNetwork[] = [
  { organisation: 'Bulk Transit LLC', asn: 65536, country: 'BR', prefix: '203.0.113.' },
  { organisation: 'Budget VPS Network', asn: 65537, country: 'VN', prefix: '2001:db8:66::' },
];
