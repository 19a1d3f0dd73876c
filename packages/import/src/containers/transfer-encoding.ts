import { asBuffer, type Content } from '../content.ts';

/** Decodes one part of a text, and answers with how much of it waits for what follows. */
type Decode = (text: string, isLast: boolean) => { bytes: Buffer; rest: string };

/** Decodes a Content-Transfer-Encoding (RFC 2045, section 6); an unknown one leaves the bytes as they are. */
export async function* transferDecoded(content: Content, encoding: string): Content {
  const decode = DECODERS[encoding.trim().toLowerCase()];
  if (!decode) {
    yield* content;
    return;
  }
  let rest = '';
  for await (const chunk of content) {
    const decoded = decode(rest + asBuffer(chunk).toString('latin1'), false);
    rest = decoded.rest;
    if (decoded.bytes.length > 0) yield decoded.bytes;
  }
  const { bytes } = decode(rest, true);
  if (bytes.length > 0) yield bytes;
}

/** Characters of none of its letters are left out; some senders join several that have their padding each. */
const base64: Decode = (text, isLast) => {
  const letters = text.replace(/[^A-Za-z0-9+/=]+/g, '');
  const whole = isLast ? letters.length : letters.length - (letters.length % 4);
  const parts = letters.slice(0, whole).match(/[^=]+/g) ?? [];
  return { bytes: Buffer.concat(parts.map(part => Buffer.from(part, 'base64'))), rest: letters.slice(whole) };
};

/** The end of a text that may be half of an escape. */
const HALF = /=[0-9A-Fa-f \t\r]{0,80}$/;

const quotedPrintable: Decode = (text, isLast) => {
  const half = isLast ? -1 : text.slice(-82).search(HALF);
  const whole = half === -1 ? text.length : Math.max(0, text.length - 82) + half;
  const decoded = text
    .slice(0, whole)
    .replace(/=[ \t]*\r?\n/g, '')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return { bytes: Buffer.from(decoded, 'latin1'), rest: text.slice(whole) };
};

const DECODERS: Readonly<Partial<Record<string, Decode>>> = Object.assign(Object.create(null), {
  base64,
  'quoted-printable': quotedPrintable,
});
