import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { issueCertificate, toPublicKey } from '../src/certificates.ts';
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
} from '../src/der.ts';

describe('the DER encoder of the demo', () => {
  const bytes = (length: number) => Buffer.alloc(length, 0x61);

  it.each<[string, Buffer, string]>([
    ['a sequence', sequence(TRUE, NULL), '30050101ff0500'],
    ['a set', set(NULL), '31020500'],
    ['an integer', integer(Buffer.of(0x7f, 0xff)), '02027fff'],
    ['an integer with a high first bit', integer(Buffer.of(0x80)), '02020080'],
    ['a bit string', bitString(Buffer.of(0x80), 7), '03020780'],
    ['a bit string of whole bytes', bitString(Buffer.of(1, 2)), '0303000102'],
    ['an octet string', octetString(Buffer.of(1)), '040101'],
    ['UTF-8', utf8String('é'), '0c02c3a9'],
    ['a printable string', printableString('DE'), '13024445'],
    ['a time', utcTime(Date.parse('2026-03-01T02:03:04.567Z')), '170d3236303330313032303330345a'],
    ['an object identifier', objectIdentifier('1.3.101.112'), '06032b6570'],
    ['large components', objectIdentifier('2.5.127.128.11129.16384'), '0609557f8100d679818000'],
    ['an explicit tag', explicit(3, NULL), 'a3020500'],
    ['an implicit string', implicitString(2, 'a.b'), '8203612e62'],
  ])('encodes %s', (_, encoded, hex) => {
    expect(encoded.toString('hex')).toBe(hex);
  });

  it('encodes lengths in as few bytes as possible', () => {
    const head = (length: number) => {
      const encoded = octetString(bytes(length));
      return encoded.subarray(0, encoded.length - length).toString('hex');
    };
    expect([0, 127, 128, 255, 256, 65_535].map(head)).toEqual([
      '0400',
      '047f',
      '048180',
      '0481ff',
      '04820100',
      '0482ffff',
    ]);
  });
});

describe('a certificate of the demo', () => {
  const issue = (precertificate: boolean) =>
    new X509Certificate(
      issueCertificate({
        hostnames: ['a.example', 'b.example'],
        issuer: { country: 'DE', organisation: 'Prüfer', commonName: 'CA 1' },
        serialNumber: '01ab',
        notBefore: Date.parse('2026-03-01T00:00:00Z'),
        notAfter: Date.parse('2039-12-31T23:59:59Z'),
        publicKeyInfo: toPublicKey('key'),
        precertificate,
      }).pem,
    );

  it('names its hosts, issuer, validity and use', () => {
    const certificate = issue(false);
    expect({ ...certificate.toLegacyObject(), pubkey: undefined, raw: undefined }).toMatchObject({
      subject: { CN: 'a.example' },
      issuer: { C: 'DE', O: 'Prüfer', CN: 'CA 1' },
      subjectaltname: 'DNS:a.example, DNS:b.example',
      ca: false,
      valid_from: 'Mar  1 00:00:00 2026 GMT',
      valid_to: 'Dec 31 23:59:59 2039 GMT',
      ext_key_usage: ['1.3.6.1.5.5.7.3.1'],
      serialNumber: '01AB',
    });
    expect(certificate.publicKey.asymmetricKeyType).toBe('ed25519');
  });

  it('has critical extensions, of which the poison only marks a precertificate', () => {
    const extensions = {
      keyUsage: '0603551d0f0101ff040403020780',
      basicConstraints: '0603551d130101ff04023000',
      poison: '060a2b06010401d6790204030101ff04020500',
    };
    const has = (certificate: X509Certificate) =>
      Object.entries(extensions).flatMap(([name, hex]) =>
        certificate.raw.toString('hex').includes(hex) ? [name] : [],
      );
    expect(has(issue(false))).toEqual(['keyUsage', 'basicConstraints']);
    expect(has(issue(true))).toEqual(['keyUsage', 'basicConstraints', 'poison']);
  });
});
