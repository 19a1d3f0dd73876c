import type { Content } from '../content.ts';
import { type IsEnd, Sections } from './sections.ts';

/** `From sender date`: what stands before each mail (RFC 4155). A sentence of a mail has no time of day in it. */
const SEPARATOR = /^From .*\d\d:\d\d.*\d{4}/;

/** Characters of a separator that are looked at. */
const LONGEST_SEPARATOR = 300;

const isSeparator: IsEnd = (line, before) =>
  /^$|(?:^|\n)\r?\n$/.test(before) && SEPARATOR.test(line.slice(0, LONGEST_SEPARATOR));

/** The mails of an mbox, one after the other. Each can be read until the next one is asked for. */
export async function* mboxMails(content: Content): AsyncGenerator<Content> {
  const sections = new Sections(content);
  try {
    // The first line that is none of a mail is one, whatever its date looks like.
    for (let line = await sections.line(); line === ''; ) line = await sections.line();
    let behind: string | undefined;
    do {
      const mail = sections.section('From ', isSeparator);
      yield unquoted(mail.content);
      behind = await mail.end();
    } while (behind !== undefined);
  } finally {
    await sections.close();
  }
}

/** `>From` stands for a line of the mail that begins with `From`. */
async function* unquoted(content: Content): Content {
  const sections = new Sections(content);
  for (;;) {
    const part = sections.section('>', line => /^>+From /.test(line));
    yield* part.content;
    const quoted = await part.end();
    if (quoted === undefined) return;
    yield Buffer.from(`${quoted.slice(1)}\n`, 'latin1');
  }
}
