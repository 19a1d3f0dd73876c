import { describe, expect, it } from 'vitest';
import type { Element } from '../src/dmarc/element.ts';
import { PartParser } from '../src/dmarc/part-parser.ts';
import { FeedbackSplitter, type Piece } from '../src/dmarc/splitter.ts';
import { importBytes, metadataXml, policyXml, recordXml } from './reports.ts';

/** Splits a text that arrives in chunks of this length. */
function split(text: string, length = text.length, isWhole = true): string[] {
  const splitter = new FeedbackSplitter();
  const pieces: Piece[] = [];
  for (let at = 0; at < text.length; at += length) pieces.push(...splitter.push(text.slice(at, at + length)));
  return [...pieces, ...splitter.end(isWhole)].map(toLine);
}

function toLine(piece: Piece): string {
  if (piece.kind === 'begin') return 'begin';
  if (piece.kind === 'end') return `end: ${piece.fault ?? 'well-formed'}`;
  return `${piece.isCut ? 'cut ' : ''}${piece.name}: ${piece.text}`;
}

const TEXT =
  '<!-- <feedback> --><record>before</record><feedback/><x:Feedback a="b"><policy_published />' +
  '<record>1<![CDATA[</record><record>]]></record ><record>2<!--</record>-->3<report_metadata>m</record>' +
  '</report_metadata><records/></x:feedback><record/><feedback><record <record>4</record>' +
  '<record>5<!-- 6</record><record>7<![CDATA[8</record>';

describe('the parts of aggregate reports', () => {
  it('are found by their tags outside of comments', () => {
    expect(split(TEXT)).toEqual([
      'begin',
      'end: well-formed',
      'begin',
      'policy_published: <policy_published />',
      'record: <record>1<![CDATA[</record><record>]]></record >',
      'cut record: <record>2<!--</record>-->3',
      'report_metadata: <report_metadata>m</record></report_metadata>',
      'end: well-formed',
      'begin',
      'cut record: <record ',
      'record: <record>4</record>',
      'record: <record>5<!-- 6</record>',
      'record: <record>7<![CDATA[8</record>',
      'end: no ]]>',
    ]);
  });

  it('are the same for each beginning of a text, in chunks of any length', () => {
    for (let end = 1; end <= TEXT.length; end++) {
      const text = TEXT.slice(0, end);
      const expected = split(text);
      for (const length of [1, 2, 5, 40])
        expect([end, length, split(text, length)]).toEqual([end, length, expected]);
    }
  });

  it('do not include those behind an open comment if the text could not be read to its end', () => {
    const text = '<feedback><record>1<!-- 2</record><record>3</record>';
    expect(split(text, 1, false)).toEqual([
      'begin',
      `cut record: ${text.slice(10)}`,
      'end: unclosed tag: feedback',
    ]);
    expect(split(text, 1)).toEqual([
      'begin',
      'record: <record>1<!-- 2</record>',
      'record: <record>3</record>',
      'end: no -->',
    ]);
  });

  it.each([
    ['has a tag that is too long', '<feedback><record', 64 * 1024],
    ['has a record that is too long', '<feedback><record>', 4 * 1024 * 1024 - '<record>'.length],
  ])('have a limit: %s', (refusal, begin, longest) => {
    const splitter = new FeedbackSplitter();
    splitter.push(begin + ' '.repeat(longest));
    expect(() => splitter.push(' ')).toThrow(refusal);
  });
});

/** Shows an element as `name(text, children)`; a `!` marks one without an end tag. */
function show({ name, text, children, isCut }: Element): string {
  return `${name}${isCut ? '!' : ''}(${[text, ...children.map(show)].filter(part => part !== '').join(', ')})`;
}

describe('the elements of a part', () => {
  it.each([
    ['<a>1</b>2</a>', 'a(12)', 'unmatched closing tag: b'],
    ['<a><b>1</c>2</a>', 'a(2, b(1))', 'unmatched closing tag: c'],
    ['<a><b>1<b><c>2</b>3</b>4</a>', 'a(4, b(13, b(c(2))))', 'unmatched closing tag: b'],
    ['<a><b><c>1</a>', 'a(b(c(1)))', 'unmatched closing tag: a'],
    ['<a><b>1', 'a!(b!(1))', 'unclosed tag: b'],
    ['<x:A><y:B/>1</z:a>', 'a(1, b())', undefined],
    ['<a>1<2>3</a>', 'a(1<23)', 'invalid tag: 2'],
    ['<a>1</a><b>2</b>', 'a(1)', undefined],
    ['', '()', undefined],
  ])('of %j are %s', (text, shown, fault) => {
    const { element, fault: found } = new PartParser(10).parse(text);
    expect([show(element), found]).toEqual([shown, fault]);
  });

  it('can be nested as deeply as allowed', () => {
    const parser = new PartParser(3);
    expect(parser.parse('<a><b><c/></b><d><e/></d></a>').elements).toBe(5);
    expect(() => parser.parse('<a><b><c><d/></c></b></a>')).toThrow('is nested too deeply');
    expect(show(parser.parse('<a><b><c>1</c></b></a>').element)).toBe('a(b(c(1)))');
  });

  it('can be 10000 in each part', () => {
    const parser = new PartParser(3);
    const part = (count: number) => `<a>${'<b/>'.repeat(count - 1)}</a>`;
    for (let time = 0; time < 2; time++) expect(parser.parse(part(10_000)).elements).toBe(10_000);
    expect(() => parser.parse(part(10_001))).toThrow('has too many elements in a record');
  });
});

it.each([
  [8, 8, []],
  [9, 0, ['file has no date range']],
])('of %i records of 2 MB in memory before the metadata, %i are read', async (count, read, reasons) => {
  const record = recordXml().replace('</record>', `${'<a/>'.repeat(9900)}</record>`);
  const { records, skipped } = await importBytes(
    `<feedback>${policyXml}${record.repeat(count)}${metadataXml()}</feedback>`,
  );
  expect([records.length, skipped]).toEqual([read, reasons]);
});
