import type { Content } from '../content.ts';
import { type IsEnd, Sections } from './sections.ts';

/** Maximum length of a separator, in characters. */
const LONGEST_SEPARATOR = 300;

/**
 * Match the line before each mail: `From sender date` (RFC 4155) with a date in any format, or a line without a date
 * (`From `, `From -`).
 */
const DATED = /^From .*(?:\d\d:\d\d.*\d{4}|\d{4}-\d\d-\d\d|\d{4}\d{4}T\d{4})/;
const UNDATED = /^From(?:[ \t]+(?:-|MAILER-DAEMON|[^\s@]+@[^\s@]+))?\s*$/;

/** Text before a mail's first field: a byte order mark, empty lines, and quoted separators. */
const BEFORE_FIELDS = /^(?:\xef\xbb\xbf)?(?:[ \t]*\r?\n|>+From [^\n]*\n)*/;

/** Matches any field name; and matches common field names, which do not occur at the start of a sentence. */
const FIELD = /^[!-9;-~]{1,80}[ \t]*:/;
const MAIL_FIELD =
  /^(?:return-path|received|from|to|cc|date|subject|sender|status|lines|(?:x-)?[a-z0-9]+(?:-[a-z0-9]+)+)[ \t]*:/i;

/**
 * A separator is followed by header fields, unlike a line of text that begins with `From`. Without an empty line before
 * it, the next line must be a common header field.
 */
const isSeparator: IsEnd = (line, before, after) => {
  // Some tools write two separators.
  if (/^(?:From [^\n]*\n)*$/.test(before)) return false;
  const start = line.slice(0, LONGEST_SEPARATOR);
  if (!DATED.test(start) && !UNDATED.test(start)) return false;
  const first = after.replace(BEFORE_FIELDS, '');
  const isAfterEmptyLine = /(?:^|\n)\r?\n$/.test(before);
  return first === '' || (isAfterEmptyLine ? FIELD : MAIL_FIELD).test(first);
};

/** Yields the mails of an mbox in order. Each mail must be read before the next one is requested. */
export async function* mboxMails(content: Content): AsyncGenerator<Content> {
  const sections = new Sections(content);
  try {
    // Before the first mail, every line that begins with `From` is a separator, even with an unusual date.
    for (let line = await sections.line(); line === ''; ) line = await sections.line();
    let behind: string | undefined;
    do {
      const mail = sections.section('From', isSeparator, true);
      yield removeQuotes(mail.content);
      behind = await mail.end();
    } while (behind !== undefined);
  } finally {
    await sections.close();
  }
}

/** Unquotes lines: `>From` stands for a line that begins with `From`. */
async function* removeQuotes(content: Content): Content {
  const sections = new Sections(content);
  for (;;) {
    const part = sections.section('>', line => /^>+From /.test(line));
    yield* part.content;
    const quoted = await part.end();
    if (quoted === undefined) return;
    yield Buffer.from(`${quoted.slice(1)}\n`, 'latin1');
  }
}
