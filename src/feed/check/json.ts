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
 * @throws {BadLine} for what is no JSON (RFC 8259), is nested more than 20 deep, or has a name twice in one object
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadLine('', 'is not JSON');
  }
  if (!isPlain(text, value)) examine(text);
  return value;
}

/**
 * Whether the text is seen at once to be in order: each name of the value stands in it once, in the same order. False
 * means nothing: then every character is looked at.
 */
function isPlain(text: string, value: unknown): boolean {
  return skipValue(text, 0, value, DEEPEST) === text.trimEnd().length;
}

/** Where the text goes on behind the value, which begins at or after the position; -1 when it is not seen at once. */
function skipValue(text: string, from: number, value: unknown, levels: number): number {
  const position = skipSpace(text, from);
  if (typeof value === 'string') return skipText(text, position);
  if (typeof value !== 'object' || value === null) return skipLiteral(text, position);
  if (levels === 0) return -1;
  return Array.isArray(value)
    ? skipList(text, position, value, levels - 1)
    : skipObject(text, position, value as Record<string, unknown>, levels - 1);
}

function skipObject(text: string, from: number, value: Record<string, unknown>, levels: number): number {
  let position = from;
  let before = OPEN_OBJECT;
  for (const name in value) {
    if (text.charCodeAt(position) !== before) return -1;
    before = COMMA;
    position = skipSpace(text, position + 1);
    if (text.charCodeAt(position) !== QUOTE || !text.startsWith(name, position + 1)) return -1;
    position += name.length + 1;
    if (text.charCodeAt(position) !== QUOTE) return -1;
    position = skipSpace(text, position + 1);
    if (text.charCodeAt(position) !== COLON) return -1;
    position = skipValue(text, position + 1, value[name], levels);
    if (position === -1) return -1;
    position = skipSpace(text, position);
  }
  if (before === OPEN_OBJECT) position = skipSpace(text, position + 1);
  return text.charCodeAt(position) === CLOSE_OBJECT ? position + 1 : -1;
}

function skipList(text: string, from: number, items: readonly unknown[], levels: number): number {
  let position = from;
  for (const item of items) {
    position = skipValue(text, position + 1, item, levels);
    if (position === -1) return -1;
    position = skipSpace(text, position);
  }
  if (items.length === 0) position = skipSpace(text, position + 1);
  return text.charCodeAt(position) === CLOSE_LIST ? position + 1 : -1;
}

function skipText(text: string, position: number): number {
  if (text.charCodeAt(position) !== QUOTE) return -1;
  let end = text.indexOf('"', position + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

/** Whether an odd number of backslashes stands before the position. */
function isEscaped(text: string, position: number): boolean {
  if (text.charCodeAt(position - 1) !== BACKSLASH) return false;
  let start = position;
  while (text.charCodeAt(start - 1) === BACKSLASH) start--;
  return (position - start) % 2 === 1;
}

/** A number, `true`, `false` or `null`. */
function skipLiteral(text: string, from: number): number {
  let position = from;
  for (; position < text.length; position++) {
    const code = text.charCodeAt(position);
    if (code === COMMA || code === CLOSE_OBJECT || code === CLOSE_LIST || code <= SPACE) return position;
  }
  return position;
}

/** JSON's white space is all of what is not above the space in a text that is JSON. */
function skipSpace(text: string, from: number): number {
  let position = from;
  while (text.charCodeAt(position) <= SPACE) position++;
  return position;
}

/** An object or a list that was begun and has not ended. */
interface Level {
  /** Of an object: the names so far. */
  names: Set<string> | undefined;
  /** Of the field at work, or the number of the item. */
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
