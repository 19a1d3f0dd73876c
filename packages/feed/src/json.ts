import { BadLine } from './bad-line.ts';

/** Levels of objects and lists in a line; the line itself is the first. No record has more than four. */
const DEEPEST = 20;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * The value of a JSON text, like `JSON.parse`, which keeps the last of two equal names of an object in silence.
 * @throws {BadLine} for what is no JSON (RFC 8259)
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadLine('', 'is not JSON');
  }
}

/**
 * True if no text of this value can be shorter. Then no name stands twice in an object, and no character is written by
 * its number: either would make the text longer. False where that is not sure. To know it takes a twentieth of the time
 * that looking at the text does.
 * @param quotes within the value's texts, at least: each is written with a backslash
 */
export function isShortest(text: string, value: unknown, quotes: number): boolean {
  return text.length === quotes + shortest(value, DEEPEST);
}

/** The characters that a value takes at least; not a number where that is not sure. */
function shortest(value: unknown, levels: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value === 'number') return digitsOf(value);
  if (typeof value !== 'object' || value === null) return value === false ? 5 : 4;
  if (levels === 0) return Number.NaN;
  let length = 1;
  if (Array.isArray(value)) for (const item of value) length += shortest(item, levels - 1) + 1;
  else
    for (const name in value)
      length += name.length + shortest((value as Record<string, unknown>)[name], levels - 1) + 4;
  return length === 1 ? 2 : length;
}

/** An exponent makes some numbers shorter, such as thousands. */
function digitsOf(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) return Number.NaN;
  if (value < 1000) return value < 10 ? 1 : value < 100 ? 2 : 3;
  return value % 1000 === 0 ? Number.NaN : String(value).length;
}

/**
 * @throws {BadLine} for a JSON text that is nested more than 20 deep, or has a name twice in one object
 */
export function requireSingleNames(text: string, value: unknown): void {
  // The text has more strings, names among them, than the value, where one of two equal names was dropped. Counting both
  // costs less than looking at each name.
  if (stringsOf(text) !== stringsIn([value], DEEPEST + 1)) examine(text);
}

/** Counts the strings of a JSON text, names among them. */
function stringsOf(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', skipText(text, at))) count++;
  return count;
}

/** Counts the strings of fields or items, names among them; not a number where they are nested deeper. */
export function stringsIn(value: object, levels = DEEPEST): number {
  if (levels === 0) return Number.NaN;
  const isList = Array.isArray(value);
  let count = 0;
  for (const name in value) {
    const item = (value as Record<string, unknown>)[name];
    if (!isList) count++;
    if (typeof item === 'string') count++;
    else if (typeof item === 'object' && item !== null) count += stringsIn(item, levels - 1);
  }
  return count;
}

/** The position behind a string that begins at this one. */
function skipText(text: string, position: number): number {
  let end = text.indexOf('"', position + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

/** True if an odd number of backslashes stands before the position. */
function isEscaped(text: string, position: number): boolean {
  if (text.charCodeAt(position - 1) !== BACKSLASH) return false;
  let start = position;
  while (text.charCodeAt(start - 1) === BACKSLASH) start--;
  return (position - start) % 2 === 1;
}

/** JSON's white space is all of what is not above the space in a text that is JSON. */
function skipSpace(text: string, from: number): number {
  let position = from;
  while (text.charCodeAt(position) <= SPACE) position++;
  return position;
}

/** An object or a list that was begun and has not ended. */
interface Level {
  /** The names of an object so far. */
  names: Set<string> | undefined;
  /** The name of the present field, or the number of the item. */
  place: string | number;
}

/**
 * Reads the whole text, which is JSON.
 * @throws {BadLine} for the first thing that is not in order
 */
function examine(text: string): void {
  const levels: Level[] = [];
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position);
    const level = levels.at(-1);
    if (code === QUOTE) {
      const end = skipText(text, position);
      if (level?.names && text.charCodeAt(skipSpace(text, end)) === COLON) {
        addName(level, JSON.parse(text.slice(position, end)), levels);
      }
      position = end - 1;
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      if (levels.length === DEEPEST) throw new BadLine('', `is nested more than ${DEEPEST} deep`);
      levels.push({ names: code === OPEN_OBJECT ? new Set() : undefined, place: 0 });
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      levels.pop();
    } else if (code === COMMA && level && !level.names) {
      level.place = Number(level.place) + 1;
    }
  }
}

function addName(level: Level, name: string, levels: readonly Level[]): void {
  level.place = name;
  if (level.names!.has(name)) throw new BadLine(pathOf(levels), 'stands twice in its object');
  level.names!.add(name);
}

/** Such as `members[2].role`. */
function pathOf(levels: readonly Level[]): string {
  return levels
    .map(({ names, place }, index) => (names ? `${index === 0 ? '' : '.'}${place}` : `[${place}]`))
    .join('');
}
