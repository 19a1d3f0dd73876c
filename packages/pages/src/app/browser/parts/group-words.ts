import type { GroupBy, ReportTypeName } from '../documents/documents.generated.ts';
import { issuerName, revealed } from '../format.ts';
import { FIELDS_BY_GROUP } from '../tables.generated.ts';
import { inWords } from '../words.ts';

/** Headings of dimensions whose own names say less. */
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

/** Explanations of groupings for a newcomer. */
const ABOUT: Partial<Record<GroupBy, string>> = {
  DIRECTIVE: 'The part of the policy that was violated.',
  DESTINATION: 'What was to be loaded: a script, a font, a frame.',
  HASH: 'A file whose content has changed has another hash.',
  NEL_TYPE: 'What failed, and when: looking up the name (dns), connecting, or in the answer (application).',
  REPORTER: 'The mail services that received the mail, and told of it.',
  CERT_TYPE: 'Most issuers log a precertificate first, and the certificate itself later.',
  POLICY_TYPE: 'How your domain says that mail must come over TLS.',
  SOURCE_NETWORK: '“only” shows the addresses of a range: an IPv4 /24 or an IPv6 /48.',
  SENDER: 'Mail is aligned where SPF or DKIM vouches for the domain in its From line.',
  DKIM: 'A signature in the mail, and a list of the servers that may send it. One of them is enough.',
};

const BY_TYPE: Readonly<Record<string, string>> = {
  'coep VIOLATION': 'What was refused: corp is a resource that does not allow to be embedded.',
  'coop VIOLATION': 'How a window and the one that opened it were kept apart.',
};

export function aboutOf(by: GroupBy, type: ReportTypeName): string | undefined {
  return BY_TYPE[`${type} ${by}`] ?? ABOUT[by];
}

/** `BLOCKED_HOST` as `Blocked host`. */
export function headingOf(by: GroupBy): string {
  const words = by.toLowerCase().replaceAll('_', ' ');
  return HEADINGS[by] ?? words[0]!.toUpperCase() + words.slice(1);
}

/** A value in words; an empty one says that the reports do not tell. */
export function shown(by: GroupBy, value: string): string {
  if (value === '') return NOT_TOLD[by] ?? 'unknown';
  if (by === 'DKIM' || by === 'SPF') return `${by} ${inWords(FIELDS_BY_GROUP[by], value)}`;
  return by === 'ISSUER' ? revealed(issuerName(value)) : inWords(FIELDS_BY_GROUP[by], value);
}

const NOT_TOLD: Partial<Record<GroupBy, string>> = { BLOCKED_HOST: 'no host', RESULT_TYPE: 'no failure' };
