import { hasSources } from '@sightline/csp';
import { isMap, isPair, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from 'yaml';
import {
  DIRECTIVES_WITHOUT_SOURCES,
  ENFORCED,
  type FilePolicies,
  type Place,
  PolicyCollector,
  readHeaderName,
} from '../policies.ts';

export const isJson = (name: string, text: string) => /\.jsonc?$/i.test(name) || /^\s*[[{"]/.test(text);

const DEEPEST = 60;

/**
 * Reads headers in JSON: lists of `{ key, value }`, objects by name, `vercel.json`, `firebase.json` and similar files,
 * a string, or an object of directives. The YAML parser provides line numbers and detects duplicate names.
 * @throws {SyntaxError} for invalid JSON
 */
export function readJson(text: string): FilePolicies {
  JSON.parse(text);
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: false,
    schema: 'json',
    merge: false,
  });
  const found = new PolicyCollector();
  const toLine = (node: unknown) => lines.linePos((node as Node).range?.[0] ?? 0).line;
  const root = document.contents;
  if (isScalar(root) && typeof root.value === 'string')
    found.addHeader(ENFORCED, root.value, { line: toLine(root) });
  else if (isMap(root) && isDirectives(root)) addDirectives(root, found, { line: toLine(root) });
  else new Walk(found, toLine).visit(root, {}, 0);
  return found;
}

type Scope = Omit<Place, 'line'> & { reason?: string | undefined };

class Walk {
  readonly #found: PolicyCollector;
  readonly #toLine: (node: unknown) => number;

  constructor(found: PolicyCollector, toLine: (node: unknown) => number) {
    this.#found = found;
    this.#toLine = toLine;
  }

  visit(node: unknown, outer: Scope, depth: number): void {
    if (depth > DEEPEST) {
      this.#found.refuse('It is nested too deeply.', { line: this.#toLine(node) });
      return;
    }
    if (isSeq(node)) for (const item of node.items) this.visit(item, outer, depth + 1);
    if (!isMap(node)) return;
    const scope = readScope(node, outer);
    const [name, value] = [getText(node, ['key', 'name']), findPair(node, ['value'])];
    if (name !== undefined && readHeaderName(name)) {
      this.#add(name, value ?? node, scope);
      return;
    }
    for (const pair of node.items) {
      const key = isScalar(pair.key) ? String(pair.key.value) : '';
      if (readHeaderName(key)) this.#add(key, pair, scope);
      else this.visit(pair.value, scope, depth + 1);
    }
  }

  #add(name: string, at: Pair | Node, scope: Scope): void {
    const value = isPair(at) ? at.value : undefined;
    const place = { ...scope, line: this.#toLine(isPair(at) ? at.key : at) };
    if (scope.reason) this.#found.refuse(scope.reason, place);
    else if (isMap(value) && isDirectives(value)) addDirectives(value, this.#found, place, name);
    else this.#addTexts(name, isSeq(value) ? value.items : [value], place);
  }

  #addTexts(name: string, values: readonly unknown[], place: Place): void {
    for (const one of values) {
      if (isScalar(one) && typeof one.value === 'string') this.#found.addHeader(name, one.value, place);
      else this.#found.refuse('Its value is not text.', place);
    }
  }
}

const LOCATIONS = ['source', 'route', 'for', 'path', 'regex', 'glob'];
const CONDITIONS = ['has', 'missing', 'locale'];

/** Returns the pages to which an object's headers apply, if it names them. */
function readScope(node: unknown, outer: Scope): Scope {
  if (!isMap(node) || !['headers', 'values'].some(name => findPair(node, [name]))) return outer;
  const location = getText(node, LOCATIONS);
  if (CONDITIONS.some(name => findPair(node, [name])))
    return { ...outer, location, reason: 'It is sent under a condition that reports do not contain.' };
  if (location === undefined) return outer;
  const paths = toPaths(location);
  const reason = `The pages of "${location}" cannot be determined: check the policy in a separate file, with --path.`;
  return paths === 'unknown' ? { ...outer, location, reason } : { ...outer, location, paths };
}

/**
 * Converts a location of Vercel, Next.js, Firebase and others to path patterns, if it consists only of prefixes,
 * placeholders and wildcards.
 */
function toPaths(location: string): string[] | undefined | 'unknown' {
  const pattern = location
    .replace(/^\^|\$$/g, '')
    .replace(/\(\.\*\)|(?<!\*)\.\*|:\w+[*+]|:\w+\(\.\*\)|\*\*(?:\/\*)?/g, '*')
    .replace(/:\w+(?![\w(*+?])/g, '*')
    .replace(/^\/?\*+$/, '*');
  if (pattern === '*') return undefined;
  if (/[()|[\]{}?\\+^$!]/.test(pattern) || pattern === '') return 'unknown';
  const path = pattern.startsWith('/') || pattern.startsWith('*') ? pattern : `/${pattern}`;
  return path.endsWith('/*') ? [path, path.slice(0, -2) || '/'] : [path];
}

const toName = (key: unknown) =>
  String((key as { value?: unknown })?.value ?? '').replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

/** Checks whether an object is a policy by directive, as in helmet. */
function isDirectives(node: unknown): boolean {
  return (
    isMap(node) &&
    node.items.length > 0 &&
    node.items.every(
      ({ key }) =>
        hasSources(toName(key)) || DIRECTIVES_WITHOUT_SOURCES.has(toName(key)) || isKnown(toName(key)),
    ) &&
    node.items.some(({ key }) => hasSources(toName(key)))
  );
}
const isKnown = (name: string) => name === 'require-trusted-types-for' || name === 'block-all-mixed-content';

function addDirectives(node: unknown, found: PolicyCollector, place: Place, name: string = ENFORCED): void {
  if (!isMap(node)) return;
  const directives: string[] = [];
  for (const { key, value } of node.items) {
    const plain = (value as Node | null)?.toJSON() as unknown;
    const values = Array.isArray(plain) ? plain : plain === true ? [] : [plain];
    if (plain === null || plain === false) continue;
    if (!values.every(one => typeof one === 'string' && !/[;,]/.test(one))) {
      found.refuse(`The value of ${toName(key)} is not a list of sources.`, place);
      return;
    }
    directives.push([toName(key), ...values].join(' '));
  }
  found.addHeader(name, directives.join('; '), place);
}

function findPair(node: unknown, names: readonly string[]): Pair | undefined {
  if (!isMap(node)) return undefined;
  return node.items.find(({ key }) => isScalar(key) && names.includes(String(key.value)));
}

function getText(node: unknown, names: readonly string[]): string | undefined {
  const value = findPair(node, names)?.value;
  return isScalar(value) && typeof value.value === 'string' ? value.value : undefined;
}
