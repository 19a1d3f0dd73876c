import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any Unicode character, for `fc.string({ unit })`. Equivalent to fast-check's unit "binary", which would build a map
 * of a million characters in each process.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map(getCharacter, findPlace);

function getCharacter(place: number): string {
  return String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count);
}

/** Returns a character's position for fast-check, which also tries texts known to cause problems. */
function findPlace(character: unknown): number {
  if (typeof character !== 'string' || [...character].length !== 1) throw new Error('no character');
  const point = character.codePointAt(0)!;
  return point < SURROGATES.first ? point : point - SURROGATES.count;
}
