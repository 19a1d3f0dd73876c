import { Occurrences } from '../browser/occurrences.ts';
import { type ParseResult, toSkipped, toUnstored } from '../finding.ts';
import type { Item, ItemContext } from '../item.ts';
import { Ordinals } from '../ordinals.ts';
import { decode } from '../text/decode.ts';
import { readNumberedLines, type TextLine } from '../text/lines.ts';
import { Unreadable } from '../unreadable.ts';
import { bodyInLine } from './body-in-line.ts';
import { isLogfmt, readLogfmt } from './logfmt.ts';
import { parseJson } from './parse.ts';
import type { JsonSource } from './source.ts';
import { readParsed, readValue } from './value.ts';

/** Reads a request log whose lines contain the request bodies, quoted or at the end of the line. */
export async function* readLog(item: Item, context: ItemContext): AsyncGenerator<ParseResult[]> {
  const ordinals = new Ordinals();
  const occurrences = new Occurrences();
  let bodies = 0;
  let lines = 0;
  for await (const some of readNumberedLines(decode(item.content))) {
    lines += some.length;
    const findings = some.flatMap(line => {
      const source = {
        item,
        context,
        place: `${item.place}, line ${line.number}`,
        ordinals,
        occurrences,
        isBody: true,
      };
      const found = readLine(line, source);
      if (found) bodies++;
      return found ?? [toUnstored('request without a body')];
    });
    if (bodies > 0 || lines > MOST_WITHOUT) yield findings;
  }
  if (bodies === 0) throw new Unreadable('is in an unknown format');
}

/** Number of leading lines of a log, at least one of which must contain a body. */
const MOST_WITHOUT = 10_000;

/** Reads a line; returns undefined if it contains no body. */
function readLine({ text }: TextLine, source: Omit<JsonSource, 'text'>): ParseResult[] | undefined {
  if (text === undefined) return [toSkipped(source.place, new Unreadable('is too long'))];
  if (/^\s*[{[]\s*["{[]/.test(text)) return readValue({ ...source, text });
  const { context } = source;
  try {
    if (isLogfmt(text)) {
      context.counts.items++;
      return readParsed(readLogfmt(text), { ...source, text });
    }
    const body = bodyInLine(text);
    if (!body) return undefined;
    context.counts.items++;
    return readParsed(parseJson(body.text, context), { ...source, ...body });
  } catch (error) {
    return [toSkipped(source.place, error)];
  }
}
