import ts from 'typescript';

/** A position in a file, and a replacement that changes the file's behaviour. */
export interface Point {
  file: string;
  line: number;
  column: number;
  start: number;
  end: number;
  before: string;
  after: string;
}

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '-': '+',
  '+': '-',
  '*': '/',
  '%': '*',
};

const METHODS: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  toLowerCase: 'toUpperCase',
  floor: 'ceil',
  ceil: 'floor',
};

/** Recognises SQL texts, and the replacements of words in them. */
const SQL = /\b(?:select|where|order by|and|exists|least|greatest|set|delete|update)\b/;
const SQL_WORDS: readonly [RegExp, string][] = [
  [/ and (?![^(]*\bbetween\b)/g, ' or '],
  [/ or /g, ' and '],
  [/\bleast\(/g, 'greatest('],
  [/\bgreatest\(/g, 'least('],
  [/\bmin\(/g, 'max('],
  [/\bmax\(/g, 'min('],
  [/ >= /g, ' > '],
  [/ <= /g, ' < '],
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/ <> /g, ' = '],
  [/\bnot exists\b/g, 'exists'],
  [/\bis not null\b/g, 'is null'],
  [/\bis null\b/g, 'is not null'],
  [/ desc\b/g, ' asc'],
  [/\bunion all\b/g, 'union'],
  [/\bdistinct /g, ''],
  [/ \+ /g, ' - '],
  // Removes a condition up to the end of its line.
  [/ and [^\n()]+(?=\n|$)/g, ''],
];

/** Finds possible mutations in a file. */
export function pointsIn(file: string, text: string): Point[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Point[] = [];
  const add = (start: number, end: number, after: string) => {
    const { line, character } = source.getLineAndCharacterOfPosition(start);
    const before = text.slice(start, end);
    found.push({ file, line: line + 1, column: character + 1, start, end, before, after });
  };
  const visit = (node: ts.Node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || isMessage(node)) return;
    change(node, source, add);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** True if the node is the message of an error, which no test needs to check. */
function isMessage(node: ts.Node): boolean {
  return ts.isNewExpression(node) && /Error$/.test(node.expression.getText());
}

type Add = (start: number, end: number, after: string) => void;

function change(node: ts.Node, source: ts.SourceFile, add: Add): void {
  const replace = (of: ts.Node, after: string) => add(of.getStart(source), of.getEnd(), after);
  if (ts.isBinaryExpression(node)) changeOperator(node, replace);
  else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    replace(node, node.operand.getText(source));
  else if (ts.isNumericLiteral(node) && !ts.isPropertyAssignment(node.parent))
    replace(node, otherNumber(node));
  else if (node.kind === ts.SyntaxKind.TrueKeyword) replace(node, 'false');
  else if (node.kind === ts.SyntaxKind.FalseKeyword) replace(node, 'true');
  else if (ts.isIfStatement(node) && isPlain(node.expression))
    replace(node.expression, `!(${node.expression.getText(source)})`);
  else if (ts.isConditionalExpression(node)) swap(node.whenTrue, node.whenFalse, source, add);
  else if (ts.isExpressionStatement(node) && isCall(node.expression)) replace(node, ';');
  else if (ts.isReturnStatement(node) && !node.expression) replace(node, ';');
  else if (ts.isAwaitExpression(node)) replace(node, node.expression.getText(source));
  else if (ts.isCallExpression(node)) swapArguments(node, source, add);
  else if (ts.isPropertyAccessExpression(node) && ts.isCallExpression(node.parent))
    changeMethod(node, replace);
  else if (isText(node)) changeSql(node, source, add);
}

type Replace = (of: ts.Node, after: string) => void;

function changeOperator({ left, operatorToken, right }: ts.BinaryExpression, replace: Replace): void {
  const operator = operatorToken.getText();
  const after = OPERATORS[operator];
  // Removes a default value.
  if (operator === '??') replace(operatorToken.parent, left.getText());
  if (after && !(after === '-' && [left, right].some(isWritten))) replace(operatorToken, after);
}

/** True if an adjacent plus concatenates strings. */
function isWritten(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node)) return isWritten(node.left) || isWritten(node.right);
  return (
    ts.isStringLiteral(node) || ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)
  );
}

function changeMethod({ name }: ts.PropertyAccessExpression, replace: Replace): void {
  const after = Object.hasOwn(METHODS, name.text) && METHODS[name.text];
  if (after) replace(name, after);
}

/** Swaps only arguments of the same form. Others are distinguished by their types. */
function swapArguments(
  { arguments: [one, other] }: ts.CallExpression,
  source: ts.SourceFile,
  add: Add,
): void {
  if (one && other && one.kind === other.kind && (ts.isIdentifier(one) || ts.isPropertyAccessExpression(one)))
    swap(one, other, source, add);
}

function otherNumber({ text }: ts.NumericLiteral): string {
  return Number(text) === 0 ? '1' : String(2 * Number(text));
}

/** True if no part of the condition is mutated by itself. */
function isPlain(condition: ts.Expression): boolean {
  return !ts.isBinaryExpression(condition) && !ts.isPrefixUnaryExpression(condition);
}

/** Calls of `super` must stay, or the class cannot be constructed. */
function isCall(node: ts.Expression): boolean {
  if (ts.isAwaitExpression(node)) return isCall(node.expression);
  return ts.isCallExpression(node) && node.expression.kind !== ts.SyntaxKind.SuperKeyword;
}

function swap(one: ts.Node, other: ts.Node, source: ts.SourceFile, add: Add): void {
  const between = source.text.slice(one.getEnd(), other.getStart(source));
  add(one.getStart(source), other.getEnd(), other.getText(source) + between + one.getText(source));
}

type Text = ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateLiteralToken;

function isText(node: ts.Node): node is Text {
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node)
  );
}

function changeSql(node: Text, source: ts.SourceFile, add: Add): void {
  const text = node.getText(source);
  if (!source.fileName.startsWith('sql/') || !SQL.test(text)) return;
  for (const [word, after] of SQL_WORDS)
    for (const { index, 0: before } of text.matchAll(word)) {
      const start = node.getStart(source) + index;
      add(start, start + before.length, after);
    }
}
