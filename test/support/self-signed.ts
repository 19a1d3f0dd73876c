import { generateKeyPairSync, sign } from 'node:crypto';
import { MS_PER_DAY } from '@sightline/reports';
import { toPem } from '../../packages/demo/src/certificates.ts';
import {
  bitString,
  explicit,
  implicitString,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  utcTime,
  utf8String,
} from '../../packages/demo/src/der.ts';

const ECDSA_WITH_SHA256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
const COMMON_NAME = objectIdentifier('2.5.4.3');
const ALTERNATIVE_NAME = objectIdentifier('2.5.29.17');
const VERSION_3 = explicit(0, integer(Buffer.of(2)));
const DNS_NAME = 2;
const IP_ADDRESS = 7;
/** Both as PEM. */
export interface SelfSignedCertificate {
  certificate: string;
  key: string;
}

/** Creates a self-signed certificate (RFC 5280) for a server with this name or IPv4 address. */
export function selfSigned(host: string): SelfSignedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(COMMON_NAME, utf8String(host))));
  const toBeSigned = sequence(
    VERSION_3,
    integer(Buffer.of(1)),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime(Date.now() - MS_PER_DAY), utcTime(Date.now() + MS_PER_DAY)),
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
    explicit(3, sequence(sequence(ALTERNATIVE_NAME, octetString(sequence(alternativeName(host)))))),
  );
  const signature = bitString(sign('sha256', toBeSigned, privateKey));
  return {
    certificate: toPem(sequence(toBeSigned, ECDSA_WITH_SHA256, signature)),
    key: String(privateKey.export({ format: 'pem', type: 'pkcs8' })),
  };
}

function alternativeName(host: string): Buffer {
  if (!/^[\d.]+$/.test(host)) return implicitString(DNS_NAME, host);
  return implicitString(IP_ADDRESS, Buffer.from(host.split('.').map(Number)).toString('latin1'));
}
