import { onOneLine, withoutControl } from './one-line.ts';

/** Prints a result to standard output. */
export function print(line: string): void {
  process.stdout.write(`${withoutControl(line)}\n`);
}

/** Prints a message to standard error. */
export function say(line: string): void {
  process.stderr.write(`${withoutControl(line)}\n`);
}

/** Prints a result as JSON. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Formats a table whose columns are as wide as their content. The first row is the header. */
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
