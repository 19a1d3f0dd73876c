/** Parses JSON; returns undefined if it is invalid. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
/** The bit in which brackets and braces differ. */
const BRACE = 0x20;
const [OPENING, CLOSING] = [0x5b, 0x5d];

/**
 * Returns the nesting depth of UTF-8 JSON, and an upper bound for its number of values. Used before parsing, because
 * many small values take much longer to parse than long texts.
 */
export function measureJson(json: Uint8Array): { levels: number; values: number } {
  let [levels, level, values] = [0, 0, 1];
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (byte === QUOTE) isText = !isText;
    else if (isText) {
      if (byte === BACKSLASH) at++;
    } else if (byte === COMMA) values++;
    else if ((byte & ~BRACE) === OPENING) {
      level++;
      values++;
      if (level > levels) levels = level;
    } else if ((byte & ~BRACE) === CLOSING) level--;
  }
  return { levels, values };
}
