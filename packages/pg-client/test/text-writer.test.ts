import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TextWriter } from '../src/index.ts';

const WRITERS = 4;
/** Lengths below, at and above the size at which a writer empties the scratch buffer. */
const lengths = fc.oneof(fc.nat(50), fc.constantFrom(30_000, 112 * 1024, 300_000));
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ writer: fc.nat(WRITERS - 1), length: lengths }) },
  { weight: 1, arbitrary: fc.record({ writer: fc.nat(WRITERS - 1), length: fc.constant(undefined) }) },
);

it('keeps texts apart that are written in turns', () => {
  const check = (steps: readonly { writer: number; length: number | undefined }[]) => {
    const writers = Array.from({ length: WRITERS }, () => new TextWriter());
    const expected = writers.map(() => '');
    for (const [index, { writer, length }] of steps.entries()) {
      if (length === undefined) {
        endText(writers[writer]!, expected[writer]!);
        writers[writer] = new TextWriter();
        expected[writer] = '';
        continue;
      }
      const text = `${index}é`.repeat(length / 4);
      expected[writer] += text;
      writers[writer]!.write(text);
    }
    for (const [index, writer] of writers.entries()) endText(writer, expected[index]!);
  };
  fc.assert(fc.property(fc.array(step, { maxLength: 30 }), check), { numRuns: 60 });
});

it.each([
  ['characters of three bytes', '木'.repeat(100_000), 1],
  ['many parts', 'x'.repeat(80_000), 5],
])('keeps a long text of %s', (_, part, count) => {
  const writer = new TextWriter();
  for (let n = 0; n < count; n++) writer.write(part);
  endText(writer, part.repeat(count));
});

/** Ends a text and releases its memory. */
function endText(writer: TextWriter, expected: string): void {
  const { pieces, release } = writer.end();
  expect(Buffer.concat(pieces).toString() === expected).toBe(true);
  release();
}
