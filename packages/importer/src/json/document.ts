import { Occurrences } from '../browser/occurrences.ts';
import type { ParseResult } from '../finding.ts';
import type { Item, ItemContext } from '../item.ts';
import { Ordinals } from '../ordinals.ts';
import { decode } from '../text/decode.ts';
import { readNumberedLines } from '../text/lines.ts';
import { readValue } from './value.ts';
import { JsonValues } from './values.ts';

type Findings = AsyncGenerator<ParseResult[]>;

/** Reads JSON: a document, a list of documents, or one document per line. */
export async function* readJson(item: Item, context: ItemContext): Findings {
  const texts = decode(item.content);
  const first = await texts.next();
  if (first.done) return;
  const all = prepend(first.value, texts);
  if (isOneALine(first.value)) yield* readLines(all, item, context);
  else yield* readDocument(all, item, context);
}

/**
 * Checks whether the text contains one value per line, so that a broken line does not affect the others. It is enough
 * that one line with the same first character is a complete value.
 */
function isOneALine(head: string): boolean {
  const lines = head
    .trimStart()
    .split('\n', FIRST_LINES)
    .filter(line => line.trim() !== '');
  const begin = head.trimStart()[0]!;
  if (lines.length < 2 || lines[0]!.trim() === begin) return false;
  return lines.some(line => line.startsWith(begin) && isWhole(line));
}

/** Maximum number of lines examined to detect the format. */
const FIRST_LINES = 100;

function isWhole(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

async function* readLines(texts: AsyncIterable<string>, item: Item, context: ItemContext): Findings {
  const ordinals = new Ordinals();
  const occurrences = new Occurrences();
  for await (const lines of readNumberedLines(texts)) {
    yield lines.flatMap(({ number, text }) => {
      const place = `${item.place}, line ${number}`;
      return readValue({ item, context, place, text, ordinals, occurrences });
    });
  }
}

async function* readDocument(texts: AsyncIterable<string>, item: Item, context: ItemContext): Findings {
  const values = new JsonValues();
  const ordinals = new Ordinals();
  const occurrences = new Occurrences();
  let number = 0;
  const read = (found: readonly string[]) =>
    found.flatMap(text => {
      number++;
      const place = number === 1 ? item.place : `${item.place}, value ${number}`;
      return readValue({ item, context, place, text, ordinals, occurrences });
    });
  for await (const text of texts) yield read(values.push(text));
  yield read(values.end());
}

async function* prepend(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}
