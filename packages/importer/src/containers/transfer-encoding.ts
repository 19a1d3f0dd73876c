import { asBuffer, type Content, peek } from '../content.ts';

/** Decodes part of a text; `rest` contains the characters that can only be decoded with the next part. */
type Decode = (text: string, isLast: boolean) => { bytes: Buffer; rest: string };

/** The beginnings of XML, JSON, gzip and zip, none of which is valid base64. */
const UNENCODED = /^(?:\xef\xbb\xbf)?\s*(?:[<{[]|\W\x8b\W|PK\W{2})/;
const QUOTED = /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]{0,80}=3D/i;

/** Decodes a body by its actual encoding if that differs from the declared one. */
export async function* bodyDecoded(content: Content, declared: string): Content {
  const { head, whole } = await peek(content, 256);
  const begin = head.toString('latin1');
  const isBase64 = declared.trim().toLowerCase() === 'base64';
  if (QUOTED.test(begin)) yield* decodeTransferEncoding(whole, 'quoted-printable');
  else if (isBase64 && UNENCODED.test(begin)) yield* whole;
  else yield* decodeTransferEncoding(whole, declared);
}

/** Decodes a Content-Transfer-Encoding (RFC 2045, section 6); an unknown one leaves the bytes as they are. */
export async function* decodeTransferEncoding(content: Content, encoding: string): Content {
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

/**
 * Decodes base64. Characters outside the alphabet are skipped, and padding can occur in the middle, because some
 * senders concatenate encoded texts.
 */
const base64: Decode = (text, isLast) => {
  const letters = text.replace(/[^A-Za-z0-9+/=]+/g, '');
  const whole = isLast ? letters.length : letters.length - (letters.length % 4);
  const parts = letters.slice(0, whole).match(/[^=]+/g) ?? [];
  return { bytes: Buffer.concat(parts.map(part => Buffer.from(part, 'base64'))), rest: letters.slice(whole) };
};

/** Matches an escape sequence at the end of a text that can be incomplete. */
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
