import { createHash, X509Certificate } from 'node:crypto';
import { type ImportedReport, identify } from '../reports.ts';
import { Unreadable } from '../unreadable.ts';
import { toInstant } from '../values.ts';
import { type Der, readDer, TAG, valuesIn, writeDer } from './der.ts';

/** The recorded fields of a certificate (RFC 5280). */
export interface ReadCertificate {
  sha256: string;
  pem: string;
  /** True for a CA certificate, which belongs to no site. */
  isAuthority: boolean;
  notBefore: number;
  fields: Record<string, unknown>;
}

export interface SeenInLog {
  name: string;
  logId: string;
  timestamp: string | null;
}

/** Object identifiers of the poison extension and the timestamp list (RFC 6962, sections 3.1 and 3.3). */
const POISON = Buffer.from('060a2b06010401d679020403', 'hex');
const TIMESTAMPS = Buffer.from('060a2b06010401d679020402', 'hex');
const ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex');

const [DNS_NAME, IP_ADDRESS] = [0x82, 0x87];

/**
 * Parses a certificate.
 * @throws {Unreadable}
 */
export function readCertificate(der: Buffer): ReadCertificate {
  const certificate = parse(der);
  const { raw } = certificate;
  const [toBeSigned] = valuesIn(readDer(raw).content);
  const parts = valuesIn(toBeSigned!.content);
  const extensions = listExtensions(parts);
  const hasVersion = parts[0]!.tag === TAG.version ? 1 : 0;
  const sha256 = digest(raw);
  const subject = certificate.toLegacyObject().subject as { CN?: string | string[] } | undefined;
  const notBefore = Date.parse(certificate.validFrom);
  return {
    sha256,
    pem: `${certificate.toString().trimEnd()}\n`,
    isAuthority: certificate.ca,
    notBefore,
    fields: {
      hostnames: listHostnames(extensions),
      commonName: [subject?.CN ?? ''].flat()[0] ?? '',
      certType: extensions.some(hasIdentifier(POISON)) ? 'precertificate' : 'certificate',
      issuer: (certificate.issuer ?? '').split('\n').join(', '),
      serialNumber: certificate.serialNumber.toLowerCase(),
      sha256,
      // Version, serial number, algorithm, issuer, validity and subject come before the key.
      sha256Spki: digest(parts[hasVersion + 5]?.whole ?? Buffer.alloc(0)),
      sha256Tbs: digest(withoutTransparency(toBeSigned!, parts)),
      notBefore: toInstant(notBefore),
      notAfter: toInstant(Date.parse(certificate.validTo)),
    },
  };
}

/**
 * Converts a certificate to a report.
 * @param date when the certificate was seen, in milliseconds since 1970
 */
export function certificateReport(
  { sha256, fields }: ReadCertificate,
  date: number,
  logs: readonly SeenInLog[],
  raw: string,
): ImportedReport {
  const id = identify('certificate_transparency', sha256);
  return { type: 'certificate_transparency', id, date, fields: { ...fields, logs }, raw };
}

function parse(der: Buffer): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch (error) {
    throw new Unreadable('is no certificate', error instanceof Error ? error.message : '');
  }
}

function listExtensions(parts: readonly Der[]): Der[] {
  const explicit = parts.find(({ tag }) => tag === TAG.extensions);
  return explicit ? valuesIn(readDer(explicit.content).content) : [];
}

function hasIdentifier(identifier: Buffer): (extension: Der) => boolean {
  return ({ content }) => content.subarray(0, identifier.length).equals(identifier);
}

function listHostnames(extensions: readonly Der[]): string[] {
  const extension = extensions.find(hasIdentifier(ALTERNATIVE_NAME));
  const octets = extension && valuesIn(extension.content).find(({ tag }) => tag === TAG.octetString);
  if (!octets) return [];
  return valuesIn(readDer(octets.content).content).flatMap(({ tag, content }) => {
    if (tag === DNS_NAME) return [content.toString('latin1')];
    return tag === IP_ADDRESS ? [toAddress(content)] : [];
  });
}

function toAddress(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  return (bytes.toString('hex').match(/.{1,4}/g) ?? []).join(':');
}

/**
 * Returns the bytes that a precertificate shares with its certificate: everything except the poison extension and the
 * timestamp list.
 */
function withoutTransparency(toBeSigned: Der, parts: readonly Der[]): Buffer {
  const extensions = listExtensions(parts);
  const shared = extensions.filter(
    extension => !hasIdentifier(POISON)(extension) && !hasIdentifier(TIMESTAMPS)(extension),
  );
  if (shared.length === extensions.length) return toBeSigned.whole;
  const list = writeDer(TAG.sequence, ...shared.map(({ whole }) => whole));
  const others = parts.map(part =>
    part.tag === TAG.extensions ? writeDer(TAG.extensions, list) : part.whole,
  );
  return writeDer(toBeSigned.tag, ...others);
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
