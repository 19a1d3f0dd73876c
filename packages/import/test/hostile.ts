import { gzipSync } from 'node:zlib';
import { aggregateXml, mailWith, metadataXml, policyXml, zipOf } from './reports.ts';

/** As a stranger packs it: as much as possible into as little as possible. */
const packed = (text: string) => gzipSync(text, { level: 9 });

const range = { 'start-datetime': '2026-11-20T00:00:00Z', 'end-datetime': '2026-11-20T23:59:59Z' };

const tlsReport = (policies: string, name = 'a') =>
  `{"organization-name":"${name}","report-id":"r","date-range":${JSON.stringify(range)},"policies":[${policies}]}`;

const many = (text: string, times: number) => Array.from({ length: times }, () => text).join(',');

const nested = (times: number, inner: string): string =>
  times === 0 ? inner : `{"body":${nested(times - 1, inner)}}`;

/** Small inputs that could become much. Each is made for a size, of which it is some thousands of times. */
export const HOSTILE: Readonly<Record<string, (size: number) => Uint8Array | string>> = {
  'policies without anything': size => packed(tlsReport(many('{}', 120_000 * size))),
  'failure details without anything': size =>
    packed(tlsReport(many(`{"policy":{},"failure-details":[${many('{}', 8000)}]}`, 12 * size))),
  'a long reporter of many policies': size =>
    packed(tlsReport(many('{}', 9000 * size), 'long '.repeat(13_000))),
  'records without anything': size =>
    packed(
      `<feedback>${metadataXml()}${policyXml}${'<record><row><source_ip>1</source_ip><count>1</count></row></record>'.repeat(30_000 * size)}</feedback>`,
    ),
  'results without anything': size =>
    packed(
      aggregateXml([
        { xml: `<record><auth_results>${'<dkim/>'.repeat(9000)}</auth_results></record>` },
      ]).replace(
        '</feedback>',
        `${`<record><row><source_ip>1</source_ip><count>1</count></row><auth_results>${'<dkim><result>a</result></dkim>'.repeat(4000)}</auth_results></record>`.repeat(8 * size)}</feedback>`,
      ),
    ),
  'records before what they share': size =>
    packed(
      `<feedback>${`<record><row><source_ip>1</source_ip></row>${'<x/>'.repeat(9000)}</record>`.repeat(40 * size)}</feedback>`,
    ),
  'bodies in bodies': size => packed(nested(60, `"${'x'.repeat(400_000 * size)}"`)),
  'lists in lists': size => packed(`{"body":${'['.repeat(60)}${many('1', 200_000 * size)}${']'.repeat(60)}}`),
  'what is no report': size => packed(`[${many('1', 400_000 * size)}]`),
  'types that are not kept': size => packed(`[[${many('{"type":"x","body":{}}', 60_000 * size)}]]`),
  'long names of fields': size =>
    packed(
      Array.from(
        { length: 40 * size },
        (_, index) => `{"type":"crash","body":{"${'n'.repeat(100_000)}${index}":1}}\n`,
      ).join(''),
    ),
  'long user agents': size =>
    packed(
      Array.from(
        { length: 40 * size },
        (_, index) => `[20/Nov/2026:10:00:00 +0000] "Mozilla/5.0 ${index} ${'u'.repeat(100_000)}" "{"\n`,
      ).join(''),
    ),
  'many small attachments': size =>
    mailWith(
      ...Array.from({ length: 6 * size }, () => ({
        bytes: packed(tlsReport(many('{"policy":{"policy-domain":"a"}}', 60_000))),
      })),
    ),
  'a zip of what is long': size =>
    zipOf(
      ...Array.from({ length: 100 * size }, (_, index) => ({
        name: `${'n'.repeat(60_000)}${index}`,
        bytes: 'x',
      })),
    ),
  'rows of a table': size =>
    packed(
      `org_name,report_id,begin_date,domain,source_ip_address,count\n${`a,b,2026-11-20,c,1,1\n`.repeat(100_000 * size)}`,
    ),
  'a table of quotation marks': size =>
    packed(`org_name,report_id,begin_date,domain,source_ip_address,count\n${'"\n'.repeat(1_000_000 * size)}`),
  'a mail of empty lines and brackets': size => packed(`{x\n${'[{\n'.repeat(300_000 * size)}`),
};
