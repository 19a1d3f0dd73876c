import type { Spread } from './statistics.ts';

/** Formats a Markdown table. The first column is text, the others are numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map(row => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => pad(cells[column] ?? '', width, column)).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return `${[line(head), rule, ...rows.map(line)].join('\n')}\n`;
}

function pad(text: string, width: number, column: number): string {
  return column === 0 ? text.padEnd(width) : text.padStart(width);
}

/** Formats a number with three significant digits. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return Math.abs(value) >= 10
    ? value.toFixed(1)
    : Math.abs(value) >= 0.1
      ? value.toFixed(2)
      : value.toFixed(3);
}

/** Formats the median, followed by the minimum and maximum in parentheses. */
export function spread({ median, least, most }: Spread): string {
  return `${number(median)} (${number(least)}–${number(most)})`;
}
