/**
 * Matches a path against a pattern in which `*` matches any characters. Does not use a regular expression, which an
 * untrusted path could make slow.
 */
export function matchPath(pattern: string, path: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return path === pattern;
  const last = rest.pop()!;
  if (path.length < first.length + last.length || !path.startsWith(first) || !path.endsWith(last))
    return false;
  let at = first.length;
  for (const piece of rest) {
    const found = path.indexOf(piece, at);
    if (found < 0 || found + piece.length > path.length - last.length) return false;
    at = found + piece.length;
  }
  return true;
}

/** Returns the path of an address; `/` if it has none. */
export function getPath(address: string): string {
  return /^[^:/?#]+:\/\/[^/?#]*([^?#]*)/.exec(address)?.[1] || '/';
}
