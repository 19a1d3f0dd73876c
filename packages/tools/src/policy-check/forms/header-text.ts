import { hasSources } from '@sightline/csp';
import {
  DIRECTIVES_WITHOUT_SOURCES,
  DMARC,
  ENFORCED,
  type FilePolicies,
  PolicyCollector,
} from '../policies.ts';

const HEADER = /^\s*([A-Za-z][A-Za-z0-9-]*):(?!\/\/)\s*(.*)$/;

/** Reads headers, one per line, or the text of a single policy. Returns undefined for anything else. */
export function readHeaderText(text: string): FilePolicies | undefined {
  const found = new PolicyCollector();
  const lines = withoutComments(text);
  const first = lines.findIndex(line => line.trim() !== '');
  if (first < 0) return undefined;
  if (/^\s*v=DMARC1\b/i.test(lines[first]!)) found.refuse(DMARC, { line: first + 1 });
  else if (isPolicy(lines[first]!)) found.addHeader(ENFORCED, lines.join(' ').trim(), { line: first + 1 });
  else if (!addHeaders(lines, found)) return undefined;
  return found;
}

/** Adds the headers if every line is a header; returns false otherwise. */
function addHeaders(lines: readonly string[], found: PolicyCollector): boolean {
  let open: { name: string; value: string; line: number } | undefined;
  const close = () => open && found.addHeader(open.name, open.value, { line: open.line });
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '' || /^HTTP\/[\d.]+ \d{3}/.test(line)) continue;
    const header = HEADER.exec(line);
    const isContinued = /^[\t ]/.test(line) && open !== undefined;
    if (isContinued && open) open.value += ` ${line.trim()}`;
    else if (header) {
      close();
      open = { name: header[1]!, value: header[2]!, line: at + 1 };
    } else return false;
  }
  close();
  return true;
}

function isPolicy(line: string): boolean {
  const [name = ''] = line.trim().toLowerCase().split(/[\s;]/, 1);
  return hasSources(name) || DIRECTIVES_WITHOUT_SOURCES.has(name);
}

const withoutComments = (text: string) => text.split(/\r?\n/).map(line => (/^\s*#/.test(line) ? '' : line));
