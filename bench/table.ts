/** A text, a figure, or the figure of each round, of which the median is shown, with the smallest and the largest. */
export type Cell = string | number | readonly number[];

/** Formats a Markdown table. The first column is text, the others are figures. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows.map(row => row.map(toText))];
  const widths = head.map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0)));
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  const pad = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[column]!) : text.padStart(widths[column]!);
  const [first, ...others] = lines.map(line => line.map(pad));
  return `${[first, rule, ...others].map(line => `| ${line!.join(' | ')} |`).join('\n')}\n\n`;
}

function toText(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'number') return number(cell);
  const middle = number(median(cell));
  return cell.length > 1 ? `${middle} (${number(Math.min(...cell))}–${number(Math.max(...cell))})` : middle;
}

/** Formats a number with three significant digits. */
function number(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

/** The quantile of values, with linear interpolation. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = part * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
