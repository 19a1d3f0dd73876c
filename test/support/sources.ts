import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Import {
  /** The path relative to the root of the repository, or the name of a package. */
  target: string;
  /** True for a type-only import. */
  isType: boolean;
  /** True for a dynamic `import()`. */
  isLater: boolean;
}

export interface SourceFile {
  /** The path relative to the root of the repository. */
  path: string;
  text: string;
  imports: readonly Import[];
  tree: ts.SourceFile;
  /** True if the file contains only re-exports. */
  isBarrel: boolean;
}

/** Returns the TypeScript files in a folder of the repository and its subfolders. */
export function listSources(folder: string): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name) && !name.endsWith('.generated.ts'))
    .sort()
    .map(name => new Source(join(folder, name)));
}

/** A source file that is parsed only when its imports or its tree are read. */
class Source implements SourceFile {
  readonly path: string;
  readonly text: string;
  #tree: ts.SourceFile | undefined;
  #imports: Import[] | undefined;

  constructor(path: string) {
    this.path = path;
    this.text = readFileSync(join(ROOT, path), 'utf8');
  }

  get tree(): ts.SourceFile {
    this.#tree ??= parse(this.path, this.text);
    return this.#tree;
  }

  /** Below the imports of a file, only `import()` can occur, so other files are parsed only up to there. */
  get imports(): readonly Import[] {
    this.#imports ??= listImports(
      /\bimport\s*\(/.test(this.text) ? this.tree : parse(this.path, formatHead(this.text)),
    );
    return this.#imports;
  }

  get isBarrel(): boolean {
    const rest = this.text.slice(formatHead(this.text).length);
    return isEmpty(rest) && this.tree.statements.every(isPassedOn);
  }
}

const parse = (path: string, text: string) =>
  ts.createSourceFile(path, text, {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  });

/**
 * Returns the text up to the last line that can end an `import … from` or `export … from`, which can be parsed quickly.
 */
function formatHead(text: string): string {
  const lines = [...text.matchAll(/^.*\b(?:from|import)\s*['"].*$/gm)];
  const last = lines.at(-1);
  return last ? text.slice(0, last.index + last[0].length) : '';
}

/** Returns true for text that consists of comments and white space. */
const isEmpty = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').trim() === '';

const isPassedOn = (statement: ts.Statement) =>
  ts.isImportDeclaration(statement) ||
  (ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined);

function listImports(tree: ts.SourceFile): Import[] {
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

/** Returns the module to which an `import`, an `export … from` or an `import()` refers. */
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
