import { type Finding, notKept, skipped } from '../finding.ts';
import type { Item, ItemContext } from '../item.ts';
import { Ordinals } from '../ordinals.ts';
import { decode } from '../text/decode.ts';
import { type NumberedLine, numberedLines } from '../text/lines.ts';
import { Unreadable } from '../unreadable.ts';
import { bytesOf } from './hex.ts';
import { formField, type LoggedBody, loggedTime } from './log-line.ts';
import { isLogfmt, readLogfmt } from './logfmt.ts';
import { parseJson } from './parse.ts';
import type { JsonSource } from './source.ts';
import { readParsed, readValue } from './value.ts';

/** Reads a log of requests whose lines hold the bodies, as text in quotation marks or at the end. */
export async function* readLog(item: Item, context: ItemContext): AsyncGenerator<Finding[]> {
  const ordinals = new Ordinals();
  let bodies = 0;
  let lines = 0;
  for await (const some of numberedLines(decode(item.content))) {
    lines += some.length;
    const findings = some.flatMap(line => {
      const source = { item, context, place: `${item.place}, line ${line.number}`, ordinals, isBody: true };
      const found = readLine(line, source);
      if (found) bodies++;
      return found ?? [notKept('request without a body')];
    });
    if (bodies > 0 || lines > MOST_WITHOUT) yield findings;
  }
  if (bodies === 0) throw new Unreadable('is of no form that is known');
}

/** Lines of a log among whose first ones there has to be a body. */
const MOST_WITHOUT = 10_000;

/** Undefined for a line without a body. */
function readLine({ text }: NumberedLine, source: Omit<JsonSource, 'text'>): Finding[] | undefined {
  if (text === undefined) return [skipped(source.place, new Unreadable('is too long'))];
  if (/^\s*[{[]\s*["{[]/.test(text)) return readValue({ ...source, text });
  const { context } = source;
  try {
    if (isLogfmt(text)) return readParsed(readLogfmt(text), { ...source, text });
    const body = bodyIn(text);
    if (!body) return undefined;
    context.counts.items++;
    return readParsed(parseJson(body.text, context), { ...source, ...body });
  } catch (error) {
    return [skipped(source.place, error)];
  }
}

const USER_AGENT = /^(?:Mozilla|Opera|[A-Za-z][\w.-]{0,40})\/\d/;

/** The body in a line of text. */
function bodyIn(line: string): LoggedBody | undefined {
  const quoted = quotedParts(line).map(unescaped);
  const found = quoted.map(text => formField(text) ?? text).find(text => /^\s*[{[]/.test(text));
  const text = found ?? bareBody(line) ?? formField(line);
  if (text === undefined) return undefined;
  const time = loggedTime(/\[([^\]]{10,40})\]/.exec(line)?.[1]) ?? loggedTime(/^\S{10,40}/.exec(line)?.[0]);
  return { text, time, userAgent: quoted.find(other => other !== text && USER_AGENT.test(other)) };
}

/** The texts in quotation marks, still escaped. */
function quotedParts(line: string): string[] {
  const parts: string[] = [];
  let begin = -1;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (character === '\\' && begin !== -1) at++;
    else if (character === '"' && begin === -1) begin = at + 1;
    else if (character === '"') {
      parts.push(line.slice(begin, at));
      begin = -1;
    }
  }
  return parts;
}

/** JSON without quotation marks around it, from its begin to the end of the line. */
function bareBody(line: string): string | undefined {
  const begin = /(?:^|\s)(?=[{[]\s*["{])/.exec(line);
  const body = begin && line.slice(begin.index).trim();
  return body && /[}\]]$/.test(body) ? body : undefined;
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Resolves the escapes that servers write into quotation marks: `\xHH` (nginx, Apache), or those of JSON. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /(?:\\x[0-9a-f]{2})+|\\u([0-9a-f]{4})|\\(.)/gi,
    (all, unit?: string, other?: string) => {
      if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16));
      return other === undefined ? bytesOf(all) : (ESCAPED[other] ?? other);
    },
  );
}
