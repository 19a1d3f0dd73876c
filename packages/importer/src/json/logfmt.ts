/** Matches `key=value key="value"`, the log format of go-csp-collector and other tools. */
const BEGIN = /^\s*(?:time|ts|level)=\S/;
const PAIR = /([\w.@-]{1,64})=(?:"((?:[^"\\]|\\.)*)"|(\S*))/g;

export function isLogfmt(line: string): boolean {
  return BEGIN.test(line) && /\b(?:blocked_uri|document_uri|sampling_fraction)=/.test(line);
}

/** Returns the pairs of the line as an object. */
export function readLogfmt(line: string): Record<string, string> {
  const pairs: [string, string][] = [];
  for (const [, name, quoted, plain] of line.matchAll(PAIR)) {
    pairs.push([name!, quoted === undefined ? (plain ?? '') : removeQuotes(quoted)]);
  }
  return Object.fromEntries(pairs);
}

function removeQuotes(text: string): string {
  return text.replace(/\\(.)/g, (_, next: string) => (next === 'n' ? '\n' : next === 't' ? '\t' : next));
}
