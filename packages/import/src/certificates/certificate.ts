import { createHash, X509Certificate } from 'node:crypto';
import { type ImportedReport, identify } from '../reports.ts';
import { Unreadable } from '../unreadable.ts';
import { instantOf } from '../values.ts';
import { type Der, readDer, TAG, valuesIn, writeDer } from './der.ts';

/** A certificate (RFC 5280) as it is recorded. */
export interface ReadCertificate {
  sha256: string;
  pem: string;
  /** True for an authority's, which no site has. */
  isAuthority: boolean;
  notBefore: number;
  fields: Record<string, unknown>;
}

export interface SeenInLog {
  name: string;
  logId: string;
  timestamp: string | null;
}

/** RFC 6962 sections 3.1 and 3.3. */
const POISON = Buffer.from('060a2b06010401d679020403', 'hex');
const TIMESTAMPS = Buffer.from('060a2b06010401d679020402', 'hex');
const ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex');

const [DNS_NAME, IP_ADDRESS] = [0x82, 0x87];

/** @throws {Unreadable} */
export function readCertificate(der: Buffer): ReadCertificate {
  const certificate = parse(der);
  const { raw } = certificate;
  const [toBeSigned] = valuesIn(readDer(raw).content);
  const parts = valuesIn(toBeSigned!.content);
  const extensions = extensionsOf(parts);
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
      hostnames: hostnamesOf(extensions),
      commonName: [subject?.CN ?? ''].flat()[0] ?? '',
      certType: extensions.some(isOf(POISON)) ? 'precertificate' : 'certificate',
      issuer: (certificate.issuer ?? '').split('\n').join(', '),
      serialNumber: certificate.serialNumber.toLowerCase(),
      sha256,
      // Version, serial number, algorithm, issuer, validity and subject stand before it.
      sha256Spki: digest(parts[hasVersion + 5]?.whole ?? Buffer.alloc(0)),
      sha256Tbs: digest(withoutTransparency(toBeSigned!, parts)),
      notBefore: instantOf(notBefore),
      notAfter: instantOf(Date.parse(certificate.validTo)),
    },
  };
}

/** @param date when it was seen, in milliseconds */
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

function extensionsOf(parts: readonly Der[]): Der[] {
  const explicit = parts.find(({ tag }) => tag === TAG.extensions);
  return explicit ? valuesIn(readDer(explicit.content).content) : [];
}

function isOf(identifier: Buffer): (extension: Der) => boolean {
  return ({ content }) => content.subarray(0, identifier.length).equals(identifier);
}

function hostnamesOf(extensions: readonly Der[]): string[] {
  const extension = extensions.find(isOf(ALTERNATIVE_NAME));
  const octets = extension && valuesIn(extension.content).find(({ tag }) => tag === TAG.octetString);
  if (!octets) return [];
  return valuesIn(readDer(octets.content).content).flatMap(({ tag, content }) => {
    if (tag === DNS_NAME) return [content.toString('latin1')];
    return tag === IP_ADDRESS ? [addressOf(content)] : [];
  });
}

function addressOf(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  return (bytes.toString('hex').match(/.{1,4}/g) ?? []).join(':');
}

/** The bytes that a precertificate and its certificate share: without the poison and the list of timestamps. */
function withoutTransparency(toBeSigned: Der, parts: readonly Der[]): Buffer {
  const extensions = extensionsOf(parts);
  const kept = extensions.filter(extension => !isOf(POISON)(extension) && !isOf(TIMESTAMPS)(extension));
  if (kept.length === extensions.length) return toBeSigned.whole;
  const list = writeDer(TAG.sequence, ...kept.map(({ whole }) => whole));
  const others = parts.map(part =>
    part.tag === TAG.extensions ? writeDer(TAG.extensions, list) : part.whole,
  );
  return writeDer(toBeSigned.tag, ...others);
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
