import { isBase64 } from './containers/base64.ts';
import { isTar } from './containers/tar.ts';
import { beginsTable } from './parsedmarc-tables.ts';
import { wideEncoding } from './text/decode.ts';

/**
 * The format of an item. It is detected only from the content, because names and declared media types are often wrong.
 */
export type Form =
  | 'gzip'
  | 'zip'
  | 'tar'
  | 'mbox'
  | 'mail'
  | 'base64'
  | 'dmarc'
  | 'certificates'
  | 'json'
  | 'csv'
  | 'log';

/** Matches common header fields, at least one of which occurs in every mail (RFC 5322, RFC 2045). */
const MAIL_FIELD =
  /^(?:return-path|received|from|to|cc|date|subject|message-id|mime-version|content-type|content-transfer-encoding|delivered-to|dkim-signature|reply-to|sender|authentication-results|arc-seal|x-[\w-]+|tls-report-domain|authentication-results-original)[ \t]*:/im;

/**
 * Detects the format of an item; returns undefined if it is unknown.
 * @param head the first 64 KiB, or all bytes of a shorter item
 */
export function detectForm(head: Buffer): Form | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5)) return 'zip';
  if (isTar(head)) return 'tar';
  if (isDer(head)) return 'certificates';
  const text = toText(head);
  // The texts of a JSON sequence begin with a record separator (RFC 7464).
  const begin = text.replaceAll('\u001e', '').trimStart();
  if (/^[,\s]*[{[]/.test(begin)) return looksLikeLog(begin) ? 'log' : 'json';
  if (/^<\d{1,3}>/.test(begin)) return 'log';
  if (begin.startsWith('<')) return hasFeedback(text) ? 'dmarc' : undefined;
  if (/^From(?: |\r?\n)/.test(begin)) return 'mbox';
  if (beginsTable(begin)) return 'csv';
  if (isMail(begin)) return 'mail';
  if (text.includes('-----BEGIN CERTIFICATE-----')) return 'certificates';
  if (isBase64(begin)) return 'base64';
  if (hasFeedback(text)) return 'dmarc';
  return /[{[]|%7B|%5B|\b(?:time|level)=/i.test(text) && !text.includes('\0') ? 'log' : undefined;
}

function toText(head: Buffer): string {
  const wide = wideEncoding(head);
  const text = wide
    ? new TextDecoder(wide).decode(head)
    : head.toString('latin1').replace(/^\xef\xbb\xbf/, '');
  return text.replace(/^\u{feff}/u, '');
}

/** True for a DER sequence with a length of two or three bytes that contains another sequence. */
function isDer(head: Buffer): boolean {
  if (head[0] !== 0x30) return false;
  const start = head[1] === 0x82 ? 4 : head[1] === 0x83 ? 5 : head[1] === 0x81 ? 3 : 0;
  return start > 0 && head[start] === 0x30;
}

function hasFeedback(text: string): boolean {
  return /<(?:[\w.-]{1,64}:)?feedback[\s/>]/i.test(text);
}

/** Checks whether the text begins with a mail header. */
function isMail(text: string): boolean {
  const [headers = ''] = text.replace(/^(?:>+From [^\n]*\n\s*)+/, '').split(/\r?\n\r?\n/, 1);
  const [first = ''] = headers.split('\n', 1);
  return /^[!-9;-~]+[ \t]*:/.test(first) && MAIL_FIELD.test(headers);
}

/**
 * Checks whether a text that begins with a bracket is a log, whose lines begin with a time in brackets, rather than
 * JSON.
 */
function looksLikeLog(text: string): boolean {
  return /^\[\w{3,}[ /]|^\[\d{4}-|^\[\d\d\//.test(text);
}

/** Known but unsupported formats by their first bytes, with advice for the user. */
const UNSUPPORTED: readonly [begin: string, format: string][] = [
  ['425a68', 'bzip2: decompress it with "bunzip2"'],
  ['fd377a585a00', 'xz: decompress it with "unxz"'],
  ['5d00008000', 'LZMA: decompress it with "unlzma"'],
  ['28b52ffd', 'Zstandard: decompress it with "unzstd"'],
  ['04224d18', 'LZ4: decompress it with "unlz4"'],
  ['1f9d', 'compress: decompress it with "uncompress"'],
  ['1fa0', 'compress: decompress it with "uncompress"'],
  ['4c5a4950', 'lzip: decompress it with "lunzip"'],
  ['377abcaf271c', 'a 7z archive: unpack it with "7z x"'],
  ['526172211a07', 'a RAR archive: unpack it with "unrar x"'],
  ['4d534346', 'a cabinet (CAB): unpack it with "cabextract"'],
  ['d0cf11e0a1b11ae1', 'an Outlook message (.msg): save it as .eml'],
  ['789f3e22', 'a TNEF attachment of Outlook (winmail.dat): unpack it with "tnef"'],
  ['2142444e', 'an Outlook data file (.pst): export it with "readpst"'],
  ['255044462d', 'PDF'],
  ['89504e470d0a1a0a', 'a PNG image'],
  ['ffd8ff', 'a JPEG image'],
  ['474946383', 'a GIF image'],
];

/** Returns the name of a known but unsupported format; undefined for any other. */
export function unsupportedFormat(head: Buffer): string | undefined {
  const begin = head.toString('hex', 0, 16);
  const found = UNSUPPORTED.find(([first]) => begin.startsWith(first));
  if (found) return found[1];
  if (/^\s*begin(?:-base64)? [0-7]{3,4} \S/.test(head.toString('latin1', 0, 300)))
    return 'uuencode: decode it with "uudecode"';
  return undefined;
}
