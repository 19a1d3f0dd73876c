import { type FilePolicies, type Place, PolicyCollector } from '../policies.ts';

const RULE = /^(?:\/|https?:\/\/)\S*\s*$/;

export const isHeadersFile = (name: string, text: string) =>
  /(?:^|[/\\])_headers$/.test(name) ||
  RULE.test(text.split(/\r?\n/).find(line => /^[^\s#]/.test(line)) ?? '');

/** Reads the `_headers` file of Netlify and Cloudflare Pages: rules by path, each with headers. */
export function readHeadersFile(text: string): FilePolicies {
  const found = new PolicyCollector();
  let rule: Omit<Place, 'line'> | undefined;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const place = { line: at + 1 };
    if (/^\s*(?:#|$)/.test(line)) continue;
    if (RULE.test(line)) rule = readRule(line.trim());
    else {
      const [, name, value] = /^\s*([A-Za-z][\w-]*)\s*:\s*(.*)$/.exec(line) ?? [];
      if (name === undefined || !/^content-security-policy/i.test(name)) continue;
      if (rule) found.addHeader(name, value!, { ...rule, ...place });
      else found.refuse('It precedes the first path.', place);
    }
  }
  return found;
}

function readRule(location: string): Omit<Place, 'line'> {
  const [, host, path = ''] = /^(?:https?:\/\/([^/]*))?(.*)$/.exec(location)!;
  return {
    location,
    paths: toPaths(path),
    // A host with a placeholder is omitted, because it can match any host.
    ...(host && !/[:*]/.test(host) && { hosts: [host] }),
  };
}

/** Converts a path with placeholders such as `:page` to patterns. A wildcard replaces each placeholder. */
function toPaths(path: string): string[] | undefined {
  const pattern = path.replace(/:[A-Za-z]\w*/g, '*') || '*';
  if (pattern === '/*' || pattern === '*') return undefined;
  // `/news/*` also matches `/news`.
  return pattern.endsWith('/*') ? [pattern, pattern.slice(0, -2)] : [pattern];
}
