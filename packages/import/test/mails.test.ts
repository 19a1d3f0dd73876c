import { describe, expect, it } from 'vitest';
import { aggregateXml, gzip, ids, importBytes, inParts, mailWith, mboxOf, YESTERDAY } from './reports.ts';

const report = aggregateXml([{ count: 3 }, { sourceIp: '192.0.2.2', count: 4 }]);

const head = 'From: dmarc@receiver.example\r\nMIME-Version: 1.0\r\n';
const part = (header: string, body: string) => `--part\r\n${header}\r\n\r\n${body}\r\n`;
const multipart = (...parts: string[]) =>
  `${head}Content-Type: multipart/mixed; boundary="part"\r\n\r\n${parts.join('')}`;
const quotedPrintable = (text: string) =>
  text.replace(/.{1,60}/g, line => `${line.replaceAll('=', '=3D')}= \t\r\n`);

/** A TLS report that does not say which domain it is about. */
const tlsReport = JSON.stringify({
  'organization-name': 'receiver.example',
  'report-id': 'r',
  'date-range': { 'start-datetime': new Date(YESTERDAY * 1000).toISOString() },
  policies: [{ policy: { 'policy-type': 'sts' }, summary: { 'total-successful-session-count': 1 } }],
});

describe('a report is found in a mail', () => {
  it.each<[string, string]>([
    ['whose last boundary is missing', mailWith({ bytes: report }).replace('--part--', '')],
    ['with a part that has no empty line', multipart('--part\r\nX: y\r\n', part('', report))],
    ['with a boundary that begins as another', multipart(part('', 'x\r\n--party\r\n'), part('', report))],
    ['with lines that only end in a line feed', mailWith({ bytes: gzip(report) }).replaceAll('\r\n', '\n')],
    ['as its text', `${head}\r\n${report}`],
    [
      'as a text in quoted-printable',
      `${head}Content-Transfer-Encoding: Quoted-Printable\r\n\r\n${quotedPrintable(report)}`,
    ],
    ['as it is', multipart(part('Content-Type: text/xml\r\nContent-Transfer-Encoding: 8bit', report))],
    [
      'in base64 that was padded in between',
      multipart(
        part(
          'Content-Transfer-Encoding: base64',
          [report.slice(0, 100), report.slice(100)].map(text => btoa(text)).join('\r\n'),
        ),
      ),
    ],
    [
      'in a part of a part',
      multipart(
        part(
          'Content-Type: multipart/mixed;\r\n\tboundary=inner',
          `--inner\r\nContent-Type: text/xml\r\n\r\n${report}\r\n--inner--`,
        ),
        '--part--\r\n',
      ),
    ],
    [
      'in a part whose inner boundary never ends',
      multipart(
        part('Content-Type: multipart/mixed; boundary=inner', '--inner\r\n\r\nx'),
        part('Content-Type: text/xml', report),
      ),
    ],
  ])('%s', async (_, mail) => {
    const found = await importBytes(mail);
    expect(found.skipped).toEqual([]);
    expect(ids(found)).toEqual(ids(await importBytes(report)));
  });

  it.each([1, 2, 3, 7, 76])('wherever its bytes are cut: after %i each', async length => {
    const mails = [
      mailWith({ bytes: report }, { bytes: gzip(report) }),
      multipart(part('Content-Transfer-Encoding: quoted-printable', quotedPrintable(report))),
    ];
    const mailbox = Buffer.from(mboxOf(...mails));
    const found = await importBytes(mailbox, {}, { content: inParts(mailbox, length) });
    expect(found.skipped).toEqual([]);
    expect(new Set(ids(found))).toEqual(new Set(ids(await importBytes(report))));
    expect(found.records).toHaveLength(6);
  });
});

describe('the domain of a TLS report without one', () => {
  const named = (parameter: string) =>
    multipart(
      part(`Content-Type: application/json\r\nContent-Disposition: attachment; ${parameter}`, tlsReport),
    );
  it.each([
    ['is that of the mail', `TLS-Report-Domain: example.org\r\n${named('filename=a')}`],
    ['is in the name of the attachment', named('filename="receiver.example!example.org!1!2.json"')],
    ['is in a name in parts', named('filename*0="receiver.example!exam";\r\n filename*1="ple.org!1!2.json"')],
    ['is in a name that is encoded', named("filename*=utf-8''receiver.example%21example.org%211!2.json")],
    [
      'is in a name that is encoded in parts',
      named("filename*0*=utf-8''receiver.example%21; filename*1=example.org!1!2"),
    ],
    ['is in a name of encoded words', named('filename="=?utf-8?Q?receiver.example=21example.org!1?="')],
  ])('%s', async (_, mail) => {
    const { records, skipped } = await importBytes(mail);
    expect(skipped).toEqual([]);
    expect(records).toMatchObject([{ type: 'tls_rpt', domain: 'example.org' }]);
  });
});

describe('a mail that is too large', () => {
  it('is told behind what could be read of it, and is the end of no mailbox', async () => {
    const large = mailWith({ bytes: report }, { bytes: Buffer.alloc(300_000, 'x') });
    const mailbox = mboxOf(large, mailWith({ bytes: aggregateXml([{}], 'other') }));
    const { records, skipped } = await importBytes(mailbox, { bounds: { mail: 100_000 } });
    expect(skipped).toEqual(['file: mail 1 is a mail that is too large']);
    expect(records.map(({ reportId }) => reportId)).toEqual(['report-1', 'report-1', 'other']);
  });
});

describe('a report on a single mail', () => {
  it('is counted, and the mail in it is not looked into', async () => {
    const failure = multipart(
      part('Content-Type: text/plain', 'A report.'),
      part('Content-Type: message/feedback-report', 'Feedback-Type: auth-failure'),
      part('Content-Type: message/rfc822', mailWith({ bytes: report })),
    );
    const { records, notKept, skipped } = await importBytes(failure);
    expect({ records, notKept, skipped }).toEqual({ records: [], notKept: ['dmarc-failure'], skipped: [] });
  });
});
