import { createHash } from 'node:crypto';

/**
 * The hash function for each signature algorithm, by object identifier in hexadecimal. SHA-256 replaces MD5 and SHA-1.
 */
const HASHES: Readonly<Record<string, string>> = {
  // PKCS #1 (RFC 8017): MD5, SHA-1, SHA-256, SHA-384, SHA-512, SHA-224.
  '2a864886f70d010104': 'sha256',
  '2a864886f70d010105': 'sha256',
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2a864886f70d01010e': 'sha224',
  // ECDSA (RFC 5758): SHA-1, SHA-224, SHA-256, SHA-384, SHA-512.
  '2a8648ce3d0401': 'sha256',
  '2a8648ce3d040301': 'sha224',
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
};

/** RSASSA-PSS names its hash in its parameters (RFC 4055): SHA-256, SHA-384, SHA-512; SHA-1 by default. */
const PSS = '2a864886f70d01010a';
const PSS_HASHES: Readonly<Record<string, string>> = {
  '608648016503040201': 'sha256',
  '608648016503040202': 'sha384',
  '608648016503040203': 'sha512',
};

/**
 * Returns the channel binding data of type `tls-server-end-point` (RFC 5929, section 4).
 * @param certificate the server's, in DER
 * @returns undefined if the hash of its signature is unknown, as for Ed25519
 */
export function channelBinding(certificate: Buffer): Buffer | undefined {
  const hash = signatureHash(certificate);
  return hash ? createHash(hash).update(certificate).digest() : undefined;
}

/**
 * Returns the hash function of a certificate's signature. Certificate ::= SEQUENCE { tbsCertificate,
 * signatureAlgorithm, signature } (RFC 5280, section 4.1).
 */
function signatureHash(certificate: Buffer): string | undefined {
  const [, algorithm] = elements(elements(certificate)[0]!);
  const [identifier, parameters] = elements(algorithm!);
  const existing = identifier!.toString('hex');
  if (existing !== PSS) return HASHES[existing];
  const named = parameters?.toString('hex') ?? '';
  const hash = named.startsWith('a0') && Object.keys(PSS_HASHES).find(one => named.includes(one));
  return hash ? PSS_HASHES[hash] : 'sha256';
}

/** Returns the contents of consecutive DER elements. */
function elements(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const short = bytes[at + 1]!;
    const lengthBytes = short > 0x80 ? short - 0x80 : 0;
    const length = lengthBytes > 0 ? bytes.readUIntBE(at + 2, lengthBytes) : short;
    const begin = at + 2 + lengthBytes;
    found.push(bytes.subarray(begin, begin + length));
    at = begin + length;
  }
  return found;
}
