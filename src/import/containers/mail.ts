import PostalMime, { type Attachment, type Email } from 'postal-mime';
import type { Bounds } from '../bounds.ts';
import { Unreadable, unreadable } from '../unreadable.ts';

/** What a mail holds, decoded. */
export interface Mail {
  parts: MailPart[];
  /** RFC 8460 section 5.3: the domain that a TLS report is about. */
  tlsReportDomain: string | undefined;
}

export interface MailPart {
  name: string;
  /** Lower-case, as declared: often wrong. */
  mimeType: string;
  bytes: Uint8Array;
}

/**
 * Takes a mail apart (RFC 5322, RFC 2045 to 2047, RFC 2231). Forwarded mails are parts of it, not yet taken apart.
 * @param depth levels of MIME that are left
 * @throws {Unreadable}
 */
export async function readMail(bytes: Buffer, depth: number, bounds: Bounds): Promise<Mail> {
  if (depth <= 0) throw new Unreadable('is nested too deeply', `over ${bounds.mimeDepth} levels of MIME`);
  requireFewParts(bytes, bounds.parts);
  const email = await parse(bytes, depth);
  const header = email.headers.find(({ key }) => key === 'tls-report-domain');
  return { parts: partsOf(email), tlsReportDomain: header?.value.trim() };
}

async function parse(bytes: Buffer, depth: number): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, { forceRfc822Attachments: true, maxNestingDepth: depth });
  } catch (error) {
    const { detail } = unreadable(error);
    if (/nesting depth/.test(detail)) throw new Unreadable('is nested too deeply', detail);
    throw new Unreadable('is a broken mail', detail);
  }
}

function partsOf({ attachments, text }: Email): MailPart[] {
  const attached = attachments.map(attachment => ({
    name: attachment.filename ?? '',
    mimeType: attachment.mimeType,
    bytes: bytesOf(attachment),
  }));
  // A report may be the mail's own text.
  return text ? [...attached, { name: '', mimeType: 'text/plain', bytes: Buffer.from(text) }] : attached;
}

function bytesOf({ content }: Attachment): Uint8Array {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}

const DELIMITER = Buffer.from('\n--');

/** The parser has no bound of its own, and each part takes memory. */
function requireFewParts(bytes: Buffer, most: number): void {
  let delimiters = 0;
  for (let at = bytes.indexOf(DELIMITER); at !== -1; at = bytes.indexOf(DELIMITER, at + 3)) delimiters++;
  if (delimiters <= most) return;
  const boundaries = boundariesOf(bytes);
  let parts = 0;
  for (let at = bytes.indexOf(DELIMITER); at !== -1; at = bytes.indexOf(DELIMITER, at + 3)) {
    const line = bytes.toString('latin1', at + 3, at + 3 + 200);
    if (boundaries.some(boundary => line.startsWith(boundary))) parts++;
    if (parts > most) throw new Unreadable('has too many parts', `over ${most}`);
  }
}

/** Most that are looked for: more are as many parts. */
const MOST_BOUNDARIES = 50;

/** The boundaries that are declared anywhere; one in continuations (RFC 2231) by its begin, an encoded one as ''. */
function boundariesOf(bytes: Buffer): string[] {
  const found = new Set<string>();
  for (const [, star = '', quoted, token = ''] of bytes
    .toString('latin1')
    .matchAll(/boundary(\*\d*\*?)?\s*=\s*(?:"([^"\r\n]{1,200})|([^\s";]{1,200}))/gi)) {
    found.add(star.endsWith('*') || star === '*' ? '' : (quoted ?? token));
    if (found.size > MOST_BOUNDARIES) return [''];
  }
  return [...found];
}

/** A report on a single mail (RFC 6591), which holds that mail. */
export function isFailureReport({ mimeType }: MailPart): boolean {
  return mimeType === 'message/feedback-report';
}
