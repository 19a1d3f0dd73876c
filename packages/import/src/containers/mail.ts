import type { Bounds } from '../bounds.ts';
import { type Content, limited } from '../content.ts';
import { Unreadable } from '../unreadable.ts';
import { MailHeader } from './mail-header.ts';
import { type Section, Sections } from './sections.ts';
import { transferDecoded } from './transfer-encoding.ts';

/** A mail (RFC 5322, RFC 2045 to 2047, RFC 2231). */
export interface Mail {
  /** RFC 8460 section 5.3: the domain that a TLS report is about. */
  tlsReportDomain: string | undefined;
  /**
   * In their order. Forwarded mails are parts, not yet taken apart.
   * @throws {Unreadable} behind the parts that could be read
   */
  parts: AsyncIterable<MailPart>;
}

export interface MailPart {
  name: string;
  /** Lower-case, as declared: often wrong. */
  mimeType: string;
  /** True for the mail's own text, which is no attachment. */
  isText: boolean;
  /** Levels of MIME around it. */
  depth: number;
  /** Decoded. It can be read until the next part is asked for. */
  content: Content;
}

/**
 * Takes a mail apart as it comes: a part of any length takes no more memory than a chunk of it.
 * @param depth levels of MIME around the mail
 */
export async function readMail(content: Content, depth: number, bounds: Bounds): Promise<Mail> {
  const reader = new MailReader(limited(content, bounds.mail, 'is a mail that is too large'), bounds);
  const { header } = await reader.header([]);
  const tlsReportDomain = header.value('tls-report-domain') || undefined;
  return { tlsReportDomain, parts: reader.parts(header, depth) };
}

/** A line that ends a part, or undefined for the end of the mail. */
type End = string | undefined;

class MailReader {
  #sections: Sections;
  #bounds: Bounds;
  #parts = 0;

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

  /** Up to the empty line behind it, or to a boundary that comes too early. */
  async header(open: readonly string[]): Promise<{ header: MailHeader; cut?: string }> {
    const header = new MailHeader();
    const isEnd = isBoundary(open);
    for (;;) {
      const line = await this.#sections.line();
      if (line === undefined || line === '') return { header };
      if (isEnd(line.trimEnd())) return { header, cut: line.trimEnd() };
      header.add(line);
    }
  }

  /** @param open the boundaries of the parts around it, the innermost first */
  async *#entity(header: MailHeader, open: readonly string[], depth: number): AsyncGenerator<MailPart, End> {
    const { mimeDepth, parts } = this.#bounds;
    if (depth > mimeDepth) throw new Unreadable('is nested too deeply', `over ${mimeDepth} levels of MIME`);
    if (++this.#parts > parts) throw new Unreadable('has too many parts', `over ${parts}`);
    const boundary = header.parameter('content-type', 'boundary');
    const mimeType = header.word('content-type') || 'text/plain';
    if (mimeType.startsWith('multipart/') && boundary !== '')
      return yield* this.#multipart(boundary, open, depth);
    const name =
      header.parameter('content-disposition', 'filename') || header.parameter('content-type', 'name');
    const isText = name === '' && /^text\/(?:plain|html)$/.test(mimeType) && !isAttachment(header);
    const body = this.#body(open);
    const content = transferDecoded(body.content, header.word('content-transfer-encoding'));
    yield { name, mimeType, isText, depth, content };
    return body.end();
  }

  async *#multipart(boundary: string, open: readonly string[], depth: number): AsyncGenerator<MailPart, End> {
    const inner = [boundary, ...open];
    let end = await this.#body(inner).end();
    while (end === `--${boundary}`) {
      const { header, cut } = await this.header(inner);
      end = cut ?? (yield* this.#entity(header, inner, depth + 1));
    }
    return end === `--${boundary}--` ? this.#body(open).end() : end;
  }

  #body(open: readonly string[]): Section {
    return this.#sections.section(commonBegin(open), isBoundary(open));
  }
}

/** The longest text that all their lines begin with, so that few other lines are looked at. */
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

/** A report on a single mail (RFC 6591), which holds that mail. */
export function isFailureReport({ mimeType }: MailPart): boolean {
  return mimeType === 'message/feedback-report';
}
