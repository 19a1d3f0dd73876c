/** A result, on standard output. */
export function print(line: string): void {
  process.stdout.write(`${withoutControl(line)}\n`);
}

/** Talk, on standard error. */
export function say(line: string): void {
  process.stderr.write(`${withoutControl(line)}\n`);
}

/** A result for a program. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Control characters, but for ends of lines; and what turns the direction of writing. */
const CONTROL = /[^\P{Cc}\n]|\p{Bidi_Control}/gu;
const REPLACEMENT = '\u{FFFD}';

/** Without what a terminal would obey: data comes from strangers. */
function withoutControl(text: string): string {
  return text.replace(CONTROL, REPLACEMENT);
}

/** The same of what has to stay on its line. */
export function onOneLine(text: string): string {
  return withoutControl(text.replaceAll('\n', REPLACEMENT));
}

/** Columns as wide as they need to be, the first row being the heading. */
export function table(rows: readonly (readonly string[])[]): string {
  const printable = rows.map(row => row.map(onOneLine));
  const widths = printable[0]!.map((_, column) => Math.max(...printable.map(row => row[column]!.length)));
  return printable
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
