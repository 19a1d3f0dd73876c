import { toBytes } from './hex.ts';
import { formField, type LoggedBody, loggedTime } from './log-line.ts';

const USER_AGENT = /^(?:Mozilla|Opera|[A-Za-z][\w.-]{0,40})\/\d/;

/** Matches a time before the body, as in syslog (RFC 5424); and the number of characters to search for it. */
const ISO = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?/;
const LONGEST_HEAD = 128;

/** Returns the body in a line of text; undefined if there is none. */
export function bodyInLine(line: string): LoggedBody | undefined {
  const quoted = quotedParts(line).map(unescapeText);
  const found = quoted.map(text => formField(text) ?? text).find(text => /^\s*[{[]/.test(text));
  const text = found ?? bareBody(line) ?? formField(line);
  if (text === undefined) return undefined;
  const time =
    loggedTime(/\[([^\]]{10,40})\]/.exec(line)?.[1]) ??
    loggedTime(/^\S{10,40}/.exec(line)?.[0]) ??
    loggedTime(ISO.exec(line.slice(0, LONGEST_HEAD))?.[0]);
  return { text, time, userAgent: quoted.find(other => other !== text && USER_AGENT.test(other)) };
}

/** Returns the quoted texts, still escaped. */
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

/** Returns unquoted JSON up to the end of the line. */
function bareBody(line: string): string | undefined {
  const begin = /(?:^|\s)(?=[{[]\s*["{])/.exec(line);
  const body = begin && line.slice(begin.index).trim();
  return body && /[}\]]$/.test(body) ? body : undefined;
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Resolves escapes that servers write in quoted strings: `\xHH` (nginx, Apache) or those of JSON. */
function unescapeText(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /(?:\\x[0-9a-f]{2})+|\\u([0-9a-f]{4})|\\(.)/gi,
    (all, unit?: string, other?: string) => {
      if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16));
      return other === undefined ? toBytes(all) : (ESCAPED[other] ?? other);
    },
  );
}
