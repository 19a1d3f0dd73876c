import { describe, expect, it } from 'vitest';
import { changeJson } from '../../../test/support/changed-inputs.ts';
import { describeCall, groupOutcomes, type Outcome } from '../../../test/support/group-outcomes.ts';
import { readDer, valuesIn, writeDer } from '../src/certificates/der.ts';
import { Routes } from '../src/routes.ts';
import { toTar } from './archives.ts';
import { DAY, issueForDay } from './dated-inputs.ts';
import { importAsOf, recordImports } from './recorded-imports.ts';
import { gzip, importBytes, mailWith, toMbox, toZip } from './reports.ts';

const NOW = new Date('2026-12-01T00:00:00Z');

const toDer = (pem: string) => Buffer.from(pem.replace(/-----.*?-----|\s/g, ''), 'base64');
const toMessage = (pem: string, data: object = {}, leaf: object = {}) => ({
  message_type: 'certificate_update',
  data: {
    cert_index: 7,
    chain: [{ subject: 'CA' }],
    leaf_cert: { as_der: toDer(pem).toString('base64'), subject: { CN: 'a' }, ...leaf },
    seen: DAY / 1000 + 60.5,
    source: { name: 'Log 7', url: 'https://ct.example/' },
    update_type: 'X509LogEntry',
    ...data,
  },
});

/** A certificate of version 1, which has no extensions, with two common names. */
const VERSION_1 = `-----BEGIN CERTIFICATE-----
MIIBXzCCAQQCBACrze8wCgYIKoZIzj0EAwIwNjELMAkGA1UEBhMCREUxETAPBgNV
BAoMCEJlaXNwaWVsMRQwEgYDVQQDDAtCZWlzcGllbCBDQTAgFw0yNjExMjkyMjEx
NDdaGA8yMTI2MTEwNTIyMTE0N1owOzENMAsGA1UECgwEWndlaTEUMBIGA1UEAwwL
b25lLmV4YW1wbGUxFDASBgNVBAMMC3R3by5leGFtcGxlMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEWZZou8ZYbxUir7dcZNUjkCPdfICn8yEPJBSMx/TMNLJyCJOn
oBr90Kh4GrA6x0gDkjlN+qz38wRJgLnPRF91GzAKBggqhkjOPQQDAgNJADBGAiEA
jh9qPuc3doLXvc177hCR/zyRNuZPZLXHzoZ9PY4m/JQCIQDNlEqd8meh2mlgxyMr
z3o+AU8mhUqkMyE388GI2NHQMA==
-----END CERTIFICATE-----
`;
const AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBxDCCAWmgAwIBAgIUMyaDDzFVz6NlZvQdWBjMq8PUXTIwCgYIKoZIzj0EAwIw
NjELMAkGA1UEBhMCREUxETAPBgNVBAoMCEJlaXNwaWVsMRQwEgYDVQQDDAtCZWlz
cGllbCBDQTAgFw0yNjExMjkyMjExNDZaGA8yMTI2MTEwNTIyMTE0NlowNjELMAkG
A1UEBhMCREUxETAPBgNVBAoMCEJlaXNwaWVsMRQwEgYDVQQDDAtCZWlzcGllbCBD
QTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABEL3pXl89jXM7l2u19X6nYfqRVYA
SJT/CHjLhTBzdS2CVJitIojerVckv6eMityzHtbDz3S5qa3/qEMi1bsivkajUzBR
MB0GA1UdDgQWBBTqLYZj8FSIJUV73Ek/PeAGDsTokzAfBgNVHSMEGDAWgBTqLYZj
8FSIJUV73Ek/PeAGDsTokzAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0kA
MEYCIQDi1/+u61VdlP6g5mAsO7tB8sUFe052BGlo4eyJV6gSqAIhAMn3apVOOYET
3x7j+KQJ+KYEJQ0jsx8TPccqPKIhKu1d
-----END CERTIFICATE-----
`;

describe('a certificate', () => {
  const { pem, sha256, sha256Spki, sha256Tbs } = issueForDay(['a.example', 'b.example']);
  const file = { name: 'c.pem', bytes: pem };
  const FORMS: [string, Uint8Array | string, object?][] = [
    ['PEM', pem],
    ['PEM without a last line break', pem.trimEnd()],
    ['PEM with CRLF', pem.replaceAll('\n', '\r\n')],
    ['PEM in one line', pem.replace(/(?<=[A-Za-z0-9+/=])\n(?=[A-Za-z0-9+/=])/g, '')],
    ['PEM with texts around', `subject=a\n${pem}\nissuer=b\n`],
    ['PEM beside a key', `-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n${pem}`],
    ['DER', toDer(pem)],
    ['a gzip', gzip(pem)],
    ['a zip', toZip({ name: 'c.der', bytes: toDer(pem) })],
    ['a compressed tar', gzip(toTar([file]))],
    ['a mail', mailWith(file)],
    ['an mbox', toMbox(mailWith({ name: 'c.der', bytes: toDer(pem) }))],
    ['certstream', JSON.stringify(toMessage(pem))],
    ['a list of certstream', JSON.stringify([toMessage(pem)])],
    ['certspotter', pem, { sibling: { json: '{}', text: '' } }],
  ];

  it.each(FORMS)('is the same in every form: %s', async (_, bytes, item) => {
    const { records, certificates, skipped, unstored } = await importAsOf(bytes, {}, item);
    expect([skipped, unstored]).toEqual([[], []]);
    const [own] = (await importAsOf(pem)).records;
    const { raw: _r, date: _d, logs: _l, ...fields } = own;
    expect(records).toEqual([expect.objectContaining(fields)]);
    expect(fields).toMatchObject({ sha256, sha256Spki, sha256Tbs, hostnames: ['a.example', 'b.example'] });
    expect(certificates).toEqual([{ kind: 'certificate', sha256, pem }]);
  });

  it('is another than its precertificate, and than one with other names', async () => {
    const pems = [pem, issueForDay(['a.example', 'b.example'], true).pem, issueForDay(['a.example']).pem];
    const { records, certificates } = await importAsOf(pems.join(''));
    expect(new Set(records.map(({ id }) => id)).size).toBe(3);
    expect(certificates.map(certificate => certificate.pem)).toEqual(pems);
  });

  it('of version 1 has no host names, and the first of its common names', async () => {
    const { records, skipped } = await importBytes(VERSION_1, { now: NOW });
    expect(skipped).toEqual([]);
    expect(records).toEqual([
      {
        kind: 'report',
        accountId: 'a',
        type: 'certificate_transparency',
        id: expect.any(String),
        date: '2026-11-29T22:11:47.000Z',
        hostnames: [],
        commonName: 'one.example',
        certType: 'certificate',
        issuer: 'C=DE, O=Beispiel, CN=Beispiel CA',
        serialNumber: 'abcdef',
        sha256: 'c52bb3ef18fe0f36e9992c2ff50230c970764d673aab2206ad595773aa5643e0',
        sha256Spki: '6a3b0ecf6c77f92133ef76761b5d870e3c1de295a299b30971fdac68e2526b6f',
        sha256Tbs: 'dd1ba3a996210be6733b1c90c91f2a40adc0ddc6507e959f98bf9db692c37ed2',
        notBefore: '2026-11-29T22:11:47.000Z',
        notAfter: '2126-11-05T22:11:47.000Z',
        logs: [],
        raw: VERSION_1,
      },
    ]);
  });

  it('of an authority is counted, and the one beside it is imported', async () => {
    const found = await importAsOf(AUTHORITY + pem);
    expect([found.unstored, found.items]).toEqual([['authority certificate'], 2]);
    expect(found.records.map(record => record.sha256)).toEqual([sha256]);
    expect(found.certificates.map(certificate => certificate.sha256)).toEqual([sha256]);
  });

  it('that certspotter found has the time of its file, and its description', async () => {
    const item = { sibling: { json: '{"a":1}', text: '' }, modified: DAY + 1 };
    const { records } = await importAsOf(pem, { received: DAY + 2 }, item);
    expect(records).toMatchObject([{ date: '2026-11-20T00:00:00.001Z', raw: '{"a":1}' }]);
  });

  it('belongs to every account of its names, and is stored once', async () => {
    const routes = new Routes([
      ['a.example', 'one'],
      ['b.example', 'two'],
    ]);
    const accounts = async (...hostnames: string[]) => {
      const options = { accountId: undefined, routes };
      const { records, certificates } = await importAsOf(issueForDay(hostnames).pem, options);
      return [records.map(({ accountId }) => accountId), certificates.length];
    };
    expect(await accounts('x.b.example', 'a.example', '*.a.example', 'c.example')).toEqual([
      ['two', 'one'],
      1,
    ]);
    expect(await accounts('c.example')).toEqual([[], 0]);
  });

  it.each(['dmarc', 'browser', 'tls-rpt', 'parsedmarc'] as const)('is refused as %s', async format => {
    const reason = 'file is not in the requested format: certificate';
    for (const bytes of [pem, JSON.stringify(toMessage(pem)), '{"message_type":"heartbeat"}'])
      expect((await importAsOf(bytes, { format })).skipped).toEqual([reason]);
  });

  it.each([
    [0, []],
    [-1, ['file is a file of certificates that is too large']],
  ])('is read up to the maximum size: %i bytes more', async (more, skipped) => {
    const found = await importAsOf(pem, { bounds: { compressed: pem.length + more } });
    expect([found.skipped, found.records.length]).toEqual([skipped, 1 - skipped.length]);
  });

  it('without an end is reported once, after the others', async () => {
    const { records, skipped } = await importAsOf(pem + pem.slice(0, 200) + pem.slice(0, 100));
    expect(records).toHaveLength(1);
    expect(skipped).toEqual([expect.stringMatching(/^file, certificate 2 is no certificate: /)]);
  });
});

it('messages of certstream with a changed value have the recorded outcomes', async () => {
  const message = toMessage(issueForDay(['a.example']).pem);
  const values = [null, '', '7', '2026-11-20T10:00:00Z', {}];
  // The messages of OpenSSL differ between its versions.
  const changed = [...changeJson(message, values)].filter(({ change }) => !/as_der: "./.test(change));
  const text = await recordImports('certstream', message, changed, (input: unknown) => JSON.stringify(input));
  await expect(text).toMatchFileSnapshot('./recorded/certstream.txt');
});

it('what certstream adds to a certificate is stored without the certificate and its chain', async () => {
  const { records } = await importAsOf(JSON.stringify(toMessage(issueForDay(['a.example']).pem)));
  expect(JSON.parse(records[0].raw)).toEqual({
    message_type: 'certificate_update',
    data: {
      cert_index: 7,
      leaf_cert: { subject: { CN: 'a' } },
      seen: DAY / 1000 + 60.5,
      source: { name: 'Log 7', url: 'https://ct.example/' },
      update_type: 'X509LogEntry',
    },
  });
});

it.each<{ received?: number }>([{}, { received: DAY + 5000 }])(
  'a certificate of certstream has the time at which it was seen: %j',
  async options => {
    const message = toMessage(issueForDay(['a.example']).pem);
    const date = async (data: object) => {
      const text = JSON.stringify({ ...message, data: { ...message.data, ...data } });
      return (await importAsOf(text, options)).records[0].date;
    };
    expect(await date({})).toBe('2026-11-20T00:01:00.500Z');
    expect(await date({ seen: undefined })).toBe(new Date(options.received ?? DAY).toISOString());
  },
);

it('values in DER are read with lengths of up to four bytes, and written with the shortest', async () => {
  const encodings = [
    ...['', '30', '3000', '3001', '300101', '30010101', '307f', '3080', '308100', '30810101', '3081'],
    ...[
      '3082000101',
      '3083000001ff',
      '308400000001ff',
      '30850000000001ff',
      '30ff01',
      '0401ff0402',
      '3084ffffffff00',
    ],
  ];
  const outcomes: Outcome[] = encodings.flatMap((hex): Outcome[] => {
    const bytes = Buffer.from(hex, 'hex');
    const show = ({ tag, whole, content }: ReturnType<typeof readDer>) =>
      `${tag} ${whole.toString('hex')} [${content.toString('hex')}]`;
    return [
      [`${hex} alone`, describeCall(() => show(readDer(bytes)))],
      [`${hex} as values`, describeCall(() => valuesIn(bytes).map(show).join(', '))],
    ];
  });
  await expect(groupOutcomes(outcomes)).toMatchFileSnapshot('./recorded/der.txt');
  const heads = [0, 127, 128, 255, 256, 65_535, 65_536].map(length =>
    writeDer(0x30, Buffer.alloc(length - (length >> 1)), Buffer.alloc(length >> 1))
      .subarray(0, -length || undefined)
      .toString('hex'),
  );
  expect(heads).toEqual(['3000', '307f', '308180', '3081ff', '30820100', '3082ffff', '3083010000']);
  expect(valuesIn(Buffer.alloc(20_000))).toHaveLength(10_000);
  expect(() => valuesIn(Buffer.alloc(20_002))).toThrow('is no certificate: it has too many values');
});
