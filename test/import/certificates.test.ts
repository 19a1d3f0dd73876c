import { X509Certificate } from 'node:crypto';
import { issueCertificate, publicKeyOf } from '@sightline/demo/certificates';
import { expect, it } from 'vitest';
import { importBytes, YESTERDAY } from '../../packages/import/test/reports.ts';

function issue(...hostnames: string[]): X509Certificate {
  const { pem } = issueCertificate({
    hostnames,
    issuer: { country: 'DE', organisation: 'Beispiel', commonName: 'Beispiel CA' },
    serialNumber: '0102',
    notBefore: YESTERDAY * 1000,
    notAfter: (YESTERDAY + 86_400) * 1000,
    publicKeyInfo: publicKeyOf('sightline tests'),
    precertificate: false,
  });
  return new X509Certificate(pem);
}

it.each([1, 5, 500])('a certificate of %i names is known by its DER', async count => {
  const names = Array.from({ length: count }, (_, index) => `host-${index}.shop.example`);
  const { records, skipped } = await importBytes(issue(...names).raw);
  expect(skipped).toEqual([]);
  expect(records[0].hostnames).toEqual(names);
});

it('one of more than 64 KiB is taken for one, too', async () => {
  const { skipped } = await importBytes(Buffer.from(`308301000030${'00'.repeat(0x10000)}`, 'hex'));
  expect(skipped).toEqual([expect.stringContaining('file is no certificate')]);
});

it('beside what certspotter writes, the first of a file is the one that was seen', async () => {
  const chain = `${issue('seen.example')}${issue('issuer.example')}`;
  const { records } = await importBytes(chain, {}, { beside: { json: '{}', text: '' } });
  expect(records.map(({ hostnames }) => hostnames)).toEqual([['seen.example']]);
  expect((await importBytes(chain)).records).toHaveLength(2);
});
