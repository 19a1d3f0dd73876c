import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';

/** Yesterday at midnight (UTC), in seconds. */
const YESTERDAY = Math.floor(Date.now() / 86_400_000) * 86_400 - 86_400;

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Safari/605.1.15',
];

const POLICY =
  "default-src 'self'; script-src 'self' https://static.example.org https://cdn.example.org; img-src 'self' data:; " +
  "style-src 'self' 'unsafe-inline'; connect-src 'self' https://api.example.org; frame-ancestors 'none'; report-to default";

/** A CSP violation as browsers send it, 1 KiB with the line break. */
function body(number: number): string {
  const page = `https://www.example.org/page/${number % 500}?q=${number}`;
  const report = (sample: string) =>
    JSON.stringify({
      type: 'csp-violation',
      age: number % 60_000,
      url: page,
      user_agent: AGENTS[number % 2],
      body: {
        documentURL: page,
        referrer: 'https://www.example.org/',
        blockedURL: `https://cdn${number % 300}.tracker.example/lib/${number % 7}.js`,
        effectiveDirective: 'script-src-elem',
        originalPolicy: POLICY,
        sourceFile: `https://www.example.org/static/app.${number % 20}.js`,
        sample,
        disposition: number % 3 ? 'enforce' : 'report',
        statusCode: 200,
        lineNumber: number % 900,
        columnNumber: number % 80,
      },
    });
  return `${report('x'.repeat(Math.max(0, 1023 - report('').length)))}\n`;
}

export async function writeBodies(path: string, count: number): Promise<void> {
  await write(path, function* () {
    for (let number = 0; number < count; number++) yield body(number);
  });
}

const record = (number: number, comment: string) =>
  `<record><row><source_ip>192.0.${number % 250}.${number % 256}</source_ip><count>${number}</count><policy_evaluated>` +
  '<disposition>none</disposition><dkim>pass</dkim><spf>fail</spf></policy_evaluated></row>' +
  `<identifiers><header_from>example.org</header_from></identifiers><!--${comment}--><auth_results>` +
  '<dkim><domain>example.org</domain><result>pass</result></dkim>' +
  '<spf><domain>a.example</domain><result>fail</result></spf></auth_results></record>\n';

const FEEDBACK =
  '<?xml version="1.0"?>\n<feedback><report_metadata><org_name>receiver.example</org_name><email>a@receiver.example</email>' +
  `<report_id>large</report_id><date_range><begin>${YESTERDAY}</begin><end>${YESTERDAY + 86_399}</end></date_range>` +
  '</report_metadata><policy_published><domain>example.org</domain><p>none</p></policy_published>\n';

/** An aggregate report with the given number of records, each of the given size. */
function* aggregateReport(records: number, bytes: number): Generator<string> {
  yield FEEDBACK;
  const comment = ' '.repeat(Math.max(0, bytes - record(records, '').length));
  for (let number = 0; number < records; number++) yield record(number, comment);
  yield '</feedback>\n';
}

export async function writeReport(path: string, records: number, bytes: number): Promise<void> {
  await write(path, () => aggregateReport(records, bytes));
}

/** Writes a mail with an uncompressed aggregate report as an attachment. */
export async function writeMail(path: string, records: number, bytes: number): Promise<void> {
  await write(path, function* () {
    yield mailStart;
    for (const lines of base64Lines(aggregateReport(records, bytes))) yield lines;
    yield '--part--\r\n';
  });
}

const mailStart =
  'From: a@receiver.example\r\nSubject: Report Domain: example.org\r\nMIME-Version: 1.0\r\n' +
  'Content-Type: multipart/mixed; boundary="part"\r\n\r\n--part\r\nContent-Type: text/plain\r\n\r\nA report.\r\n' +
  '--part\r\nContent-Type: application/octet-stream; name="report.xml"\r\nContent-Transfer-Encoding: base64\r\n\r\n';

function* base64Lines(texts: Iterable<string>): Generator<string> {
  let held = '';
  for (const text of texts) {
    held += text;
    const whole = held.length - (held.length % 57);
    if (whole < 57_000) continue;
    yield lines(held.slice(0, whole));
    held = held.slice(whole);
  }
  yield lines(held);
}

function lines(text: string): string {
  return Buffer.from(text, 'latin1')
    .toString('base64')
    .replace(/.{1,76}/g, '$&\r\n');
}

/** Writes a maildir of mails with one report each, alternating gzip, zip and XML. */
export async function writeMaildir(folder: string, count: number): Promise<void> {
  for (const name of ['cur', 'new', 'tmp']) await mkdir(join(folder, name), { recursive: true });
  for (let number = 0; number < count; number++) {
    const xml = [...aggregateReport(5, 0)].join('').replace('large', `report-${number}`);
    const plain = Buffer.from(xml);
    const packed = [plain, gzipSync(plain), Buffer.from(zipSync({ 'report.xml': plain }))][number % 3]!;
    const mail = `${mailStart}${lines(packed.toString('latin1'))}--part--\r\n`;
    await writeFile(join(folder, 'new', `${number}.example`), mail);
  }
}

/** Malicious inputs, by name. */
export function hostileInputs(): Record<string, () => Iterable<string | Uint8Array>> {
  const MB = 1_000_000;
  const blanks = Buffer.alloc(1000 * MB, ' ');
  return {
    'a gzip of 1 GB': () => [gzipSync(Buffer.concat([Buffer.from(FEEDBACK), blanks]))],
    'a gzip in a gzip in a gzip, of 1 GB': () => [gzipSync(gzipSync(gzipSync(blanks)))],
    'entities of entities': () => [
      '<!DOCTYPE feedback [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><feedback>&b;</feedback>',
    ],
    'XML of 200,000 levels': () => [FEEDBACK, '<a>'.repeat(200_000)],
    'JSON of 200,000 levels': () => ['{"policies":', '['.repeat(200_000)],
    'a JSON text of 90 MB': () => ['{"policies":"', 'x'.repeat(90 * MB), '"}'],
    'an XML attribute of 90 MB': () => [FEEDBACK, '<record a="', 'x'.repeat(90 * MB), '">'],
    'an XML text of 90 MB': () => [FEEDBACK, '<record><row>', 'x'.repeat(90 * MB)],
    'a mail of 100,000 parts': () => [
      'From: a\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n',
      '--b\r\n\r\nx\r\n'.repeat(100_000),
    ],
    'a mail of 1000 levels': () => [
      'From: a\r\n',
      ...Array.from(
        { length: 1000 },
        (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
      ),
    ],
    'a mail with a header of 90 MB': () => ['From: a\r\nX-A: ', 'x'.repeat(90 * MB), '\r\n\r\n'],
  };
}

export async function write(path: string, texts: () => Iterable<string | Uint8Array>): Promise<void> {
  const file = createWriteStream(path);
  for (const text of texts()) if (!file.write(text)) await once(file, 'drain');
  file.end();
  await once(file, 'close');
}
