import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, for `fc.string({ unit })`. It is what fast-check has as the unit "binary", which makes a map
 * of a million characters in each process first.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map(characterOf, placeOf);

function characterOf(place: number): string {
  return String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count);
}

/** Where fast-check looks for a character: it knows texts that break programs, and tries them, too. */
function placeOf(character: unknown): number {
  if (typeof character !== 'string' || [...character].length !== 1) throw new Error('no character');
  const point = character.codePointAt(0)!;
  return point < SURROGATES.first ? point : point - SURROGATES.count;
}
