import { onOneLine, withoutControl } from './one-line.ts';

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
