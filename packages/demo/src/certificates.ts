import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { remembered } from '@sightline/feed';
import {
  bitString,
  explicit,
  implicitString,
  integer,
  NULL,
  objectIdentifier,
  octetString,
  printableString,
  sequence,
  set,
  TRUE,
  utcTime,
  utf8String,
} from './der.ts';

export interface Issuer {
  country: string;
  organisation: string;
  commonName: string;
}

export interface CertificateRequest {
  /** The first is the common name. */
  hostnames: readonly string[];
  issuer: Issuer;
  /** Hexadecimal, at most 20 bytes, the first bit 0. */
  serialNumber: string;
  notBefore: number;
  notAfter: number;
  /** As DER. */
  publicKeyInfo: Buffer;
  /** True to add the poison extension of RFC 6962, which makes a precertificate unusable. */
  precertificate: boolean;
}

export interface Certificate {
  pem: string;
  /** SHA-256 in hexadecimal of the DER certificate, its public key info, and its to-be-signed part. */
  sha256: string;
  sha256Spki: string;
  sha256Tbs: string;
}

const ED25519 = sequence(objectIdentifier('1.3.101.112'));
const VERSION_3 = explicit(0, integer(Buffer.of(2)));
const OID = {
  country: objectIdentifier('2.5.4.6'),
  organisation: objectIdentifier('2.5.4.10'),
  commonName: objectIdentifier('2.5.4.3'),
  keyUsage: objectIdentifier('2.5.29.15'),
  alternativeName: objectIdentifier('2.5.29.17'),
  basicConstraints: objectIdentifier('2.5.29.19'),
  extendedKeyUsage: objectIdentifier('2.5.29.37'),
  serverAuthentication: objectIdentifier('1.3.6.1.5.5.7.3.1'),
  poison: objectIdentifier('1.3.6.1.4.1.11129.2.4.3'),
};
const DIGITAL_SIGNATURE = bitString(Buffer.of(0x80), 7);
const DNS_NAME = 2;

/**
 * Derives an Ed25519 key from a public text. Anyone can derive it, so it is only for the demo. Ed25519 signatures are
 * deterministic, so the same demo has the same certificates.
 */
function demoKey(text: string): KeyObject {
  const seed = octetString(createHash('sha256').update(text).digest());
  // PKCS #8 as in RFC 8410. A JWK would also need the public key.
  const key = sequence(integer(Buffer.of(0)), ED25519, octetString(seed));
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

/**
 * Returns the public key as the `SubjectPublicKeyInfo` of a certificate. The demos of a process have the same host
 * names, and deriving a key takes longer than signing a certificate.
 */
export const toPublicKey = remembered(
  (text): Buffer => createPublicKey(demoKey(text)).export({ format: 'der', type: 'spki' }),
);

const authorityKey = demoKey('sightline demo certificate authority');

/** Issues a web server certificate (RFC 5280), signed by the demo's certificate authority. */
export function issueCertificate(request: CertificateRequest): Certificate {
  const { publicKeyInfo } = request;
  const toBeSigned = sequence(
    VERSION_3,
    integer(Buffer.from(request.serialNumber, 'hex')),
    ED25519,
    getName(request.issuer),
    sequence(utcTime(request.notBefore), utcTime(request.notAfter)),
    sequence(attribute(OID.commonName, utf8String(request.hostnames[0]!))),
    publicKeyInfo,
    explicit(3, sequence(...listExtensions(request))),
  );
  const der = sequence(toBeSigned, ED25519, bitString(sign(null, toBeSigned, authorityKey)));
  return {
    pem: toPem(der),
    sha256: sha256(der),
    sha256Spki: sha256(publicKeyInfo),
    sha256Tbs: sha256(toBeSigned),
  };
}

/** Formats the issuer's distinguished name. */
export function distinguishedName(issuer: Issuer): string {
  return `C=${issuer.country}, O=${issuer.organisation}, CN=${issuer.commonName}`;
}

function getName(issuer: Issuer): Buffer {
  return sequence(
    attribute(OID.country, printableString(issuer.country)),
    attribute(OID.organisation, utf8String(issuer.organisation)),
    attribute(OID.commonName, utf8String(issuer.commonName)),
  );
}

function attribute(type: Buffer, text: Buffer): Buffer {
  return set(sequence(type, text));
}

function listExtensions({ hostnames, precertificate }: CertificateRequest): Buffer[] {
  const names = hostnames.map(name => implicitString(DNS_NAME, name));
  return [
    sequence(OID.keyUsage, TRUE, octetString(DIGITAL_SIGNATURE)),
    sequence(OID.extendedKeyUsage, octetString(sequence(OID.serverAuthentication))),
    sequence(OID.basicConstraints, TRUE, octetString(sequence())),
    sequence(OID.alternativeName, octetString(sequence(...names))),
    ...(precertificate ? [sequence(OID.poison, TRUE, octetString(NULL))] : []),
  ];
}

export function toPem(der: Buffer): string {
  const lines = der.toString('base64').replace(/.{1,64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
