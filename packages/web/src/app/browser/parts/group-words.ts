import type { GroupBy, ReportTypeName } from '../documents/documents.generated.ts';
import { issuerName, revealControlCharacters } from '../format.ts';
import { FIELDS_BY_GROUP } from '../tables.generated.ts';
import { inWords } from '../words.ts';

/** Headings of dimensions that differ from their names. */
const HEADINGS: Partial<Record<GroupBy, string>> = {
  PAGE_HOST: 'Host',
  PAGE_PATH: 'Path',
  SOURCE_CLASS: 'Source',
  SUBRESOURCE_HOST: 'Host',
  PROPERTY: 'Feature',
  FEATURE_ID: 'Feature',
  NEL_TYPE: 'Error',
  ORGANISATION: 'Network',
  SERVER_IP: 'Server address',
  SOURCE_ORGANISATION: 'Network',
  SOURCE_IP: 'Address',
  SOURCE_NETWORK: 'Address range',
  HEADER_FROM: 'From domain',
  DKIM: 'DKIM',
  SPF: 'SPF',
  RESULT_TYPE: 'Failure',
  POLICY_TYPE: 'Policy',
  CERT_TYPE: 'Kind',
};

/** Explanations of dimensions for newcomers. */
const ABOUT: Partial<Record<GroupBy, string>> = {
  DIRECTIVE: 'The part of the policy that was violated.',
  DESTINATION: 'What the page tried to load: a script, a font, a frame.',
  HASH: 'A file whose content changes gets a different hash.',
  NEL_TYPE:
    'What failed, and in which phase: the name lookup (dns), the connection, or the response (application).',
  REPORTER: 'The mail services that received the mail and reported on it.',
  CERT_TYPE: 'Most issuers log a precertificate first, and the certificate itself later.',
  POLICY_TYPE: 'How your domain requires TLS for incoming mail.',
  SOURCE_NETWORK: 'Filtering by one shows the addresses of a range: an IPv4 /24 or an IPv6 /48.',
  SENDER: 'Mail is aligned where SPF or DKIM vouches for the domain in its From line.',
  DKIM: 'A signature in the message, and a list of the servers that may send it. One of them is enough.',
};

const BY_TYPE: Readonly<Record<string, string>> = {
  'coep VIOLATION': 'What was refused: corp is a resource that does not allow being embedded.',
  'coop VIOLATION': 'How a window was isolated from the one that opened it.',
};

export function describe(by: GroupBy, type: ReportTypeName): string | undefined {
  return BY_TYPE[`${type} ${by}`] ?? ABOUT[by];
}

/** Returns the heading of a dimension, such as `Blocked host` for `BLOCKED_HOST`. */
export function formatHeading(by: GroupBy): string {
  const words = by.toLowerCase().replaceAll('_', ' ');
  return HEADINGS[by] ?? words[0]!.toUpperCase() + words.slice(1);
}

/** Returns the label of a value. The empty value stands for reports without a value. */
export function formatValue(by: GroupBy, value: string): string {
  if (value === '') return EMPTY_VALUES[by] ?? 'unknown';
  if (by === 'DKIM' || by === 'SPF') return `${by} ${inWords(FIELDS_BY_GROUP[by], value)}`;
  return by === 'ISSUER' ? revealControlCharacters(issuerName(value)) : inWords(FIELDS_BY_GROUP[by], value);
}

const EMPTY_VALUES: Partial<Record<GroupBy, string>> = { BLOCKED_HOST: 'no host', RESULT_TYPE: 'no failure' };
