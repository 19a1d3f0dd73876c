import { expect, it } from 'vitest';
import { importBytes } from './reports.ts';

it.each([1, 2, 3, 202])('%i unreadable certificates in a file are named by their number', async count => {
  const block = '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n';
  const { skipped } = await importBytes(block.repeat(count), { format: 'certificate' });
  const places = skipped.map(text => /^file(?:, certificate \d+)?(?= )/.exec(text)?.[0]);
  const numbered = Array.from({ length: count }, (_, index) => `file, certificate ${index + 1}`);
  expect(places).toEqual(count === 1 ? ['file'] : numbered);
});

/** Issued by itself, with names of several kinds. */
const NAMED = `-----BEGIN CERTIFICATE-----
MIIB+zCCAaGgAwIBAgIUQFbqdl3Q7QUoPVYzujuLiHo9F8EwCgYIKoZIzj0EAwIw
IzENMAsGA1UECgwEVGVzdDESMBAGA1UEAwwJYS5leGFtcGxlMCAXDTI2MTEyOTA4
MTA0MloYDzIxMjYxMTA1MDgxMDQyWjAjMQ0wCwYDVQQKDARUZXN0MRIwEAYDVQQD
DAlhLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ7GCJLXsb9EJoX
zjE+IDg1Ckl/sYKXmTESfolm8+K+v43yci9AXvmg0D4OEds+z41Y94o5Ucmi/tWb
kF+8U4rro4GwMIGtMB0GA1UdDgQWBBSdI7uLp9mH3MrOet850aJ4NXsoUTAfBgNV
HSMEGDAWgBSdI7uLp9mH3MrOet850aJ4NXsoUTAMBgNVHRMBAf8EAjAAMF0GA1Ud
EQRWMFSCCWEuZXhhbXBsZYILKi5iLmV4YW1wbGWHBMAAAgeHECABDbgAAAAAAAAA
AAAAAAeBC3hAYS5leGFtcGxlghV4bi0tYmNoZXIta3ZhLmV4YW1wbGUwCgYIKoZI
zj0EAwIDSAAwRQIhAN00/66kf1KLt0v7daKkpLlXIDIO6vhNdDhWlL64BIomAiBn
EPIYheER9R4D9m9R6G1UgAmlZzf0SvQ8grfOw71H7A==
-----END CERTIFICATE-----
`;

it('a certificate has the host names and addresses of its alternative names, without mailboxes', async () => {
  const { records, skipped } = await importBytes(NAMED, { format: 'certificate' });
  expect(skipped).toEqual([]);
  expect(records).toMatchObject([
    {
      hostnames: [
        'a.example',
        '*.b.example',
        '192.0.2.7',
        '2001:0db8:0000:0000:0000:0000:0000:0007',
        'xn--bcher-kva.example',
      ],
      commonName: 'a.example',
      certType: 'certificate',
    },
  ]);
});
