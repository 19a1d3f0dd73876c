import type { Bounds } from '../bounds.ts';
import { type Content, limitContent } from '../content.ts';
import { Unreadable } from '../unreadable.ts';
import { MailHeader } from './mail-header.ts';
import { type ByteSection, Sections } from './sections.ts';
import { bodyDecoded } from './transfer-encoding.ts';

/** A mail (RFC 5322, RFC 2045 to 2047, RFC 2231). */
export interface Mail {
  /** The domain that a TLS report covers (RFC 8460, section 5.3). */
  tlsReportDomain: string | undefined;
  /**
   * The MIME parts in order. A forwarded mail is a single part and is not parsed.
   * @throws {Unreadable} after the readable parts
   */
  parts: AsyncIterable<MailPart>;
}

export interface MailPart {
  name: string;
  /** The declared media type in lower case. It is often wrong. */
  mimeType: string;
  /** True for the mail's text, which is not an attachment. */
  isText: boolean;
  /** True inside a bounce or receipt (RFC 3462), which contains a mail that the mailbox's owner sent. */
  isReturned: boolean;
  /** The number of enclosing MIME parts. */
  depth: number;
  /** The decoded content. It must be read before the next part is requested. */
  content: Content;
}

/**
 * Parses a mail as a stream, so memory does not depend on the length of its parts.
 * @param depth number of MIME parts that enclose the mail
 */
export async function readMail(content: Content, depth: number, bounds: Bounds): Promise<Mail> {
  const reader = new MailReader(limitContent(content, bounds.mail, 'is a mail that is too large'), bounds);
  const { header } = await reader.header([], true);
  const tlsReportDomain = header.value('tls-report-domain') || undefined;
  return { tlsReportDomain, parts: reader.parts(header, depth) };
}

/**
 * Values of `report-type` in bounces and receipts (RFC 3464, RFC 8098), and the types of their parts, because some
 * mails do not declare a `report-type`.
 */
const RETURNING: ReadonlySet<string> = new Set(['delivery-status', 'disposition-notification']);
const STATUS = /^message\/(?:global-)?(?:delivery-status|disposition-notification)$/;

/** The boundary that ended a part, or undefined at the end of the mail. */
type End = string | undefined;

class MailReader {
  #sections: Sections;
  #bounds: Bounds;
  #parts = 0;
  /** The number of bounces and receipts around the current part. */
  #returned = 0;

  constructor(content: Content, bounds: Bounds) {
    this.#sections = new Sections(content);
    this.#bounds = bounds;
  }

  async *parts(header: MailHeader, depth: number): AsyncGenerator<MailPart> {
    try {
      yield* this.#entity(header, [], depth + 1);
    } finally {
      await this.#sections.close();
    }
  }

  /** Reads up to the empty line after the header, or to a premature boundary. */
  async header(open: readonly string[], isWhole = false): Promise<{ header: MailHeader; cut?: string }> {
    const header = new MailHeader();
    const isEnd = isBoundary(open);
    for (let isFirst = isWhole; ; ) {
      let line = await this.#sections.line();
      if (isFirst && line !== undefined) {
        // Some export tools write a byte order mark before the first field.
        line = line.replace(/^\xef\xbb\xbf/, '');
        if (line.trim() === '' || /^>*From /.test(line)) continue;
        isFirst = false;
      }
      if (line === undefined || line === '') return { header };
      if (isEnd(line.trimEnd())) return { header, cut: line.trimEnd() };
      header.add(line);
    }
  }

  /**
   * Yields the parts of an entity, and returns the boundary that ended it.
   * @param open the boundaries of the enclosing parts, innermost first
   */
  async *#entity(header: MailHeader, open: readonly string[], depth: number): AsyncGenerator<MailPart, End> {
    const { mimeDepth, parts } = this.#bounds;
    if (depth > mimeDepth) throw new Unreadable('is nested too deeply', `over ${mimeDepth} levels of MIME`);
    if (++this.#parts > parts) throw new Unreadable('has too many parts', `over ${parts}`);
    const boundary = header.parameter('content-type', 'boundary');
    const mimeType = header.word('content-type') || 'text/plain';
    if (mimeType.startsWith('multipart/') && boundary !== '') {
      const isReturned = RETURNING.has(header.parameter('content-type', 'report-type').toLowerCase());
      this.#returned += Number(isReturned);
      const end = yield* this.#multipart(boundary, open, depth);
      this.#returned -= Number(isReturned);
      return end;
    }
    const name =
      header.parameter('content-disposition', 'filename') || header.parameter('content-type', 'name');
    const isText = name === '' && /^text\/(?:plain|html)$/.test(mimeType) && !isAttachment(header);
    const body = this.#body(open);
    const content = bodyDecoded(body.content, header.word('content-transfer-encoding'));
    const isStatus = STATUS.test(mimeType);
    if (isStatus && this.#returned === 0) this.#returned++;
    yield { name, mimeType, isText, isReturned: this.#returned > 0, depth, content };
    return body.end();
  }

  async *#multipart(boundary: string, open: readonly string[], depth: number): AsyncGenerator<MailPart, End> {
    const inner = [boundary, ...open];
    const returned = this.#returned;
    let end = await this.#body(inner).end();
    while (end === `--${boundary}`) {
      const { header, cut } = await this.header(inner);
      end = cut ?? (yield* this.#entity(header, inner, depth + 1));
    }
    this.#returned = returned;
    return end === `--${boundary}--` ? this.#body(open).end() : end;
  }

  #body(open: readonly string[]): ByteSection {
    return this.#sections.section(commonBegin(open), isBoundary(open));
  }
}

/** Returns the longest common prefix of all boundaries, so that few other lines have to be examined. */
function commonBegin(boundaries: readonly string[]): string {
  let [common = ''] = boundaries;
  for (const boundary of boundaries) while (!boundary.startsWith(common)) common = common.slice(0, -1);
  return `--${common}`;
}

function isBoundary(open: readonly string[]): (line: string) => boolean {
  const lines = new Set(open.flatMap(boundary => [`--${boundary}`, `--${boundary}--`]));
  return line => lines.has(line);
}

function isAttachment(header: MailHeader): boolean {
  return header.word('content-disposition') === 'attachment';
}

/** Checks whether a part reports on a single mail (RFC 6591) and contains that mail. */
export function isFailureReport({ mimeType }: MailPart): boolean {
  return mimeType === 'message/feedback-report';
}
