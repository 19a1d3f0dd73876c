import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DEFAULT_BOUNDS } from '../src/bounds.ts';
import { KnownMails } from '../src/known-mails.ts';
import {
  aggregateXml,
  gzip,
  ids,
  importBytes,
  inParts,
  mailWith,
  toMbox,
  toZip,
  USUAL_READING,
  YESTERDAY,
} from './reports.ts';

const report = aggregateXml([{ count: 3 }, { sourceIp: '192.0.2.2', count: 4 }]);

const head = 'From: dmarc@receiver.example\r\nMIME-Version: 1.0\r\n';
const part = (header: string, body: string) => `--part\r\n${header}\r\n\r\n${body}\r\n`;
const multipart = (...parts: string[]) =>
  `${head}Content-Type: multipart/mixed; boundary="part"\r\n\r\n${parts.join('')}`;
const quotedPrintable = (text: string) =>
  text.replace(/.{1,60}/g, line => `${line.replaceAll('=', '=3D')}= \t\r\n`);

/** A TLS report that does not name its domain. */
const tlsReport = JSON.stringify({
  'organization-name': 'receiver.example',
  'report-id': 'r',
  'date-range': { 'start-datetime': new Date(YESTERDAY * 1000).toISOString() },
  policies: [{ policy: { 'policy-type': 'sts' }, summary: { 'total-successful-session-count': 1 } }],
});

describe('a report in a mail', () => {
  it.each<[string, string]>([
    ['without the last boundary', mailWith({ bytes: report }).replace('--part--', '')],
    ['after a part without an empty line', multipart('--part\r\nX: y\r\n', part('', report))],
    ['after a boundary with the same prefix', multipart(part('', 'x\r\n--party\r\n'), part('', report))],
    ['with line feeds instead of CRLF', mailWith({ bytes: gzip(report) }).replaceAll('\r\n', '\n')],
    ['as plain text', `${head}\r\n${report}`],
    [
      'as quoted-printable text',
      `${head}Content-Transfer-Encoding: Quoted-Printable\r\n\r\n${quotedPrintable(report)}`,
    ],
    [
      'without encoding',
      multipart(part('Content-Type: text/xml\r\nContent-Transfer-Encoding: 8bit', report)),
    ],
    [
      'without encoding, declared as base64',
      multipart(part('Content-Type: text/xml\r\nContent-Transfer-Encoding: base64', report)),
    ],
    [
      'in base64, declared as 7bit',
      multipart(part('Content-Transfer-Encoding: 7bit', Buffer.from(gzip(report)).toString('base64'))),
    ],
    [
      'in quoted-printable, declared as 8bit',
      multipart(part('Content-Transfer-Encoding: 8bit', quotedPrintable(report))),
    ],
    [
      'in base64 with padding in the middle',
      multipart(
        part(
          'Content-Transfer-Encoding: base64',
          [report.slice(0, 100), report.slice(100)].map(text => btoa(text)).join('\r\n'),
        ),
      ),
    ],
    [
      'in a nested part',
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
  ])('is found %s', async (_, mail) => {
    const found = await importBytes(mail);
    expect(found.skipped).toEqual([]);
    expect(ids(found)).toEqual(ids(await importBytes(report)));
  });

  it.each([1, 2, 3, 7, 76])('is found for any chunk size: %i bytes', async length => {
    const mails = [
      mailWith({ bytes: report }, { bytes: gzip(report) }),
      multipart(part('Content-Transfer-Encoding: quoted-printable', quotedPrintable(report))),
    ];
    const mailbox = Buffer.from(toMbox(...mails));
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
    ['in a header of the mail', `TLS-Report-Domain: example.org\r\n${named('filename=a')}`],
    [
      'in the first of repeated headers',
      `TLS-Report-Domain: example.org\r\ntls-report-domain: other.example\r\n .invalid\r\n${named('filename=a')}`,
    ],
    [
      'in the first of repeated parameters',
      named('filename="a!example.org!1!2.json"; filename="a!b.example!1"'),
    ],
    ['in the name of the attachment', named('filename="receiver.example!example.org!1!2.json"')],
    [
      'in a name that is split into parts',
      named('filename*0="receiver.example!exam";\r\n filename*1="ple.org!1!2.json"'),
    ],
    ['in an encoded name', named("filename*=utf-8''receiver.example%21example.org%211!2.json")],
    [
      'in an encoded name that is split into parts',
      named("filename*0*=utf-8''receiver.example%21; filename*1=example.org!1!2"),
    ],
    ['in a name of encoded words', named('filename="=?utf-8?Q?receiver.example=21example.org!1?="')],
  ])('is found %s', async (_, mail) => {
    const { records, skipped } = await importBytes(mail);
    expect(skipped).toEqual([]);
    expect(records).toMatchObject([{ type: 'tls_rpt', domain: 'example.org' }]);
  });
});

describe('an oversized header', () => {
  it.each([
    [17, 'example.org'],
    [18, ''],
  ])('is ignored after 1 MiB: with %i lines of 60 kB before the domain', async (lines, domain) => {
    const long = `X: ${'x'.repeat(59_990)}\r\n`.repeat(lines);
    const mail = `From: a@b.example\r\nContent-Type: application/json\r\n${long}TLS-Report-Domain: example.org`;
    const { records, skipped } = await importBytes(`${mail}\r\n\r\n${tlsReport}`);
    expect([records.map(record => record.domain), skipped]).toEqual([[domain], []]);
  });
});

describe('an oversized mail', () => {
  it('is reported after its readable part, and does not end the mailbox', async () => {
    const large = mailWith({ bytes: report }, { bytes: Buffer.alloc(300_000, 'x') });
    const mailbox = toMbox(large, mailWith({ bytes: aggregateXml([{}], 'other') }));
    const { records, skipped } = await importBytes(mailbox, { bounds: { mail: 100_000 } });
    expect(skipped).toEqual(['file: mail 1 is a mail that is too large']);
    expect(records.map(({ reportId }) => reportId)).toEqual(['report-1', 'report-1', 'other']);
  });
});

describe('a DMARC failure report', () => {
  it('is counted, and the mail in it is not imported', async () => {
    const failure = multipart(
      part('Content-Type: text/plain', 'A report.'),
      part('Content-Type: message/feedback-report', 'Feedback-Type: auth-failure'),
      part('Content-Type: message/rfc822', mailWith({ bytes: report })),
    );
    const { records, unstored, skipped } = await importBytes(failure);
    expect({ records, unstored, skipped }).toEqual({
      records: [],
      unstored: ['dmarc-failure'],
      skipped: [],
    });
  });
});

it('a report beside a bounce is imported, and one within it is not', async () => {
  const attached = (id: string) =>
    part('Content-Type: application/xml; name="report.xml"', aggregateXml([{}], id));
  const status = part('Content-Type: message/delivery-status', 'Status: 5.0.0');
  const bounce = (...parts: string[]) =>
    part(
      'Content-Type: multipart/mixed; boundary="inner"',
      `${parts.join('').replaceAll('--part', '--inner')}--inner--`,
    );
  const read = async (...parts: string[]) =>
    (await importBytes(multipart(...parts))).records.map(({ reportId }) => reportId);
  expect(await read(bounce(status), attached('beside'))).toEqual(['beside']);
  expect(await read(bounce(status, attached('within')), attached('beside'))).toEqual(['beside']);
  expect(await read(bounce(attached('within')), attached('beside'))).toEqual(['within', 'beside']);
});

describe('a rejected mail', () => {
  const bounds = { ...DEFAULT_BOUNDS, growth: 1 };
  const large = mailWith({ bytes: gzip(`<feedback>${'<version>1</version>'.repeat(250_000)}`) });
  const run = async (mails: Map<string, number>) => {
    const seen = new KnownMails({ ...USUAL_READING, bounds }, mails);
    const { skipped } = await importBytes(large, { bounds, seen: seen });
    return { skipped, read: seen.read };
  };

  it('is not read again but reported each time', async () => {
    const first = await run(new Map());
    expect(first.skipped).toEqual([expect.stringContaining('expands too much for its size')]);
    const second = await run(first.read);
    expect(second.skipped).toEqual(['file was abandoned by an earlier import, and is not read again']);
    expect(second.read.size).toBe(0);
  });

  it('does not prevent its attachment from being read in another mail', async () => {
    const packed = gzip(`${aggregateXml([{ count: 3 }])}${' '.repeat(4_300_000)}`);
    const counts = new Map<string, number>();
    const read = async (mail: string) => {
      const mails = new KnownMails({ ...USUAL_READING, bounds }, counts);
      const found = await importBytes(mail, { bounds, seen: mails });
      for (const [digest, count] of mails.read) counts.set(digest, count);
      return { ...found, counts: [...mails.read.values()] };
    };
    const refused = await read(mailWith({ bytes: packed }));
    expect(refused.skipped).toEqual([expect.stringContaining('expands too much for its size')]);
    // Only the mail itself is recorded as rejected.
    expect(refused.counts).toEqual([-1]);
    const image = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(600_000)]);
    const padding = { bytes: image, name: 'logo.png', type: 'image/png' };
    const taken = await read(mailWith({ bytes: packed }, padding));
    expect(taken.skipped).toEqual([]);
    expect(taken.records.map(({ count }) => count)).toEqual([3]);
    expect(taken.counts.every(count => count > 0)).toBe(true);
  });
});

describe('an imported mail', () => {
  const csp = JSON.stringify({
    'csp-report': { 'document-uri': 'https://shop.example/', 'effective-directive': 'img-src' },
  });
  /** Imports mails one after another, and returns the numbers of records that are remembered for each. */
  const remember = async (...mails: string[]) => {
    const known = new Map<string, number>();
    const remembered: number[][] = [];
    for (const mail of mails) {
      const seen = new KnownMails(USUAL_READING, known);
      await importBytes(mail, { seen });
      remembered.push([...seen.read.values()].sort());
      for (const [digest, count] of seen.read) known.set(digest, count);
    }
    return remembered;
  };

  it('is remembered with the number of its records, including those of known attachments', async () => {
    const other = { bytes: aggregateXml([{}], 'other') };
    expect(await remember(mailWith({ bytes: report }), mailWith({ bytes: report }, other))).toEqual([
      [2, 2],
      [1, 3],
    ]);
  });

  it('is read again if it contains other reports than those of mail servers', async () => {
    const mail = mailWith({ bytes: report }, { bytes: csp }, { bytes: aggregateXml([{}], 'other') });
    expect(await remember(mail)).toEqual([[1, 2]]);
  });

  it('is remembered up to a size of 1 MiB', async () => {
    const mail = (bytes: number) => `${head}Content-Type: text/xml\r\n\r\n${report}`.padEnd(bytes);
    const most = 1024 * 1024;
    expect(await remember(mail(most), mail(most + 1))).toEqual([[2, 2], [2]]);
  });

  it('of more than 1 MiB is closed if it is not read to its end', async () => {
    const mail = `${head}Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/feedback-report\r\n\r\n`;
    let isClosed = false;
    const content = (async function* () {
      try {
        yield Buffer.from(mail.padEnd(1024 * 1024 + 1));
        yield Buffer.from('behind');
      } finally {
        isClosed = true;
      }
    })();
    const { unstored } = await importBytes(
      '',
      { seen: new KnownMails(USUAL_READING, new Map()) },
      { content },
    );
    expect([unstored, isClosed]).toEqual([['dmarc-failure'], true]);
  });
});

describe('a TLS report without a domain', () => {
  const mail = `From: a@b.example\r\nContent-Type: application/json\r\n\r\n${tlsReport}`;
  it.each<[string, (domain: string) => [text: string, name: string]]>([
    ['the file name contains', domain => [mail, `receiver!${domain}!1!2.eml`]],
    ['the mail around it names', domain => [`TLS-Report-Domain: ${domain}\r\n${mail}`, 'a.eml']],
  ])('is read again if %s another domain', async (_, toMail) => {
    const seen = new Map<string, number>();
    const domains: string[] = [];
    for (const domain of ['one.example', 'two.example', 'one.example']) {
      const mails = new KnownMails(USUAL_READING, seen);
      const [text, name] = toMail(domain);
      const { records } = await importBytes(text, { seen: mails }, { name });
      domains.push(...records.map(record => record.domain));
      for (const [digest, count] of mails.read) seen.set(digest, count);
    }
    expect(domains).toEqual(['one.example', 'two.example']);
  });
});

describe('an unsupported format', () => {
  const attached = (bytes: Uint8Array | string, name = 'report', type = 'application/octet-stream') =>
    mailWith({ bytes, name, type });
  const latin1 = (text: string) => Buffer.from(`${text}${'x'.repeat(50)}`, 'latin1');
  it.each<[string, string, string]>([
    [
      'TNEF',
      attached(latin1('x\x9f>"'), 'winmail.dat'),
      'winmail.dat is a TNEF attachment of Outlook (winmail.dat): unpack it with "tnef"',
    ],
    [
      'a .msg',
      attached(latin1('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'a.msg'),
      'a.msg is an Outlook message (.msg): save it as .eml',
    ],
    ['S/MIME', attached('0', 'smime.p7m', 'application/pkcs7-mime'), 'smime.p7m is an S/MIME message'],
    ['PGP', attached('-----BEGIN PGP MESSAGE-----\n', 'a.asc'), 'a.asc is a message encrypted by PGP'],
    ['bzip2', attached(latin1('BZh91AY'), 'r.xml.bz2'), 'r.xml.bz2 is bzip2: decompress it with "bunzip2"'],
    ['xz', attached(latin1('\xfd7zXZ\0'), 'r.xml.xz'), 'r.xml.xz is xz: decompress it with "unxz"'],
    ['7-Zip', attached(latin1("7z\xbc\xaf'\x1c"), 'r.7z'), 'r.7z is a 7z archive: unpack it with "7z x"'],
    ['Zstandard', attached(latin1('(\xb5/\xfd'), 'r.zst'), 'r.zst is Zstandard: decompress it with "unzstd"'],
    ['RAR', attached(latin1('Rar!\x1a\x07'), 'r.rar'), 'r.rar is a RAR archive: unpack it with "unrar x"'],
    ['uuencode', attached('begin 644 r.xml\nM', 'r.uue'), 'r.uue is uuencode: decode it with "uudecode"'],
  ])('is named in an attachment: %s', async (_, mail, detail) => {
    const { records, skipped } = await importBytes(mail);
    expect(records).toEqual([]);
    expect(skipped).toEqual([`file, attachment 1 is in an unsupported format: ${detail}`]);
  });

  it('is named for uuencode in the text of a mail', async () => {
    const { skipped } = await importBytes(
      `${head}\r\nA report:\r\n\r\nbegin 644 r.xml.gz\r\nM\r\n\`\r\nend\r\n`,
    );
    expect(skipped).toEqual(['file, text is in an unsupported format: uuencode: decode it with "uudecode"']);
  });

  it('is named even if another report of the mail is read', async () => {
    const found = await importBytes(mailWith({ bytes: report }, { bytes: latin1('BZh91AY'), name: 'r.bz2' }));
    expect(found.records).toHaveLength(2);
    expect(found.skipped).toEqual([
      'file, attachment 2 is in an unsupported format: r.bz2 is bzip2: decompress it with "bunzip2"',
    ]);
  });

  it('is named for a file', async () => {
    const { skipped } = await importBytes(latin1('BZh91AY'));
    expect(skipped).toEqual(['file is in an unsupported format: bzip2: decompress it with "bunzip2"']);
  });

  it('is reported with the name of the attachment if it is unknown', async () => {
    const { skipped } = await importBytes(attached('\0\u0001?', 'report.dat'));
    expect(skipped).toEqual(['file is a mail without a report: none is in attachment 1 (report.dat)']);
  });
});

it.each<[string, Uint8Array | string]>([
  ['a gzip', gzip(report)],
  ['a zip', toZip({ name: 'r.xml', bytes: report })],
  ['JSON', tlsReport],
  ['a list', `[${tlsReport}]`],
  ['XML after a byte order mark', `\u{feff}\r\n${report}`],
])('an attachment without encoding, declared as base64, is read: %s', async (_, bytes) => {
  const [before, after] = multipart(part('Content-Transfer-Encoding: base64', '|')).split('|');
  const mail = Buffer.concat([Buffer.from(before!), Buffer.from(bytes), Buffer.from(after!)]);
  const { records, skipped } = await importBytes(mail);
  expect([records.length > 0, skipped]).toEqual([true, []]);
});

it('a mail without a report names at most five attachments that could be one', async () => {
  const read = async (...attachments: Parameters<typeof mailWith>) =>
    (await importBytes(mailWith(...attachments))).skipped[0];
  const types = [
    'image/png',
    'audio/ogg',
    'video/mp4',
    'font/woff',
    'text/html',
    'text/calendar',
    'text/vcard',
  ];
  const ordinary = [...types, 'text/x-vcard', 'application/pgp-signature'].map(type => ({
    bytes: 'x',
    type,
  }));
  expect(await read(...ordinary)).toBe('file is a mail without a report');
  const names = ['a\tb', 'c'.repeat(101), 'd', 'e', 'f', 'g'];
  expect(await read(...ordinary.slice(0, 1), ...names.map(name => ({ bytes: 'x', name })))).toBe(
    `file is a mail without a report: none is in attachment 2 (a\u{fffd}b), attachment 3 (${'c'.repeat(100)}), ` +
      'attachment 4 (d), attachment 5 (e), attachment 6 (f)',
  );
});

it.each([
  ...['Return-Path', 'Received', 'From', 'To', 'Cc', 'Date', 'Subject', 'Message-ID', 'MIME-Version'],
  ...['Content-Type', 'Content-Transfer-Encoding', 'Delivered-To', 'DKIM-Signature', 'Reply-To', 'Sender'],
  ...['Authentication-Results', 'ARC-Seal', 'X-Y', 'TLS-Report-Domain', 'Authentication-Results-Original'],
])('a text with the header field %s is a mail', async name => {
  for (const head of [`${name}: x`, `Odd: x\r\n${name.toUpperCase()} : x`])
    expect((await importBytes(`${head}\r\n\r\nhello`)).skipped).toEqual(['file is a mail without a report']);
  expect((await importBytes(`Odd: x\r\n\r\n${name}: x`)).skipped).toEqual(['file is in an unknown format']);
});

it.each([
  ['5d00008000', 'LZMA: decompress it with "unlzma"'],
  ['04224d18', 'LZ4: decompress it with "unlz4"'],
  ['1f9d', 'compress: decompress it with "uncompress"'],
  ['1fa0', 'compress: decompress it with "uncompress"'],
  ['4c5a4950', 'lzip: decompress it with "lunzip"'],
  ['4d534346', 'a cabinet (CAB): unpack it with "cabextract"'],
  ['2142444e', 'an Outlook data file (.pst): export it with "readpst"'],
  ['255044462d', 'PDF'],
  ['89504e470d0a1a0a', 'a PNG image'],
  ['ffd8ff', 'a JPEG image'],
  ['47494638', 'a GIF image'],
  ['626567696e2d62617365363420363434207820', 'uuencode: decode it with "uudecode"'],
])('an unsupported file is named by its first bytes: %s', async (hex, format) => {
  const { skipped } = await importBytes(Buffer.concat([Buffer.from(hex, 'hex'), Buffer.from('9a')]));
  expect(skipped).toEqual([`file is in an unsupported format: ${format}`]);
});

it.each([
  ['another format', { format: 'dmarc' as const }],
  ['another action', { action: 'reportOnly' as const }],
  ['stripped queries', { stripQuery: true }],
  ['other bounds', { bounds: { ...DEFAULT_BOUNDS, parts: 9 } }],
])('an imported mail is read again with %s', async (_, change) => {
  const first = new KnownMails(USUAL_READING, new Map());
  const mail = mailWith({ bytes: report });
  await importBytes(mail, { seen: first });
  const again = async (settings: object) =>
    (await importBytes(mail, { seen: new KnownMails({ ...USUAL_READING, ...settings }, first.read) })).records
      .length;
  expect([await again({}), await again(change)]).toEqual([0, 2]);
});

describe('what determines the records of a mail', () => {
  it('does not include the name of its file, unless that contains a domain', async () => {
    const digestsOf = async (name: string) => {
      const seen = new KnownMails(USUAL_READING, new Map());
      await importBytes(mailWith({ bytes: aggregateXml() }), { seen }, { name });
      return [...seen.read.keys()].sort();
    };
    const digests = await digestsOf('1.eml');
    expect(digests.map(digest => Buffer.from(digest, 'base64').length)).toEqual([16, 16]);
    for (const name of ['2.eml', 'a!b', 'a!!b']) expect(await digestsOf(name)).toEqual(digests);
    for (const name of ['a!b!c', 'a!c!c']) expect(await digestsOf(name)).not.toEqual(digests);
    expect(await digestsOf('a!b!c')).toEqual(await digestsOf('x!b!d'));
    expect(await digestsOf('a!b!c')).not.toEqual(await digestsOf('a!c!c'));
  });

  it('includes the name of an attachment', async () => {
    const count = async (...names: string[]) => {
      const seen = new KnownMails(USUAL_READING, new Map());
      await importBytes(toMbox(...names.map(name => mailWith({ bytes: aggregateXml(), name }))), { seen });
      return seen.read.size;
    };
    expect(await count('a', 'a')).toBe(2);
    expect(await count('a', 'b')).toBe(4);
  });
});
