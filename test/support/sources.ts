import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Import {
  /** Path below the project's folder, or the name of a package. */
  target: string;
  /** True if it is gone at run time. */
  isType: boolean;
  /** True if it is loaded when that place is reached, by `import()`. */
  isLater: boolean;
}

export interface SourceFile {
  /** Below the project's folder. */
  path: string;
  text: string;
  lines: number;
  imports: readonly Import[];
  tree: ts.SourceFile;
  /** True if it only passes on what others have. */
  isBarrel: boolean;
}

/** The TypeScript files below a folder of the project. */
export function sourcesOf(folder: string): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name) && !name.endsWith('.generated.ts'))
    .sort()
    .map(name => new Source(join(folder, name)));
}

/** Parsed where it is asked for more than its text. */
class Source implements SourceFile {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  #tree: ts.SourceFile | undefined;
  #imports: Import[] | undefined;

  constructor(path: string) {
    this.path = path;
    this.text = readFileSync(join(ROOT, path), 'utf8');
    this.lines = this.text.trimEnd().split('\n').length;
  }

  get tree(): ts.SourceFile {
    this.#tree ??= parse(this.path, this.text);
    return this.#tree;
  }

  /** `import()` may stand anywhere, and all others in the head. */
  get imports(): readonly Import[] {
    this.#imports ??= importsOf(
      /\bimport\s*\(/.test(this.text) ? this.tree : parse(this.path, headOf(this.text)),
    );
    return this.#imports;
  }

  get isBarrel(): boolean {
    const rest = this.text.slice(headOf(this.text).length);
    return isEmpty(rest) && this.tree.statements.every(isPassedOn);
  }
}

const parse = (path: string, text: string) =>
  ts.createSourceFile(path, text, {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  });

/** Up to the last line that could end an `import … from` or an `export … from`: to parse all would take ten times as long. */
function headOf(text: string): string {
  const lines = [...text.matchAll(/^.*\b(?:from|import)\s*['"].*$/gm)];
  const last = lines.at(-1);
  return last ? text.slice(0, last.index + last[0].length) : '';
}

/** Tells whether there is nothing but comments. */
const isEmpty = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').trim() === '';

const isPassedOn = (statement: ts.Statement) =>
  ts.isImportDeclaration(statement) ||
  (ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined);

function importsOf(tree: ts.SourceFile): Import[] {
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    const target = importTarget(node);
    if (target) {
      const isLater = ts.isCallExpression(node);
      found.push({ target: resolve(tree.fileName, target), isType: isTypeImport(node), isLater });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** The module that an `import`, an `export … from` or an `import()` names. */
function importTarget(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    return node.moduleSpecifier && (node.moduleSpecifier as ts.StringLiteral).text;
  }
  if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.ImportKeyword) return undefined;
  const [target] = node.arguments;
  return target && ts.isStringLiteral(target) ? target.text : undefined;
}

function isTypeImport(node: ts.Node): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  if (!ts.isImportDeclaration(node)) return false;
  const { importClause } = node;
  if (!importClause) return false;
  const { isTypeOnly, name, namedBindings } = importClause;
  const isAllTypes =
    !name &&
    namedBindings !== undefined &&
    ts.isNamedImports(namedBindings) &&
    namedBindings.elements.every(element => element.isTypeOnly);
  return isTypeOnly || isAllTypes;
}

function resolve(from: string, target: string): string {
  return target.startsWith('.') ? relative(ROOT, join(ROOT, dirname(from), target)) : target;
}
