import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../test/support/programs.ts';
import { mboxMails } from '../src/containers/mbox.ts';
import { filesBelow } from '../src/files.ts';
import { aggregateXml, ids, importBytes, inParts, mailWith, recordXml } from './reports.ts';

const plain = (id: string, text = 'This is a report.') =>
  mailWith({ bytes: aggregateXml([{}], id) })
    .replaceAll('\r\n', '\n')
    .replace('This is a report {see below}.', text);
const MAILS = ['a', 'b', 'c'].map(id => plain(id));
const DATE = 'Sat Nov 21 10:00:00 2026';
const getBox = (separator: string, behind = '\n', mails = MAILS) =>
  mails.map(mail => `${separator}\n${mail}${behind}`).join('');
const reportIds = ({ records }: { records: { reportId: string }[] }) =>
  records.map(({ reportId }) => reportId);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-mailboxes-'));
});
afterAll(() => rm(folder, { recursive: true }));

const BOXES: [string, string][] = [
  ['with empty lines between mails', getBox(`From a@b.example ${DATE}`)],
  ['without empty lines', getBox(`From a@b.example ${DATE}`, '')],
  ['with bare separators', getBox('From ', '')],
  ["with Mozilla's separators", getBox(`From - ${DATE}`, '')],
  ['with a dash for sender and date', getBox('From - ', '')],
  ['with ISO 8601 dates', getBox('From a@b.example 2026-11-21T10:00:00+00:00', '')],
  ['with ISO 8601 dates without a time', getBox('From a@b.example 2026-11-21', '')],
  ['with time zones', getBox('From a@b.example Sat Nov 21 10:00:00 +0100 2026', '')],
  ['with a sender that contains spaces', getBox(`From "a b"@b.example ${DATE}`, '')],
  ['without a sender', getBox(`From ${DATE}`, '')],
  ['without a date', getBox('From MAILER-DAEMON', '')],
  ['with CRLF line endings', getBox(`From a@b.example ${DATE}`, '').replaceAll('\n', '\r\n')],
  ['without a final line break', getBox(`From a@b.example ${DATE}`, '').trimEnd()],
  ['with quoted separators before fields', getBox(`From a@b.example ${DATE}\n>From c@d.example ${DATE}`, '')],
  [
    'with lengths (mboxcl2)',
    getBox(
      `From a@b.example ${DATE}`,
      '',
      MAILS.map(mail => `Content-Length: 700\n${mail}`),
    ),
  ],
];

const hasPython = hasProgram('python3');
const COUNT = 'import mailbox, sys; print(*[len(mailbox.mbox(path)) for path in sys.argv[1:]])';

describe('an mbox', () => {
  it.each(BOXES)('is split into its mails %s', async (_, box) => {
    const found = await importBytes(box);
    expect(found.skipped).toEqual([]);
    expect(reportIds(found)).toEqual(['a', 'b', 'c']);
  });

  it.each([1, 2, 3, 7, 1023])('is split correctly for any chunk size: %i bytes', async length => {
    const box = Buffer.from(BOXES.map(([, text]) => `${text}\n`).join(''));
    const found = await importBytes(box, {}, { content: inParts(box, length) });
    expect(found.skipped).toEqual([]);
    expect(reportIds(found)).toEqual(BOXES.flatMap(() => ['a', 'b', 'c']));
  });

  // A single Python process counts the mails of all boxes, because starting it takes most of the time.
  it.runIf(hasPython)('contains as many mails as Python finds', { tags: 'slow' }, async () => {
    const boxes = BOXES.map(([name, box]) => ({
      name,
      box,
      path: join(folder, name.replaceAll(/\W/g, '-')),
    }));
    await Promise.all(boxes.map(({ path, box }) => writeFile(path, box)));
    const output = execFileSync('python3', ['-c', COUNT, ...boxes.map(({ path }) => path)], {
      encoding: 'utf8',
    });
    const counts = output.trim().split(' ');
    expect(boxes.map(({ name }, at) => [name, counts[at]])).toEqual(boxes.map(({ name }) => [name, '3']));
  });

  it.each([
    ['>From the desk', 'From the desk'],
    ['>>From the desk', '>From the desk'],
    ['>>>From the desk', '>>From the desk'],
    ['> From the desk', '> From the desk'],
    ['>Fromage', '>Fromage'],
  ])('contains lines that are quoted once for the separator: %j stands for %j', async (quoted, line) => {
    const xml = aggregateXml([{ xml: recordXml().replace('</row>', `</row>\n${quoted}\n`) }], 'a');
    const mail = `From: dmarc@receiver.example\nContent-Type: text/xml\n\n${xml}`;
    const { records, skipped } = await importBytes(getBox(`From a@b.example ${DATE}`, '', [mail]));
    expect(skipped).toEqual([]);
    expect(records.map(({ raw }) => raw.split('\n')[1])).toEqual([line]);
  });

  const second = (before: string) =>
    importBytes(
      `From a@b.example ${DATE}\nContent-Type: text/xml\n\n${aggregateXml([{}], 'a')}${before}: x\n\nhello`,
    );

  it.each([
    ...['From', 'From -', 'From MAILER-DAEMON', 'From c@d.example', 'From c 20261121T1000'],
    ...['From c 2026-11-21', 'From c 10:00 2026'],
  ])('contains another mail after the separator %j', async separator => {
    expect((await second(`${separator}\nSubject`)).skipped).toEqual([
      'file: mail 2 is a mail without a report',
    ]);
  });

  it.each([
    ...['Return-Path', 'Received', 'From', 'To', 'Cc', 'Date', 'Subject', 'Sender', 'Status', 'Lines'],
    ...['X-Y', 'Message-ID', 'X-A-B'],
  ])('contains another mail after a separator without an empty line before it if %s follows', async name => {
    expect((await second(`From c ${DATE}\n${name}`)).skipped).toEqual([
      'file: mail 2 is a mail without a report',
    ]);
  });

  it.each([
    ['\n', ['file: mail 2 is a mail without a report']],
    ['\r\n', ['file: mail 2 is a mail without a report']],
    ['', []],
  ])('contains another mail with any first field only after an empty line: %j', async (empty, skipped) => {
    expect((await second(`${empty}From c ${DATE}\nOdd`)).skipped).toEqual(skipped);
  });

  it.each([
    ['a byte order mark before its first field', `From c ${DATE}\n\u{feff}Subject`],
    ['a space after the name of its first field', `\nFrom c ${DATE}\nOdd `],
  ])('contains another mail with %s', async (_, begin) => {
    expect((await second(begin)).skipped).toEqual(['file: mail 2 is a mail without a report']);
  });

  it('contains another mail after a separator at its end', async () => {
    const { records, skipped } = await importBytes(`${getBox(`From a ${DATE}`, '')}From b ${DATE}\n`);
    expect([records.length, skipped]).toEqual([3, ['file: mail 4 is a mail without a report']]);
  });

  it.each([
    [289, []],
    [268, ['file: mail 2 is a mail without a report']],
  ])(
    'has separators whose date begins before character 300: %i characters before it',
    async (length, skipped) => {
      expect((await second(`From ${'c'.repeat(length)} ${DATE}\nSubject`)).skipped).toEqual(skipped);
    },
  );

  it('is closed if it is not read to its end', async () => {
    let isClosed = false;
    const content = async function* () {
      try {
        for (;;) yield Buffer.from(getBox(`From a ${DATE}`));
      } finally {
        isClosed = true;
      }
    };
    for await (const _ of mboxMails(content())) break;
    expect(isClosed).toBe(true);
  });

  it.each([
    'From the desk of Alice',
    '\nFrom the desk of Alice: hello',
    'From 10:00 to 12:00 in 2026 we are away.',
    '\nFrom 10:00 to 12:00 in 2026 we are away.\nSo long',
    `>From alice@example.org ${DATE}\nSubject: quoted`,
    'From\nhere on',
  ])('does not end a mail at a sentence that starts with "From": %j', async text => {
    const box = getBox(`From a@b.example ${DATE}`, '\n', [plain('a', text), plain('b', text)]);
    const found = await importBytes(box);
    expect(found.skipped).toEqual([]);
    expect(reportIds(found)).toEqual(['a', 'b']);
  });
});

describe('a mail', () => {
  it.each([
    ['a byte order mark', '\u{feff}'],
    ['empty lines', '\n \r\n\n'],
    ['a quoted separator', `>From a@b.example ${DATE}\n`],
    ['all of these', `\u{feff}\n>From a@b.example ${DATE}\n>From c@d.example ${DATE}\n\n`],
  ])('is read with %s before its first header field', async (_, before) => {
    const found = await importBytes(`${before}${plain('a')}`);
    expect(found.skipped).toEqual([]);
    expect(reportIds(found)).toEqual(['a']);
  });
});

describe('the files of certspotter', () => {
  const list = async (...names: string[]) => {
    const root = await mkdtemp(join(folder, 'certspotter-'));
    for (const name of names) await writeFile(join(root, name), `of ${name}`);
    const found = [];
    for await (const { name, sibling } of filesBelow(root, () => {})) found.push([name, sibling]);
    return found;
  };

  it.each<[string[], unknown[]]>([
    [['x.pem', 'x.txt', 'x.v1.json'], [['x.pem', { json: 'of x.v1.json', text: 'of x.txt' }]]],
    [['x.pem', 'x.v1.json'], [['x.pem', { json: 'of x.v1.json', text: '' }]]],
    [
      ['x.txt', 'x.v1.json'],
      [
        ['x.txt', undefined],
        ['x.v1.json', undefined],
      ],
    ],
    [
      ['x.pem', 'x.txt'],
      [
        ['x.pem', undefined],
        ['x.txt', undefined],
      ],
    ],
    [
      ['x.pem', 'y.txt', 'y.v1.json'],
      [
        ['x.pem', undefined],
        ['y.txt', undefined],
        ['y.v1.json', undefined],
      ],
    ],
  ])('%j are read together only if the certificate is among them', async (names, expected) => {
    expect(await list(...names)).toEqual(expected);
  });
});

describe('a maildir', () => {
  const read = async (files: Record<string, string>) => {
    const root = await mkdtemp(join(folder, 'maildir-'));
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), text);
    }
    const found = [];
    for await (const item of filesBelow(root, () => {})) {
      const { records, skipped } = await importBytes('', {}, { content: item.content });
      found.push(
        ...records.map(({ reportId }) => reportId),
        ...skipped.map(text => `${item.place.slice(root.length)} ${text}`),
      );
    }
    return found;
  };
  const inbox = { 'cur/1:2,S': plain('a'), 'new/2': plain('b'), 'tmp/3': plain('x') };

  it('is read together with its folders, including nested ones', async () => {
    const found = await read({
      ...inbox,
      '.DMARC/cur/1': plain('c'),
      '.DMARC/maildirfolder': '',
      '.INBOX.dmarc reports/new/1': plain('d'),
      '.Archive/.2026/cur/1': plain('e'),
      '.DMARC/tmp/1': plain('x'),
      'dovecot-uidlist': '3 V1',
    });
    expect(found.sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it.each([
    'maildirfolder',
    'maildirsize',
    'subscriptions',
    'courierimapuiddb',
    'dovecot.index',
    'uidvalidity',
  ])('is read without the file of the mail server, which is read elsewhere: %s', async name => {
    expect(await read({ ...inbox, [name]: plain('c') })).toEqual(['a', 'b']);
    expect(await read({ [name]: plain('c') })).toEqual(['c']);
  });

  it('reports hidden folders that contain no mails', async () => {
    const found = await read({ ...inbox, '.sieve/x': 'y' });
    expect(found).toEqual(['/.sieve file is a hidden folder without mails, and was skipped', 'a', 'b']);
  });

  it('is found in a hidden folder, while other hidden folders are skipped', async () => {
    expect(await read({ '.DMARC/cur/1': plain('c'), '.git/x': plain('x') })).toEqual(['c']);
  });
});

describe('a bounce', () => {
  const toBounce = (type: string, status: string, part: string) =>
    'From: mailer-daemon@example.org\nMIME-Version: 1.0\n' +
    `Content-Type: multipart/report; ${type}boundary=dsn\n\n--dsn\n\nUndelivered.\n--dsn\n` +
    `Content-Type: ${status}\n\nStatus: 5.1.1\n--dsn\n${part}\n--dsn--\n`;
  const whole = `Content-Type: message/rfc822\n\n${plain('a')}`;
  const SKIPPED_BOUNCE = ['file is a bounce or a receipt, and the mail in it is not counted'];

  it.each([
    ['a failed delivery', toBounce('report-type=delivery-status; ', 'message/delivery-status', whole)],
    ['one without a report type', toBounce('', 'message/delivery-status', whole)],
    ['one in capital letters', toBounce('report-type="Delivery-Status"; ', 'text/plain', whole)],
    [
      'a receipt',
      toBounce('report-type=disposition-notification; ', 'message/disposition-notification', whole),
    ],
    ['one for an international address', toBounce('', 'message/global-delivery-status', whole)],
    [
      'one with the report itself',
      toBounce('', 'message/delivery-status', `Content-Type: text/xml\n\n${aggregateXml()}`),
    ],
  ])('is reported without counting the report in it: %s', async (_, mail) => {
    const { records, skipped } = await importBytes(mail);
    expect(records).toEqual([]);
    expect(skipped).toEqual(SKIPPED_BOUNCE);
  });

  it('does not hide another report in the same mail', async () => {
    const bounce = toBounce('report-type=delivery-status; ', 'message/delivery-status', whole);
    const mail = mailWith({ bytes: bounce, type: 'message/rfc822' }, { bytes: aggregateXml([{}], 'own') });
    const found = await importBytes(mail);
    expect(reportIds(found)).toEqual(['own']);
    expect(found.skipped).toHaveLength(1);
    expect(ids(await importBytes(plain('a')))).toHaveLength(1);
  });
});
