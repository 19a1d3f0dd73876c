import { describe, expect, it } from 'vitest';
import { aggregateXml, gzip, importBytes, inParts, mailWith, YESTERDAY } from './reports.ts';

const HEAD = 'From: a@b.example\r\nMIME-Version: 1.0\r\n';
const toPart = (header: string, body: string) => `--part\r\n${header}\r\n\r\n${body}\r\n`;
const toMail = (head: string, ...parts: string[]) =>
  `${HEAD}${head}Content-Type: multipart/mixed; boundary="part"\r\n\r\n${parts.join('')}--part--\r\n`;
const attached = (name: string, body: string, type = 'application/octet-stream') =>
  toPart(`Content-Type: ${type}\r\nContent-Disposition: attachment; filename="${name}"`, body);
const report = (id: string) => aggregateXml([{}], id);
const nested = (mail: string) =>
  toPart(
    'Content-Type: message/rfc822',
    mail.replaceAll('--part', '--inner').replaceAll('"part"', '"inner"'),
  );

const read = async (mail: string) => {
  const { records, skipped, unstored, items } = await importBytes(mail);
  return { ids: records.map(({ reportId }) => reportId), skipped, unstored, items };
};

describe('the parts of a mail', () => {
  it('are named as its text, or by their number among the attachments', async () => {
    const broken = (id: string) => report(id).replace('</feedback>', '');
    const { ids, skipped } = await read(
      toMail(
        '',
        toPart('Content-Type: text/plain', broken('a')),
        attached('logo.png', '\x89PNG', 'image/png'),
        attached('b.xml', broken('b')),
        toPart('Content-Type: text/html', broken('c')),
        toPart('Content-Type: text/plain; name=d.txt', broken('d')),
        toPart('Content-Type: text/plain\r\nContent-Disposition: Attachment', broken('e')),
        toPart('Content-Type: text/xml', broken('f')),
      ),
    );
    expect(ids).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    const places = skipped.map(text => text.replace(/ is not well-formed.*/, ''));
    expect(places).toEqual([
      'file, text',
      'file, attachment 2',
      'file, text',
      'file, attachment 3',
      'file, attachment 4',
      'file, attachment 5',
    ]);
  });

  it('are not read behind a failure report, which counts once', async () => {
    const failure = toPart('Content-Type: Message/Feedback-Report; x=y', 'Feedback-Type: auth-failure');
    const mail = toMail('', attached('a.xml', report('a')), failure, failure, attached('b.xml', report('b')));
    expect(await read(mail)).toEqual({ ids: ['a'], skipped: [], unstored: ['dmarc-failure'], items: 2 });
  });

  it.each<[string, string, string[]]>([
    [
      'in an unsupported format',
      toMail('', attached('r.lz', 'LZIP')),
      ['file, attachment 1 is in an unsupported format: r.lz is lzip: decompress it with "lunzip"'],
    ],
    [
      'in one without a name',
      toMail('', toPart('Content-Type: application/x', 'BZh9')),
      ['file, attachment 1 is in an unsupported format: bzip2: decompress it with "bunzip2"'],
    ],
    [
      'with a long name',
      toMail('', attached(`\x1b${'n'.repeat(120)}`, 'BZh9')),
      [
        `file, attachment 1 is in an unsupported format: \u{fffd}${'n'.repeat(99)} is bzip2: decompress it with "bunzip2"`,
      ],
    ],
    [
      'that could be a report',
      toMail('', attached('a.bin', 'x'), attached('b.bin', 'y')),
      ['file is a mail without a report: none is in attachment 1 (a.bin), attachment 2 (b.bin)'],
    ],
    [
      'without a name',
      toMail('', toPart('Content-Type: application/x', 'x')),
      ['file is a mail without a report'],
    ],
    ...[
      'image/png',
      'audio/x',
      'video/x',
      'font/x',
      'text/html',
      'text/calendar',
      'text/vcard',
      'text/x-vcard',
      'application/pgp-signature',
    ].map((type): [string, string, string[]] => [
      `of the type ${type}`,
      toMail('', attached('a', 'x', type)),
      ['file is a mail without a report'],
    ]),
    ...['text/plain', 'text/css', 'application/signature', 'x/image/png'].map(
      (type): [string, string, string[]] => [
        `of the type ${type}`,
        toMail('', attached('a', 'x', type)),
        ['file is a mail without a report: none is in attachment 1 (a)'],
      ],
    ),
    [
      'that is a log',
      toMail('', attached('a.log', 'POST {"a":1}')),
      ['file is a mail without a report: none is in attachment 1 (a.log)'],
    ],
    [
      'that looks like a mail',
      toMail('', toPart('Content-Type: text/plain', 'Subject: x\r\n\r\nHello')),
      ['file is a mail without a report'],
    ],
  ])('are named if no report is read: a part %s', async (_, mail, skipped) => {
    expect(await read(mail)).toEqual({ ids: [], skipped, unstored: [], items: 0 });
  });

  it('in an unsupported format are not named in a bounce', async () => {
    const bounce = (status: string) =>
      toMail('', status, attached('r.lz', 'LZIP'), attached('r.xml', report('a')));
    const status = toPart('Content-Type: message/delivery-status', 'Status: 5.0.0');
    expect((await read(bounce(status))).skipped).toEqual([
      'file is a bounce or a receipt, and the mail in it is not counted',
    ]);
    expect((await read(bounce(''))).skipped).toEqual([
      'file, attachment 1 is in an unsupported format: r.lz is lzip: decompress it with "lunzip"',
    ]);
  });

  it.each<[string, string, string[]]>([
    ['as a mail', nested(mailWith({ bytes: report('a') })), ['a']],
    [
      'as a named file',
      attached(
        'a.eml',
        mailWith({ bytes: gzip(report('a')) })
          .replaceAll('--part', '--in')
          .replace('"part"', '"in"'),
      ),
      ['a'],
    ],
    ['as a text without a name', toPart('Content-Type: text/plain', `Subject: x\r\n\r\n${report('a')}`), []],
  ])('are read if they are mails, %s', async (_, part, ids) => {
    expect((await read(toMail('', part))).ids).toEqual(ids);
  });
});

it.each<[string, string]>([
  ['has a boundary but is not multipart', `Content-Type: text/xml; boundary="part"\r\n\r\n${report('a')}`],
  ['is multipart but has no boundary', `Content-Type: multipart/mixed\r\n\r\n--\r\n${report('a')}`],
])('a mail is one part if it %s', async (_, rest) => {
  expect(await read(HEAD + rest)).toMatchObject({ ids: ['a'], skipped: [] });
});

it('a part ends with the boundary of the part around it, even with spaces and in its header', async () => {
  const open = '--part\r\nContent-Type: multipart/mixed; boundary="in"\r\n\r\n--in\r\n';
  const cut = `${open}Content-Type: message/delivery-status\r\n`;
  const mail = toMail('', cut, attached('b.xml', report('b')), `${open}\r\n${report('c')}\r\n`);
  const spaced = mail.replaceAll('--part\r\n', '--part \t\r\n');
  for (const same of [mail, spaced]) expect(await read(same)).toMatchObject({ ids: ['b', 'c'], skipped: [] });
});

it('a TLS report without a domain has that of the innermost mail that names one', async () => {
  const tls = JSON.stringify({
    'report-id': 'r',
    'date-range': { 'start-datetime': new Date(YESTERDAY * 1000).toISOString() },
    policies: [{ policy: { 'policy-type': 'sts' } }],
  });
  const inner = (domain: string) =>
    toMail(domain && `TLS-Report-Domain: ${domain}\r\n`, attached('x!named.example!1', tls));
  const domainOf = async (mail: string) => (await importBytes(mail)).records.map(({ domain }) => domain);
  const outer = 'TLS-Report-Domain: outer.example\r\n';
  expect(await domainOf(toMail(outer, nested(inner('inner.example'))))).toEqual(['inner.example']);
  expect(await domainOf(toMail(outer, nested(inner(''))))).toEqual(['outer.example']);
  expect(await domainOf(toMail('', nested(inner(''))))).toEqual(['named.example']);
  const names = `${toPart('Content-Type: application/json; name="x!name.example!1"\r\nContent-Disposition: attachment; filename="x!file.example!1"', tls)}`;
  expect(await domainOf(toMail('', names))).toEqual(['file.example']);
});

it('a report beside a bounce is imported if the bounce is known only by its type', async () => {
  const bounce = `--part\r\nContent-Type: multipart/report; report-type=delivery-status; boundary="in"\r\n\r\n--in\r\n\r\n${report('a')}\r\n--in--\r\n`;
  const beside = attached('b.xml', report('b'));
  expect(await read(toMail('', bounce, beside))).toMatchObject({ ids: ['b'] });
  expect(await read(toMail('', beside, bounce))).toMatchObject({ ids: ['b'] });
});

it('a mail is closed where a failure report ends it', async () => {
  const failure = toPart('Content-Type: message/feedback-report', 'Feedback-Type: auth-failure');
  const mail = Buffer.from(toMail('', failure, attached('a', 'x'.repeat(500_000))));
  const state = { read: 0, isClosed: false };
  const content = (async function* () {
    try {
      for await (const chunk of inParts(mail)) {
        state.read += chunk.length;
        yield chunk;
      }
    } finally {
      state.isClosed = true;
    }
  })();
  expect((await importBytes('', {}, { content })).unstored).toEqual(['dmarc-failure']);
  expect(state.isClosed).toBe(true);
  expect(state.read).toBeLessThan(mail.length / 2);
});
