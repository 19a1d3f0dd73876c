import { X509Certificate } from 'node:crypto';
import { MS_PER_DAY } from '@sightline/reports';
import { issueCertificate, toPublicKey } from '../certificates.ts';
import { type DayStart, type DemoFile, seconds } from './file.ts';

const ISSUER = { country: 'DE', organisation: 'Beispiel Zertifikate GmbH', commonName: 'Beispiel DV CA 4' };

function issue(day: DayStart, hostname: string, precertificate: boolean): X509Certificate {
  const { pem } = issueCertificate({
    hostnames: [hostname, `www.${hostname}`],
    issuer: ISSUER,
    serialNumber: `01${Buffer.from(hostname).toString('hex').slice(0, 30)}`,
    notBefore: day,
    notAfter: day + 90 * MS_PER_DAY,
    publicKeyInfo: toPublicKey(`sightline demo import ${hostname}`),
    precertificate,
  });
  return new X509Certificate(pem);
}

/** Certificates as files, and in the formats of monitors. */
export function certificateFiles(day: DayStart): DemoFile[] {
  const one = issue(day, 'shop.example', false);
  const spotted = issue(day, 'spotted.example', false);
  const streamed = issue(day, 'streamed.example', true);
  const digest = spotted.fingerprint256.replaceAll(':', '').toLowerCase();
  const spottedAt = `certspotter/certs/${digest.slice(0, 2)}/${digest}`;
  const message = {
    message_type: 'certificate_update',
    data: {
      update_type: 'PrecertLogEntry',
      leaf_cert: { all_domains: ['streamed.example'], as_der: streamed.raw.toString('base64') },
      cert_index: 4711,
      seen: seconds(day) + 4242.25,
      source: { name: 'Example Log 2026', url: 'ct.example/2026/' },
    },
  };
  const files: DemoFile[] = [
    { path: 'certificate.pem', content: one.toString() },
    { path: 'precertificate.der', content: issue(day, 'shop.example', true).raw },
    {
      path: 'bundle.pem',
      content: `subject=CN = shop.example\n${one}${issue(day, 'bundled.example', false)}`,
    },
    { path: `${spottedAt}.pem`, content: spotted.toString(), modified: day + 7_200_000 },
    {
      path: `${spottedAt}.v1.json`,
      content: JSON.stringify({
        dns_names: ['spotted.example', 'www.spotted.example'],
        tbs_sha256: '',
        pubkey_sha256: '',
      }),
    },
    {
      path: `${spottedAt}.txt`,
      content: `${digest}:\n\t     DNS Name = spotted.example\n\t    Log Entry = 99 @ https://ct.example/2026/\n`,
    },
    {
      path: 'certstream.ndjson',
      content: `{"message_type":"heartbeat","timestamp":1}\n${JSON.stringify(message)}\n`,
    },
  ];
  return files.map(file => ({ ...file, path: `certificates/${file.path}` }));
}
