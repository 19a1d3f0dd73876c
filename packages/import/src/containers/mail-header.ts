/** Characters of a header that are kept. */
const LONGEST_HEADER = 1024 * 1024;

/** The header of a mail or of a part (RFC 5322, RFC 2045): the first field of each name. */
export class MailHeader {
  #fields = new Map<string, string>();
  #last = '';
  #length = 0;

  /** Takes the next line, in a text whose characters stand for bytes. Lines that are no field are left out. */
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
    // Lines that go on one that is there twice go nowhere.
    this.#last = this.#fields.has(key) ? '' : key;
    if (this.#last !== '') this.#fields.set(key, value);
  }

  /** Without what stands behind a semicolon: `text/plain` of `Text/Plain; charset=utf-8`, in small letters. */
  word(name: string): string {
    return this.value(name).split(';', 1)[0]!.trim().toLowerCase();
  }

  /** '' where there is no such field. */
  value(name: string): string {
    return this.#fields.get(name)?.trim() ?? '';
  }

  /** A parameter of a field, also one in parts or with an encoding of its own (RFC 2231, RFC 2047); '' without it. */
  parameter(field: string, name: string): string {
    const found = new Map<string, string>();
    for (const [, key = '', quoted, bare = ''] of this.value(field).matchAll(PARAMETER)) {
      const lower = key.toLowerCase();
      if (!found.has(lower)) found.set(lower, quoted?.replace(/\\(.)/g, '$1') ?? bare);
    }
    const whole = found.get(name);
    if (whole !== undefined) return decodedWords(utf8(whole));
    return continued(name, found);
  }
}

const PARAMETER = /;\s*([^\s=;"]{1,80})\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;\s]*))/gs;

/** `name*`, or `name*0`, `name*1*` and so on: those with a star at their end are percent-encoded. */
function continued(name: string, found: ReadonlyMap<string, string>): string {
  let text = '';
  const only = found.get(`${name}*`);
  if (only !== undefined) return percentDecoded(only.replace(/^[^']*'[^']*'/, ''));
  for (let part = 0; ; part++) {
    const plain = found.get(`${name}*${part}`);
    const encoded = found.get(`${name}*${part}*`);
    if (plain === undefined && encoded === undefined) return utf8(text);
    text += plain ?? latin1(percentDecoded(part === 0 ? encoded!.replace(/^[^']*'[^']*'/, '') : encoded!));
  }
}

function percentDecoded(text: string): string {
  return utf8(text.replace(/%([0-9A-Fa-f]{2})/g, (_, code: string) => byte(code)));
}

/** `=?charset?B?…?=` and `=?charset?Q?…?=`, of any charset as UTF-8: names that matter are of ASCII. */
function decodedWords(text: string): string {
  return text.replace(/=\?[^?]{1,40}\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, word: string) => {
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

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}
