import { BadLine } from './bad-line.ts';

/** Maximum nesting of objects and lists in a line. Records need at most four levels. */
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
 * Parses JSON and, unlike `JSON.parse`, refuses an object with two equal names.
 * @throws {BadLine} for invalid JSON (RFC 8259)
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadLine('', 'is not JSON');
  }
}

/**
 * Checks quickly whether a JSON text is the shortest for its value. If so, no object repeats a name and no character is
 * escaped by number, because both would make the text longer. Returns false if this is unknown.
 * @param quotes minimum number of quotation marks in the value's texts, each of which is escaped
 */
export function isShortest(text: string, value: unknown, quotes: number): boolean {
  return text.length === quotes + shortest(value, DEEPEST);
}

/** Returns the minimum length of a value's text; NaN if unknown. */
function shortest(value: unknown, levels: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value === 'number') return countDigits(value);
  if (typeof value !== 'object' || value === null) return value === false ? 5 : 4;
  if (levels === 0) return Number.NaN;
  let length = 1;
  if (Array.isArray(value)) for (const item of value) length += shortest(item, levels - 1) + 1;
  else
    for (const name in value)
      length += name.length + shortest((value as Record<string, unknown>)[name], levels - 1) + 4;
  return length === 1 ? 2 : length;
}

/**
 * Returns the size of a value as JSON in bytes of UTF-8. Escapes are not counted, and every number counts as eight
 * bytes.
 */
export function measureJson(value: unknown, levels = DEEPEST + 1): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2;
  if (typeof value !== 'object' || value === null) return 8;
  if (levels === 0) return Number.NaN;
  let bytes = 2;
  for (const name in value) {
    if (!Array.isArray(value)) bytes += Buffer.byteLength(name) + 3;
    bytes += measureJson((value as Record<string, unknown>)[name], levels - 1) + 1;
  }
  return bytes;
}

/** Returns the minimum length of a number, which can be shorter with an exponent. */
function countDigits(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) return Number.NaN;
  if (value < 1000) return value < 10 ? 1 : value < 100 ? 2 : 3;
  return value % 1000 === 0 ? Number.NaN : String(value).length;
}

/**
 * Requires that no object repeats a name.
 * @throws {BadLine} if one does, or if the text has more than 20 levels
 */
export function requireSingleNames(text: string, value: unknown): void {
  // A repeated name leaves more strings in the text than in the value. Comparing the counts is faster than checking
  // each name.
  if (countStrings(text) !== stringsIn([value], DEEPEST + 1)) examine(text);
}

/** Returns the number of strings in a JSON text, including names. */
function countStrings(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', skipText(text, at))) count++;
  return count;
}

/** Returns the number of strings in a value, including names; NaN if the value is nested too deeply. */
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

/** Returns the position after the string that begins at the given one. */
function skipText(text: string, position: number): number {
  let end = text.indexOf('"', position + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

/** True if the position is preceded by an odd number of backslashes. */
function isEscaped(text: string, position: number): boolean {
  if (text.charCodeAt(position - 1) !== BACKSLASH) return false;
  let start = position;
  while (text.charCodeAt(start - 1) === BACKSLASH) start--;
  return (position - start) % 2 === 1;
}

/**
 * Returns the position after white space. In valid JSON, every character up to U+0020 between tokens is white space.
 */
function skipSpace(text: string, from: number): number {
  let position = from;
  while (text.charCodeAt(position) <= SPACE) position++;
  return position;
}

/** An incomplete object or list. */
interface Level {
  /** The names of an object so far. */
  names: Set<string> | undefined;
  /** The name of the current field, or the index of the item. */
  place: string | number;
}

/**
 * Scans a valid JSON text.
 * @throws {BadLine} for the first problem
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
  if (level.names!.has(name)) throw new BadLine(formatPath(levels), 'occurs twice in its object');
  level.names!.add(name);
}

/** Formats the path of a field, such as `members[2].role`. */
function formatPath(levels: readonly Level[]): string {
  return levels
    .map(({ names, place }, index) => (names ? `${index === 0 ? '' : '.'}${place}` : `[${place}]`))
    .join('');
}
