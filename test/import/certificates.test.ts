import { X509Certificate } from 'node:crypto';
import { expect, it } from 'vitest';
import { issueCertificate, toPublicKey } from '../../packages/demo/src/certificates.ts';
import { importBytes, YESTERDAY } from '../../packages/importer/test/reports.ts';

function issue(...hostnames: string[]): X509Certificate {
  return issueAs({ precertificate: false }, ...hostnames);
}

function issueAs({ precertificate }: { precertificate: boolean }, ...hostnames: string[]): X509Certificate {
  const { pem } = issueCertificate({
    hostnames,
    issuer: { country: 'DE', organisation: 'Beispiel', commonName: 'Beispiel CA' },
    serialNumber: '0102',
    notBefore: YESTERDAY * 1000,
    notAfter: (YESTERDAY + 86_400) * 1000,
    publicKeyInfo: toPublicKey('sightline tests'),
    precertificate,
  });
  return new X509Certificate(pem);
}

it.each([1, 5, 500])('imports a DER certificate with %i names', async count => {
  const names = Array.from({ length: count }, (_, index) => `host-${index}.shop.example`);
  const { records, skipped } = await importBytes(issue(...names).raw);
  expect(skipped).toEqual([]);
  expect(records[0].hostnames).toEqual(names);
});

it('recognizes a DER certificate of more than 64 KiB', async () => {
  const { skipped } = await importBytes(Buffer.from(`308301000030${'00'.repeat(0x10000)}`, 'hex'));
  expect(skipped).toEqual([expect.stringContaining('file is no certificate')]);
});

it.each([
  ['a sequence with a length of one byte', '3003300102'],
  ['a sequence that starts with a number, such as a private key', '30820100020100'],
  ['a set', '3182010030030201'],
])('does not recognize %s as a DER certificate', async (_, hex) => {
  const { skipped } = await importBytes(Buffer.from(hex.padEnd(600, '0'), 'hex'));
  expect(skipped).toEqual([expect.not.stringContaining('certificate')]);
});

it.each([
  ['of one byte', '308180307d'],
  ['of two bytes', '308201003081fd'],
  ['of three bytes', '30830100003082fffc'],
])('recognizes a DER sequence with a length %s', async (_, hex) => {
  const { skipped } = await importBytes(Buffer.from(hex.padEnd(600, '0'), 'hex'));
  expect(skipped).toEqual([expect.stringContaining('file is no certificate')]);
});

it('computes the same digest of the signed part for a precertificate and its certificate', async () => {
  const [one, other, withMoreNames] = await Promise.all(
    [
      issueAs({ precertificate: true }, 'shop.example'),
      issueAs({ precertificate: false }, 'shop.example'),
      issueAs({ precertificate: false }, 'shop.example', 'www.shop.example'),
    ].map(async ({ raw }) => (await importBytes(raw)).records[0]),
  );
  expect([one.certType, other.certType]).toEqual(['precertificate', 'certificate']);
  expect(one.sha256Tbs).toBe(other.sha256Tbs);
  expect(one.sha256Tbs).not.toBe(withMoreNames.sha256Tbs);
});

it.each<[string, string[]]>([
  ['Log Entry = 99 @ https://ct.example/2026/', ['https://ct.example/2026/']],
  ['DNS Name = a.example\n\t    Log Entry=99 @ https://ct.example/\r\n', ['https://ct.example/']],
  ['DNS Name = Log Entry = 1 @ https://forged.example/', []],
  ['Log Entry = x @ https://ct.example/', []],
  ['', []],
])('names the log in which certspotter found a certificate: %j', async (text, logs) => {
  const { records } = await importBytes(`${issue('seen.example')}`, {}, { sibling: { json: '{}', text } });
  expect(records[0].logs.map(({ name }: { name: string }) => name)).toEqual(logs);
});

it('imports only the first certificate of a chain that certspotter writes', async () => {
  const chain = `${issue('seen.example')}${issue('issuer.example')}`;
  const { records } = await importBytes(chain, {}, { sibling: { json: '{}', text: '' } });
  expect(records.map(({ hostnames }) => hostnames)).toEqual([['seen.example']]);
  expect((await importBytes(chain)).records).toHaveLength(2);
});

it('has the addresses among its alternative names', async () => {
  const [four, sixteen] = ['four', 'sixteen--letters'];
  let hex = issue('shop.example', four, sixteen).raw.toString('hex');
  const replace = (name: string, address: string) => {
    const length = name.length.toString(16).padStart(2, '0');
    hex = hex.replace(`82${length}${Buffer.from(name).toString('hex')}`, `87${length}${address}`);
  };
  replace(four, 'c0000207');
  replace(sixteen, '20010db8000000000000000000000007');
  const { records, skipped } = await importBytes(Buffer.from(hex, 'hex'));
  expect(skipped).toEqual([]);
  expect(records[0].hostnames).toEqual([
    'shop.example',
    '192.0.2.7',
    '2001:0db8:0000:0000:0000:0000:0000:0007',
  ]);
});

it('has the time of receipt, or else of the certificate', async () => {
  const time = (YESTERDAY + 7200) * 1000;
  const { raw } = issue('shop.example');
  const dates = [{ received: time }, {}].map(
    async options => (await importBytes(raw, options)).records[0].date,
  );
  expect(await Promise.all(dates)).toEqual(
    [time, YESTERDAY * 1000].map(milliseconds => new Date(milliseconds).toISOString()),
  );
});

it.each<[string, object | undefined, string[]]>([
  ['the name', { name: 'Log 7', url: 'https://ct.example/' }, ['Log 7']],
  ['the URL without a name', { url: 'https://ct.example/' }, ['https://ct.example/']],
  ['none', undefined, []],
])('names the log of a certstream message by %s', async (_, source, logs) => {
  const as_der = issue('seen.example').raw.toString('base64');
  const seen = YESTERDAY + 3600.5;
  const message = { message_type: 'certificate_update', data: { leaf_cert: { as_der }, seen, source } };
  const { records, skipped } = await importBytes(JSON.stringify(message));
  expect(skipped).toEqual([]);
  expect(records[0].logs.map(({ name }: { name: string }) => name)).toEqual(logs);
  expect(records[0].date).toBe(new Date(seen * 1000).toISOString());
});

it('reports a certstream message without a certificate, and ignores heartbeats', async () => {
  const message = { message_type: 'certificate_update', data: { leaf_cert: {} } };
  const lines = [message, { message_type: 'heartbeat', timestamp: 1 }].map(line => JSON.stringify(line));
  const { records, skipped } = await importBytes(lines.join('\n'));
  expect([records, skipped]).toEqual([[], ['file, line 1 contains no certificate: as_der is missing']]);
});
