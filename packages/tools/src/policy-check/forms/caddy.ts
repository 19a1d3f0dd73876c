import { type FilePolicies, type Place, PolicyCollector, readHeaderName } from '../policies.ts';

interface Line {
  words: string[];
  line: number;
}

export const isCaddy = (text: string) => /^[\t ]*header\s/m.test(text);

/** The pages to which a block applies, or the reason why they cannot be determined. */
type Scope = Partial<Place> & { reason?: string | undefined };

/** Reads the policies in a Caddyfile or a fragment of one. */
export function readCaddy(text: string): FilePolicies {
  const found = new PolicyCollector();
  const lines = readLines(text);
  const matchers = readMatchers(lines);
  const blocks: { kind: string; scope: Scope }[] = [];
  for (const { words, line } of lines) {
    const isBlock = words.at(-1) === '{';
    const [name = '', ...values] = isBlock ? words.slice(0, -1) : words;
    const outer = blocks.at(-1)?.scope ?? {};
    if (name === '}') blocks.pop();
    else if (name === 'header') {
      const scope = narrow(outer, values, matchers);
      if (isBlock) blocks.push({ kind: 'header', scope });
      else addField(values.slice(isMatcher(values[0]) ? 1 : 0), found, scope, line);
    } else if (blocks.at(-1)?.kind === 'header') {
      addField([name, ...values], found, outer, line);
      if (isBlock) blocks.push({ kind: name, scope: outer });
    } else if (isBlock)
      blocks.push({ kind: name, scope: openBlock(name, values, outer, blocks.length, matchers) });
  }
  return found;
}

const ROUTES = new Set(['handle', 'handle_path', 'route']);

function openBlock(name: string, values: readonly string[], outer: Scope, depth: number, matchers: Matchers) {
  if (ROUTES.has(name)) return narrow(outer, values, matchers);
  if (depth > 0 || name === '' || name.startsWith('(') || name.startsWith('@')) return outer;
  return { ...outer, ...toHosts([name, ...values]) };
}

/** Returns the hosts of a site block. A bare port or a placeholder matches every host. */
function toHosts(addresses: readonly string[]): Scope {
  const hosts = addresses
    .flatMap(address => address.split(','))
    .filter(address => address !== '')
    .map(address => address.replace(/^https?:\/\//, '').replace(/[:/].*$/, ''));
  const isAny = hosts.length === 0 || hosts.some(host => host === '' || /[{}$]|^localhost$/.test(host));
  return isAny ? {} : { hosts };
}

const isMatcher = (word: string | undefined) => word !== undefined && /^(?:\*$|\/|@)/.test(word);

function narrow(outer: Scope, [word]: readonly string[], matchers: Matchers): Scope {
  if (!isMatcher(word) || word === '*') return outer;
  if (word!.startsWith('/')) return { ...outer, location: word, paths: [word!] };
  const paths = matchers.get(word!);
  const reason = `The pages of the matcher ${word} cannot be determined: check the policy in a separate file, with --path.`;
  return paths ? { ...outer, location: word, paths } : { ...outer, location: word, reason };
}

/** Adds a header from `Field value`; the field can have the prefix `+`, `?` or `>`. */
function addField(
  [field = '', ...values]: readonly string[],
  found: PolicyCollector,
  scope: Scope,
  line: number,
) {
  const name = field.replace(/^[+?>]/, '').replace(/:$/, '');
  if (!readHeaderName(name)) return;
  const place = { ...scope, line };
  if (scope.reason) found.refuse(scope.reason, place);
  else if (values.length !== 1)
    found.refuse(
      'It replaces a part of a header, or is not quoted: write the whole policy in quotes.',
      place,
    );
  else found.addHeader(name, values[0]!.replace(/\s*\n\s*/g, ' '), place);
}

type Matchers = ReadonlyMap<string, readonly string[] | undefined>;

/** Returns the named matchers. Only matchers that consist of paths are supported. */
function readMatchers(lines: readonly Line[]): Matchers {
  const matchers = new Map<string, readonly string[] | undefined>();
  for (const [at, { words }] of lines.entries()) {
    const [name = '', kind, ...values] = words;
    if (!name.startsWith('@')) continue;
    const next = lines[at + 1]?.words ?? [];
    const isShort = kind === '{' && next[0] === 'path' && lines[at + 2]?.words[0] === '}';
    const paths = kind === 'path' ? values : isShort ? next.slice(1) : undefined;
    matchers.set(name, matchers.has(name) ? undefined : paths);
  }
  return matchers;
}

const TOKEN =
  /"((?:[^"\\]|\\[\s\S])*)"|`([^`]*)`|<<([A-Z_a-z-]+)\n([\s\S]*?)\n[ \t]*\3(?=\s|$)|#[^\n]*|\\\n|\n|[^\s"`]\S*|./g;

function readLines(text: string): Line[] {
  const lines: Line[] = [];
  let [words, line, began]: [string[], number, number] = [[], 1, 1];
  const end = () => {
    if (words.length > 0) lines.push({ words, line: began });
    words = [];
  };
  for (const [token, double, back, , here] of text.replaceAll('\r\n', '\n').matchAll(TOKEN)) {
    const word = double?.replace(/\\(["\\])/g, '$1') ?? back ?? here ?? token;
    const isComment = token.startsWith('#');
    if (token === '\n') end();
    else if (!isComment && token !== '\\\n' && token.trim() !== '') {
      if (words.length === 0) began = line;
      words.push(word);
    }
    line += token.split('\n').length - 1;
  }
  end();
  return lines;
}
