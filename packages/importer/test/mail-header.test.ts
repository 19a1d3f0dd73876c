import { describe, expect, it } from 'vitest';
import { MailHeader } from '../src/containers/mail-header.ts';

function toHeader(...lines: string[]): MailHeader {
  const header = new MailHeader();
  for (const line of lines) header.add(line);
  return header;
}

describe('a field of a mail', () => {
  it.each([
    ['its value', ['Subject: one: two'], 'one: two'],
    ['continuation lines', ['subject : one', '\ttwo', '  three'], 'one\ttwo  three'],
    ['the first of several', ['Subject: one', 'Subject: two', ' three'], 'one'],
    ['nothing', ['Subject:', 'Subject: two'], ''],
    ['a continuation of nothing', ['Subject:', ' one'], 'one'],
    ['its value after a line that has it in its middle', ['my Subject: x', 'Subject: one'], 'one'],
    ['nothing if it is absent', ['Subjects: x', ' Subject: y', 'no field'], ''],
    ['its value after a line that is none', ['Sub ject: x', 'Subject: one', 'what?'], 'one'],
    ['no other field', ['X: y', 'Subject: one', 'Z: z'], 'one'],
  ])('has %s', (_, lines, value) => {
    expect(toHeader(...lines).value('subject')).toBe(value);
  });

  it('is ignored behind a megabyte', () => {
    const long = ` ${'x'.repeat(1023)}`;
    const header = toHeader(
      'Subject: x',
      ...Array.from({ length: 1023 }, () => long),
      'From: a',
      long,
      'To: b',
    );
    expect([header.value('from'), header.value('to')]).toEqual(['a', '']);
  });

  it.each([
    ['Text/Plain; charset=utf-8', 'text/plain'],
    [' application/ZIP ', 'application/zip'],
    ['text/xml ; charset=utf-8; x=y', 'text/xml'],
    ['', ''],
  ])('%j has the word %j', (value, word) => {
    expect(toHeader(`Content-Type: ${value}`).word('content-type')).toBe(word);
  });
});

describe('the name of an attachment', () => {
  it.each([
    ['attachment; filename=report.xml', 'report.xml'],
    ['attachment; size=1;FileName = "a; b.xml" ; x=y', 'a; b.xml'],
    ['attachment; filename="a\\"b\\\\c.xml"', 'a"b\\c.xml'],
    ['attachment; filename="unclosed.xml', 'unclosed.xml'],
    ['attachment; filename=one; filename=two', 'one'],
    ['attachment; xfilename=other', ''],
    ['attachment', ''],
    ["attachment; filename*=utf-8'en'a%20%C3%A9.xml", 'a é.xml'],
    ["attachment; filename*=''b%2.xml", 'b%2.xml'],
    ['attachment; filename*0=one; filename*1=".two"; filename*2=.xml', 'one.two.xml'],
    ["attachment; filename*0*=utf-8''%C3; filename*1*=%A9; filename*2=.xml", 'é.xml'],
    ['attachment; filename*1=.two; filename*0=one', 'one.two'],
    ['attachment; filename*0=one; filename*2=three', 'one'],
    ["attachment; filename=plain; filename*=''encoded", 'plain'],
    ['attachment; filename="=?utf-8?B?w6kueG1s?="', 'é.xml'],
    ['attachment; filename="=?UTF-8?q?a_=C3=A9.xml?="', 'a é.xml'],
    ['attachment; filename="=?utf-8?x?abc?="', '=?utf-8?x?abc?='],
    [
      'attachment; filename="a!=?utf-8?q?shop=2eexa?=\t =?utf-8?b?bXBsZQ==?=!1 =?utf-8?q?=c3=a9?="',
      'a!shop.example!1 é',
    ],
    ["attachment; filename*=''%c3%a9.xml", 'é.xml'],
    ["attachment; filename*0*=''a; filename*1*=b'c'd.xml", "ab'c'd.xml"],
    ['attachment; filename="\xc3\xa9.xml"', 'é.xml'],
  ])('of %j is %j', (value, name) => {
    expect(toHeader(`Content-Disposition: ${value}`).parameter('content-disposition', 'filename')).toBe(name);
  });
});
