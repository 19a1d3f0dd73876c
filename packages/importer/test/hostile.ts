import { gzipSync } from 'node:zlib';
import { aggregateXml, mailWith, metadataXml, policyXml, toZip } from './reports.ts';

/** Compresses a text as much as possible, as an attacker would. */
const compress = (text: string) => gzipSync(text, { level: 9 });

const range = { 'start-datetime': '2026-11-20T00:00:00Z', 'end-datetime': '2026-11-20T23:59:59Z' };

const tlsReport = (policies: string, name = 'a') =>
  `{"organization-name":"${name}","report-id":"r","date-range":${JSON.stringify(range)},"policies":[${policies}]}`;

const many = (text: string, times: number) => Array.from({ length: times }, () => text).join(',');

const nested = (times: number, inner: string): string =>
  times === 0 ? inner : `{"body":${nested(times - 1, inner)}}`;

/** Functions that return small inputs that expand thousands of times. The argument scales their size. */
export const HOSTILE: Readonly<Record<string, (size: number) => Uint8Array | string>> = {
  'empty policies': size => compress(tlsReport(many('{}', 120_000 * size))),
  'empty failure details': size =>
    compress(tlsReport(many(`{"policy":{},"failure-details":[${many('{}', 8000)}]}`, 12 * size))),
  'many policies of a reporter with a long name': size =>
    compress(tlsReport(many('{}', 9000 * size), 'long '.repeat(13_000))),
  'empty records': size =>
    compress(
      `<feedback>${metadataXml()}${policyXml}${'<record><row><source_ip>1</source_ip><count>1</count></row></record>'.repeat(30_000 * size)}</feedback>`,
    ),
  'empty results': size =>
    compress(
      aggregateXml([
        { xml: `<record><auth_results>${'<dkim/>'.repeat(9000)}</auth_results></record>` },
      ]).replace(
        '</feedback>',
        `${`<record><row><source_ip>1</source_ip><count>1</count></row><auth_results>${'<dkim><result>a</result></dkim>'.repeat(4000)}</auth_results></record>`.repeat(8 * size)}</feedback>`,
      ),
    ),
  'records before their metadata': size =>
    compress(
      `<feedback>${`<record><row><source_ip>1</source_ip></row>${'<x/>'.repeat(9000)}</record>`.repeat(40 * size)}</feedback>`,
    ),
  'nested bodies': size => compress(nested(60, `"${'x'.repeat(400_000 * size)}"`)),
  'nested lists': size => compress(`{"body":${'['.repeat(60)}${many('1', 200_000 * size)}${']'.repeat(60)}}`),
  'values that are not reports': size => compress(`[${many('1', 400_000 * size)}]`),
  'types that are not stored': size => compress(`[[${many('{"type":"x","body":{}}', 60_000 * size)}]]`),
  'long field names': size =>
    compress(
      Array.from(
        { length: 40 * size },
        (_, index) => `{"type":"crash","body":{"${'n'.repeat(100_000)}${index}":1}}\n`,
      ).join(''),
    ),
  'long user agents': size =>
    compress(
      Array.from(
        { length: 40 * size },
        (_, index) => `[20/Nov/2026:10:00:00 +0000] "Mozilla/5.0 ${index} ${'u'.repeat(100_000)}" "{"\n`,
      ).join(''),
    ),
  'many small attachments': size =>
    mailWith(
      ...Array.from({ length: 6 * size }, () => ({
        bytes: compress(tlsReport(many('{"policy":{"policy-domain":"a"}}', 60_000))),
      })),
    ),
  'a zip of long content': size =>
    toZip(
      ...Array.from({ length: 100 * size }, (_, index) => ({
        name: `${'n'.repeat(60_000)}${index}`,
        bytes: 'x',
      })),
    ),
  'table rows': size =>
    compress(
      `org_name,report_id,begin_date,domain,source_ip_address,count\n${`a,b,2026-11-20,c,1,1\n`.repeat(100_000 * size)}`,
    ),
  'a table of quotation marks': size =>
    compress(
      `org_name,report_id,begin_date,domain,source_ip_address,count\n${'"\n'.repeat(1_000_000 * size)}`,
    ),
  'a mail of empty lines and brackets': size => compress(`{x\n${'[{\n'.repeat(300_000 * size)}`),
};
