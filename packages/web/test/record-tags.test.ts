import { describe, expect, it } from 'vitest';
import { readTag, withTag } from '../src/app/browser/views/mail-policy/record-tags.ts';

const RECORD = 'v=DMARC1; P = none ;odd; rua=mailto:a@b.example?x=y;';

describe('a tag of a DMARC record', () => {
  it.each([
    ['p', 'none'],
    ['rua', 'mailto:a@b.example?x=y'],
    ['sp', ''],
    ['odd', ''],
  ])('%s is %j', (tag, value) => {
    expect(readTag(RECORD, tag)).toBe(value);
  });

  it.each([
    ['p', 'reject', 'v=DMARC1; p=reject; odd; rua=mailto:a@b.example?x=y'],
    ['p', '', 'v=DMARC1; odd; rua=mailto:a@b.example?x=y'],
    ['sp', 'none', 'v=DMARC1; p=none; odd; rua=mailto:a@b.example?x=y; sp=none'],
    ['sp', '', 'v=DMARC1; p=none; odd; rua=mailto:a@b.example?x=y'],
  ])('%s can be set to %j', (tag, value, record) => {
    expect(withTag(RECORD, tag, value)).toBe(record);
  });
});
