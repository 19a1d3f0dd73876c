import { expect, it } from 'vitest';
import { toTar } from './archives.ts';
import { issueForDay, onDay, toCsp } from './dated-inputs.ts';
import { importAsOf } from './recorded-imports.ts';
import { aggregateXml, gzip, importBytes, mailWith, toMbox, toZip } from './reports.ts';

const xml = onDay(aggregateXml([{}, { count: 2 }]));
const tls = JSON.stringify({
  'organization-name': 'receiver.example',
  'report-id': 'r',
  'date-range': { 'start-datetime': '2026-11-20T00:00:00Z' },
  policies: [
    { policy: { 'policy-type': 'sts', 'policy-domain': 'a.example' } },
    { policy: { 'policy-type': 'tlsa', 'policy-domain': 'b.example' } },
  ],
});
const table =
  'org_name,report_id,begin_date,domain,source_ip_address,count\r\n' +
  'r.example,a,2026-11-20 00:00:00,a.example,192.0.2.1,1\r\n'.repeat(2);
const { pem } = issueForDay(['a.example']);

const KINDS: Readonly<Record<string, string>> = {
  'an aggregate report': xml,
  'a TLS report': tls,
  'a list of browser reports': `[${toCsp(1)},${toCsp(2)}]`,
  'lines of browser reports': `${toCsp(1)}\n${toCsp(2)}\n`,
  'a sequence of browser reports': `\u001e${toCsp(1)}\n\u001e${toCsp(2)}\n`,
  'a table': table,
  certificates: pem + pem,
};

type Bytes = Uint8Array | string;
const utf16 = (bytes: Bytes) => Buffer.from(`\u{feff}${Buffer.from(bytes)}`, 'utf16le');
const file = (bytes: Bytes) => ({ name: 'report', bytes });
const WRAPPERS: Readonly<Record<string, (bytes: Bytes) => Bytes>> = {
  'with a byte order mark': bytes => `\u{feff}${bytes}`,
  'after empty lines': bytes => `\n \r\n${bytes}`,
  'before line breaks': bytes => bytes + '\n'.repeat(200_000),
  gzip: gzip,
  'gzip in gzip': bytes => gzip(gzip(bytes)),
  zip: bytes => toZip(file(bytes)),
  'zip, stored': bytes => toZip({ ...file(bytes), stored: true }),
  'zip in zip': bytes => toZip(file(toZip(file(bytes)))),
  tar: bytes => toTar([file(bytes)]),
  'compressed tar': bytes => gzip(toTar([file(bytes)])),
  'gzip in tar': bytes => toTar([file(gzip(bytes))]),
  'tar in zip': bytes => toZip(file(toTar([file(bytes)]))),
  'zip in tar': bytes => toTar([file(toZip(file(bytes)))]),
  mail: bytes => mailWith(file(bytes)),
  'mail with a gzip': bytes => mailWith(file(gzip(bytes))),
  'compressed mail': bytes => gzip(mailWith(file(bytes))),
  'mail in a mail': bytes => mailWith({ bytes: mailWith(file(bytes)), type: 'message/rfc822' }),
  'mail in a zip': bytes => toZip(file(mailWith(file(bytes)))),
  mbox: bytes => toMbox(mailWith(file(bytes))),
  'compressed mbox': bytes => gzip(toMbox(mailWith(file(bytes)))),
  base64: bytes => gzip(bytes).toString('base64'),
};

const importKind = async (bytes: Bytes) => {
  const { records, certificates, skipped, unstored, items } = await importAsOf(bytes);
  return { records, certificates, skipped, unstored, items };
};

it.each(Object.entries(KINDS))('%s has the same outcome in each file', async (kind, text) => {
  const plain = await importKind(text);
  expect([plain.records.length, plain.skipped, plain.unstored]).toEqual([2, [], []]);
  for (const [name, wrap] of Object.entries(WRAPPERS))
    expect({ name, ...(await importKind(wrap(text))) }).toEqual({ name, ...plain });
  if (kind === 'certificates') return;
  expect(await importKind(utf16(text))).toEqual(plain);
  expect(await importKind(gzip(utf16(text)))).toEqual(plain);
});

it('a log has the same outcome in each archive, and is no report in a mail', async () => {
  const log = `POST ${toCsp(1)}\nGET /\nPOST ${toCsp(2)}\n`;
  const plain = await importKind(log);
  expect([plain.records.length, plain.unstored]).toEqual([2, ['request without a body']]);
  for (const name of ['gzip', 'zip in tar', 'compressed tar', 'base64', 'before line breaks'])
    expect(await importKind(WRAPPERS[name]!(log))).toEqual(plain);
  expect((await importKind(mailWith({ name: 'a.log', bytes: log }))).skipped).toEqual([
    'file is a mail without a report: none is in attachment 1 (a.log)',
  ]);
});

it('a folder in a tar is not a file, whatever its name', async () => {
  const tar = toTar([
    { name: 'folder', bytes: '' },
    { name: 'folder/r.xml', bytes: aggregateXml() },
  ]);
  tar.write('5', 156);
  tar.write('        ', 148);
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const { records, skipped } = await importBytes(tar);
  expect([records.length, skipped]).toEqual([1, []]);
  expect((await importBytes(Buffer.concat([tar.subarray(0, 512), Buffer.alloc(1024)]))).skipped).toEqual([
    'file is an empty tar',
  ]);
});
