import { isBase64 } from './containers/base64.ts';
import { beginsTable } from './parsedmarc-tables.ts';
import { wideEncoding } from './text/decode.ts';

/** The form of an item by its content alone: names and declared media types are both wrong in the wild. */
export type Form =
  | 'gzip'
  | 'zip'
  | 'mbox'
  | 'mail'
  | 'base64'
  | 'dmarc'
  | 'certificates'
  | 'json'
  | 'csv'
  | 'log';

/** Header fields of which each mail has some (RFC 5322, RFC 2045). */
const MAIL_FIELD =
  /^(?:return-path|received|from|to|cc|date|subject|message-id|mime-version|content-type|content-transfer-encoding|delivered-to|dkim-signature|reply-to|sender|authentication-results|arc-seal|x-[\w-]+|tls-report-domain|authentication-results-original)[ \t]*:/im;

/**
 * @param head the first bytes, 64 KiB where there are so many
 * @returns undefined for what is none of the forms
 */
export function formOf(head: Buffer): Form | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5)) return 'zip';
  if (isDer(head)) return 'certificates';
  const text = textOf(head);
  // Texts of a sequence begin with a record separator (RFC 7464).
  const begin = text.replaceAll('\u001e', '').trimStart();
  if (/^[,\s]*[{[]/.test(begin)) return looksLikeLog(begin) ? 'log' : 'json';
  if (begin.startsWith('<')) return hasFeedback(text) ? 'dmarc' : undefined;
  if (/^From \S/.test(begin)) return 'mbox';
  if (beginsTable(begin)) return 'csv';
  if (isMail(begin)) return 'mail';
  if (text.includes('-----BEGIN CERTIFICATE-----')) return 'certificates';
  if (isBase64(begin)) return 'base64';
  if (hasFeedback(text)) return 'dmarc';
  return /[{[]|%7B|%5B|\b(?:time|level)=/i.test(text) && !text.includes('\0') ? 'log' : undefined;
}

function textOf(head: Buffer): string {
  const wide = wideEncoding(head);
  const text = wide
    ? new TextDecoder(wide).decode(head)
    : head.toString('latin1').replace(/^\xef\xbb\xbf/, '');
  return text.replace(/^\u{feff}/u, '');
}

/** A sequence of DER with its length in two or three bytes, in which a sequence follows. */
function isDer(head: Buffer): boolean {
  if (head[0] !== 0x30) return false;
  const start = head[1] === 0x82 ? 4 : head[1] === 0x83 ? 5 : head[1] === 0x81 ? 3 : 0;
  return start > 0 && head[start] === 0x30;
}

function hasFeedback(text: string): boolean {
  return /<(?:[\w.-]{1,64}:)?feedback[\s/>]/i.test(text);
}

/** Header fields from the first line on, up to an empty line, or through all of the head. */
function isMail(text: string): boolean {
  const [headers = ''] = text.split(/\r?\n\r?\n/, 1);
  const [first = ''] = headers.split('\n', 1);
  return /^[!-9;-~]+[ \t]*:/.test(first) && MAIL_FIELD.test(headers);
}

/** A time in brackets stands at the begin of lines of some logs. */
function looksLikeLog(text: string): boolean {
  return /^\[\w{3,}[ /]|^\[\d{4}-|^\[\d\d\//.test(text);
}
