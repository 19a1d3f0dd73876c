import type { ReportFilter } from './filter.ts';

const ADDRESS = `extra->>'sourceIp'`;

/** The first three numbers of an IPv4 address, or up to three groups of an IPv6 one. */
const IPV4 = `substring(${ADDRESS} from '^(\\d{1,3}\\.\\d{1,3}\\.\\d{1,3})\\.\\d{1,3}$')`;
const IPV6 = `substring(lower(${ADDRESS}) from '^([0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,2})(?=:)')`;

/**
 * The network of a sender's address: the /24 of IPv4, the /48 of IPv6, null of anything else. It is parsed as text. A
 * report's address can be invalid, and a cast would fail. Groups of zeros are left out.
 */
export const SOURCE_NETWORK = `coalesce(${IPV4} || '.0/24',
    regexp_replace(regexp_replace(${IPV6}, '(^|:)0+([0-9a-f])', '\\1\\2', 'g'), '(:0)+$', '') || '::/48')`;

/** Filters for the address itself, and for its network. */
export const SOURCE_FILTERS: readonly ReportFilter[] = [
  {
    name: 'sourceIp',
    kind: 'equals',
    column: `(${ADDRESS})`,
    reads: 'sourceIp',
    types: ['dmarc'],
    description: 'IP address of the sender.',
  },
  {
    name: 'sourceNetwork',
    kind: 'equals',
    column: `(${SOURCE_NETWORK})`,
    reads: 'sourceIp',
    types: ['dmarc'],
    description: "Network of the sender's address: an IPv4 /24 or an IPv6 /48.",
  },
];
