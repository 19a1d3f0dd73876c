import { type FilePolicies, type Place, PolicyCollector, readHeaderName } from '../policies.ts';

/** A directive of an nginx configuration, such as `location / {`, split into words. */
interface Statement {
  words: string[];
  line: number;
  isBlock: boolean;
}

export const isNginx = (text: string) => /(?:^|[\s{;])(?:add_header|more_set_headers)\s/.test(text);

/** Reads the policies in an nginx configuration or a fragment of one. */
export function readNginx(text: string): FilePolicies {
  const found = new PolicyCollector();
  const variables = new Map<string, string>();
  const blocks: Statement[] = [];
  const hosts: (readonly string[])[] = [];
  for (const statement of readStatements(text)) {
    const [name = '', ...values] = statement.words;
    if (name === '}') {
      if (blocks.pop()?.words[0] === 'server') hosts.pop();
    } else if (statement.isBlock) {
      blocks.push(statement);
      if (name === 'server') hosts.push([]);
    } else if (name === 'server_name' && hosts.length > 0)
      hosts.push([...new Set([...hosts.pop()!, ...values])]);
    else if (name === 'set' && values.length === 2)
      variables.set(values[0]!, withVariables(values[1]!, variables));
    else if (name === 'add_header' || name === 'more_set_headers')
      addHeaders(name, values, found, { variables, blocks, line: statement.line, hosts: hosts.at(-1) });
  }
  return found;
}

interface Scope {
  variables: ReadonlyMap<string, string>;
  blocks: readonly Statement[];
  line: number;
  hosts: readonly string[] | undefined;
}

function addHeaders(name: string, values: readonly string[], found: PolicyCollector, scope: Scope): void {
  const headers =
    name === 'add_header'
      ? [[values[0] ?? '', values[1] ?? '']]
      : values.filter(value => value.includes(':')).map(value => splitHeader(value));
  for (const [header = '', value = ''] of headers) {
    if (!readHeaderName(header)) continue;
    const place = { line: scope.line, ...getLocation(scope.blocks), hosts: getHosts(scope.hosts) };
    if (place.reason) found.refuse(place.reason, place);
    else found.addHeader(header, withVariables(value, scope.variables), place);
  }
}

const splitHeader = (text: string) => [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)];

/** Returns the pages of the innermost location. */
function getLocation(blocks: readonly Statement[]): Partial<Place> & { reason?: string } {
  const condition = blocks.find(({ words }) => ['if', 'limit_except'].includes(words[0]!));
  const block = blocks.findLast(({ words }) => words[0] === 'location');
  const words = block?.words.slice(1) ?? [];
  const location = words.join(' ') || undefined;
  if (condition)
    return { location, reason: `It is sent under a condition: ${condition.words.join(' ').slice(0, 80)}.` };
  if (!block) return {};
  const [first = '', path = first] = words;
  if (first === '=') return { location, paths: [path] };
  if (/^~\*?$/.test(first) || first.startsWith('@'))
    return {
      location,
      reason: `The pages of "location ${location}" cannot be determined: check the policy in a separate file, with --path.`,
    };
  return path === '/' ? { location } : { location, paths: [`${path}*`] };
}

/** Returns the hosts of a server block; undefined if they cannot be listed, as with `_` and regular expressions. */
function getHosts(names: readonly string[] | undefined): readonly string[] | undefined {
  if (!names || names.length === 0) return undefined;
  if (names.some(name => /^~|[$]|^_$|^localhost$|^$|\*$/.test(name))) return undefined;
  return names.flatMap(name => (name.startsWith('.') ? [name.slice(1), `*${name}`] : [name]));
}

function withVariables(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced, plain) => {
    const value = variables.get(`$${braced ?? plain}`);
    // The length is limited, because nested variables could double it with each line.
    return value === undefined || value.length > 16_000 ? whole : value;
  });
}

const TOKEN =
  /#[^\n]*|"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|[{};]|(?:[^\s;{}"'#\\$]|\\[\s\S]|\$\{\w+\}|\$)[^\s;{}]*|\n|./g;

function* readStatements(text: string): Generator<Statement> {
  let [words, line, began]: [string[], number, number] = [[], 1, 1];
  for (const [token, double, single] of text.matchAll(TOKEN)) {
    if (token === ';' || token === '{' || token === '}') {
      if (words.length > 0) yield { words, line: began, isBlock: token === '{' };
      if (token === '}') yield { words: ['}'], line, isBlock: false };
      words = [];
    } else if (!token.startsWith('#') && token.trim() !== '') {
      if (words.length === 0) began = line;
      words.push((double ?? single ?? token).replace(/\\(["'\\])/g, '$1'));
    }
    line += token.split('\n').length - 1;
  }
  if (words.length > 0) yield { words, line: began, isBlock: false };
}
