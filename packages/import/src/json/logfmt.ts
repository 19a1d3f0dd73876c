/** `key=value key="value"`, as go-csp-collector and other tools write their logs. */
const BEGIN = /^\s*(?:time|ts|level)=\S/;
const PAIR = /([\w.@-]{1,64})=(?:"((?:[^"\\]|\\.)*)"|(\S*))/g;

export function isLogfmt(line: string): boolean {
  return BEGIN.test(line) && /\b(?:blocked_uri|document_uri|sampling_fraction)=/.test(line);
}

/** The pairs of the line as an object. */
export function readLogfmt(line: string): Record<string, string> {
  const pairs: [string, string][] = [];
  for (const [, name, quoted, plain] of line.matchAll(PAIR)) {
    pairs.push([name!, quoted === undefined ? (plain ?? '') : unquoted(quoted)]);
  }
  return Object.fromEntries(pairs);
}

function unquoted(text: string): string {
  return text.replace(/\\(.)/g, (_, next: string) => (next === 'n' ? '\n' : next === 't' ? '\t' : next));
}
