/** Size limit of a header in characters; the rest is ignored. */
const LONGEST_HEADER = 1024 * 1024;

/** The header of a mail or MIME part (RFC 5322, RFC 2045), with the first field of each name. */
export class MailHeader {
  #fields = new Map<string, string>();
  #last = '';
  #length = 0;

  /** Adds the next line of a binary string. Ignores lines that are not header fields. */
  add(line: string): void {
    this.#length += line.length;
    if (this.#length > LONGEST_HEADER) return;
    if (/^[ \t]/.test(line)) {
      const begun = this.#fields.get(this.#last);
      if (begun !== undefined) this.#fields.set(this.#last, begun + line);
      return;
    }
    const [, name = '', value = ''] = /^([!-9;-~]+)[ \t]*:(.*)$/s.exec(line) ?? [];
    const key = name.toLowerCase();
    // Continuation lines of a repeated field are dropped.
    this.#last = this.#fields.has(key) ? '' : key;
    if (this.#last !== '') this.#fields.set(key, value);
  }

  /**
   * Returns the value up to the first semicolon in lower case, such as `text/plain` for `Text/Plain; charset=utf-8`.
   */
  word(name: string): string {
    return this.value(name).split(';', 1)[0]!.trim().toLowerCase();
  }

  /** Returns the value of a field, or '' if it is absent. */
  value(name: string): string {
    return this.#fields.get(name)?.trim() ?? '';
  }

  /**
   * Returns a parameter of a field, or '' if it is absent. Split and encoded parameters are supported (RFC 2231, RFC
   * 2047).
   */
  parameter(field: string, name: string): string {
    const found = new Map<string, string>();
    for (const [, key = '', quoted, bare = ''] of this.value(field).matchAll(PARAMETER)) {
      const lower = key.toLowerCase();
      if (!found.has(lower)) found.set(lower, quoted?.replace(/\\(.)/g, '$1') ?? bare);
    }
    const whole = found.get(name);
    if (whole !== undefined) return decodeWords(utf8(whole));
    return joinContinuations(name, found);
  }
}

const PARAMETER = /;\s*([^\s=;"]{1,80})\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;\s]*))/gs;

/**
 * Joins the parts of a parameter: `name*`, or `name*0`, `name*1*` and so on. Parts with a trailing star are
 * percent-encoded.
 */
function joinContinuations(name: string, found: ReadonlyMap<string, string>): string {
  let text = '';
  const only = found.get(`${name}*`);
  if (only !== undefined) return utf8(decodePercent(only.replace(CHARSET, '')));
  for (let part = 0; ; part++) {
    const plain = found.get(`${name}*${part}`);
    const encoded = found.get(`${name}*${part}*`);
    if (plain === undefined && encoded === undefined) return utf8(text);
    // A character can begin in one part and end in the next.
    text += plain ?? decodePercent(part === 0 ? encoded!.replace(CHARSET, '') : encoded!);
  }
}

/** Matches the charset and language before an encoded parameter. */
const CHARSET = /^[^']*'[^']*'/;

/** Decodes percent-encoded bytes to a binary string. */
function decodePercent(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, code: string) => byte(code));
}

/** An encoded word (RFC 2047, section 2). */
const WORD = String.raw`=\?[^?]{1,40}\?([BQ])\?([^?]*)\?=`;

/** Matches an encoded word, and the blanks before the next one, which are not part of the text (section 6.2). */
const WORD_AND_BLANKS = new RegExp(String.raw`${WORD}(?:\s{1,80}(?=${WORD}))?`, 'gi');

/**
 * Decodes `=?charset?B?…?=` and `=?charset?Q?…?=`. Every charset is decoded as UTF-8, since the relevant names are
 * ASCII.
 */
function decodeWords(text: string): string {
  return text.replace(WORD_AND_BLANKS, (_, kind: string, word: string) => {
    if (/b/i.test(kind)) return Buffer.from(word, 'base64').toString();
    return utf8(word.replaceAll('_', ' ').replace(/=([0-9A-Fa-f]{2})/g, (__, code: string) => byte(code)));
  });
}

function byte(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}

function utf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}
