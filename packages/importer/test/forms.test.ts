import { expect, it } from 'vitest';
import { describeCall, groupOutcomes, type Outcome } from '../../../test/support/group-outcomes.ts';
import { detectForm, unsupportedFormat } from '../src/forms.ts';
import { unsupportedPart } from '../src/unsupported.ts';
import { toTar } from './archives.ts';
import { gzip, toZip } from './reports.ts';

const hex = (text: string) => Buffer.from(text, 'hex');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

const FIELDS =
  'Return-Path Received From To Cc Date Subject Message-ID MIME-Version Content-Type Content-Transfer-Encoding ' +
  'Delivered-To DKIM-Signature Reply-To Sender Authentication-Results ARC-Seal X-Y TLS-Report-Domain ' +
  'Authentication-Results-Original Bcc Resent-From X- List-Id';

const tar = toTar([{ name: 'r.xml', bytes: '<feedback/>' }]);
const withSum = (sum: string) => {
  const header = Buffer.from(tar);
  header.write(sum.padEnd(8, '\0'), 148, 'latin1');
  return header;
};
const withoutName = toTar([{ name: '', bytes: '<feedback/>' }]);
const sumOfTar = tar.toString('latin1', 148, 154);

const BYTES: readonly [name: string, bytes: Buffer][] = [
  ['gzip', gzip('x')],
  ['one byte of gzip', hex('1f')],
  ['compress', hex('1f9d')],
  ['zip', toZip({ name: 'a', bytes: 'x' })],
  ['empty zip', hex('504b0506')],
  ['part of a split zip', hex('504b0708')],
  ['zip without its third byte', hex('504b')],
  ['tar', tar],
  ['tar with its sum in spaces', withSum(`  ${sumOfTar.replace(/^0+/, '')} `)],
  ['tar with another sum', withSum('000000')],
  ['tar without a sum', withSum('')],
  ['tar without a name', withoutName],
  ['the end of a tar', Buffer.alloc(1024)],
  ['511 bytes of a tar', tar.subarray(0, 511)],
  ['512 bytes of a tar', tar.subarray(0, 512)],
  ['DER of one byte of length', hex('30813030')],
  ['DER of two bytes of length', hex('3082000030')],
  ['DER of three bytes of length', hex('308300000030')],
  ['DER of four bytes of length', hex('30840000000030')],
  ['DER with a number', hex('3082000002')],
  ['DER without a value', hex('30820000')],
  ['UTF-16 JSON', utf16('{"a":1}')],
  ['UTF-16 JSON with a mark', utf16('\u{feff}{"a":1}')],
  ['big-endian UTF-16 JSON', utf16('{"a":1}').swap16()],
  ['big-endian UTF-16 JSON with a mark', utf16('\u{feff}{"a":1}').swap16()],
  ['UTF-16 XML', utf16('\u{feff}<?xml version="1.0"?><feedback>')],
  ['UTF-16 mail', utf16('From: a@b.example\r\n\r\n')],
  ['UTF-8 with a mark', Buffer.from('\u{feff}{"a":1}')],
  ['UTF-8 XML with a mark', Buffer.from('\u{feff}<feedback>')],
  ['two marks', Buffer.from('\u{feff}\u{feff}{"a":1}')],
  ['zero bytes', Buffer.from('log \0 {')],
];

const TEXTS: readonly string[] = [
  ...['{', '[', ' \n{', ',{', ' , [', '\u001e{"a":1}', '\u001e\u001e{', '}', '"a"', '1', 'null'],
  ...['[20/Nov/2026:10:00:00 +0000] x', '[Fri Nov 20 10:00:00 2026] x', '[2026-11-20T10:00:00Z] x'],
  ...['[2026]', '[2026,1]', '[error] x', '[ab cd]', '[Mon/1]', '[true]', '[null ]', '[true ,1]'],
  ...['<13>1 2026-11-20T10:00:00Z x', '<191>x', '<1911>x', '<>x', '<a>x', '<13 >'],
  ...['<feedback>', '<feedback/>', '<feedback\n', '<feedback', '<FEEDBACK>', '<feedbacks>', '<a:feedback >'],
  ...[
    '<?xml version="1.0"?><r><feedback>',
    '<html>',
    `<${'n'.repeat(64)}:feedback>`,
    `<${'n'.repeat(65)}:feedback>`,
  ],
  ...['x <feedback>', 'text with {', 'text with [', 'text with %7B', 'text with %5b', 'text with %7D'],
  ...['time=1', 'level=info x', 'uptime=1', 'downlevel=1', 'a time = 1', 'plain text', ''],
  ...['From a 10:00 2026\n', 'From \n', 'From\n', 'From\r\n', 'From', 'Fromage\n', '>From a\nTo: b\n\nx'],
  ...['>>From a\n\n>From b\nTo: c', '>From a\n', '\n\nFrom a\n', '\nTo: a'],
  ...FIELDS.split(' ').map(name => `${name}: x\n\n`),
  ...[
    'subject : x',
    'Odd: x\nSubject: y\n\n',
    'Odd: x\n\nSubject: y\n',
    'Odd x\nSubject: y\n\n',
    ': x\nTo: y',
  ],
  ...['Odd: x\r\nTo: y\r\n\r\n', 'Odd: x\r\n\r\nTo: y\r\n', 'Ödd: x\nTo: y'],
  ...['org_name,report_id', '"org_name","report_id"\n', 'report_id,x,org_name\n1', 'org_name;report_id'],
  ...['organization_name,report_id', 'feedback_type,arrival_date', 'org_name,\nreport_id', 'org_name'],
  ...['-----BEGIN CERTIFICATE-----', 'x\n-----BEGIN CERTIFICATE-----\n', '-----BEGIN PUBLIC KEY-----'],
  ...['Subject: x\n\n-----BEGIN CERTIFICATE-----', 'H4sIAAAA', ' \nH4sIAAAA\r\n', 'H4sI A=', 'H4sI,', 'H4sJ'],
  ...['UEsDBA', 'PD94bWwg', 'PGZlZWRiYWNr', 'eyJhIjox', 'ewoi', 'ewogIHs', 'W3sib', 'W10', 'PGh0bWw'],
  ...[
    'begin 644 x',
    '  begin 0644 x',
    'begin-base64 644 x',
    'begin 64 x',
    'begin 644',
    'begin 888 x',
    '\nbegin 644 x',
  ],
  ...['%PDF-1.4', 'GIF89a', 'GIF87a', 'GIF', 'BZh9', 'LZIP', 'MSCF', '!BDN', 'Rar!\x1a\x07\x00'],
];

const BEGINS =
  'fd377a585a00 fd377a585a01 5d00008000 28b52ffd 04224d18 1f9d90 1fa0 377abcaf271c d0cf11e0a1b11ae1 789f3e22 ' +
  '89504e470d0a1a0a ffd8ff ffd8fe 474946383961';

const describeForm = (bytes: Buffer) => {
  const form = detectForm(bytes);
  return form ?? `unknown${describeFormat(unsupportedFormat(bytes))}`;
};
const describeFormat = (format: string | undefined) => (format === undefined ? '' : `, but ${format}`);

it('formats are recognized by their first bytes', async () => {
  const bytes: (readonly [string, Buffer])[] = [
    ...BYTES,
    ...TEXTS.map(text => [JSON.stringify(text), Buffer.from(text, 'latin1')] as const),
    ...BEGINS.split(' ').map(begin => [begin, hex(begin)] as const),
  ];
  const outcomes = bytes.map(([name, head]): Outcome => [name, describeCall(() => describeForm(head))]);
  await expect(groupOutcomes(outcomes)).toMatchFileSnapshot('./recorded/forms.txt');
});

it('parts in other formats are recognized by their first bytes, or else by their type', async () => {
  const texts = [
    ...['-----BEGIN PGP MESSAGE-----', ' \n-----BEGIN PGP MESSAGE-----', '-----BEGIN PGP SIGNATURE-----'],
    ...['-----BEGIN PKCS7-----', '-----BEGIN CMS-----', '=ybegin line=1', 'x\n=ybegin line=1'],
    ...['(This file must be converted with BinHex 4.0)', 'BZh9', '%PDF-1.4', '\x89PNG\r\n\x1a\n', 'GIF89a'],
    ...[
      'Hello,\n\nbegin 644 r.zip\nM',
      'Hello, begin 644 r.zip',
      'begin 644 r.zip',
      ' begin 644 r.zip',
      'Hello',
    ],
    ...[`${' '.repeat(200)}-----BEGIN CMS-----`, `${' '.repeat(240)}-----BEGIN CMS-----`],
  ];
  const types = [
    ...['application/octet-stream', 'application/pkcs7-mime', 'application/x-pkcs7-mime'],
    ...['application/pkcs7-signature', 'application/ms-tnef', 'application/vnd.ms-outlook'],
    ...['application/pgp-encrypted', 'application/pgp-signature', 'x/application/ms-tnef'],
  ];
  const outcomes: Outcome[] = [];
  for (const text of texts)
    for (const isText of [true, false]) {
      const format = unsupportedPart(Buffer.from(text, 'latin1'), 'application/x', isText);
      outcomes.push([
        `${JSON.stringify(text.replace(/ {9,}/, spaces => `(${spaces.length} spaces)`))} ${isText ? 'as text' : 'attached'}`,
        String(format),
      ]);
    }
  for (const type of types)
    for (const isText of [true, false]) {
      const format = unsupportedPart(Buffer.from('Hello'), type, isText);
      outcomes.push([`${type}${isText ? ' as text' : ''}`, String(format)]);
    }
  await expect(groupOutcomes(outcomes)).toMatchFileSnapshot('./recorded/other-forms.txt');
});
