/**
 * Truncates a text with an ellipsis.
 * @param length maximum length in UTF-16 code units, which no receiver counts more strictly
 */
export function truncateText(text: string, length: number): string {
  if (text.length <= length) return text;
  // The replacement removes half of a surrogate pair at the end.
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * Returns the number of insertions, deletions, replacements and swaps of neighbours between two texts (optimal string
 * alignment); infinity as soon as it is certain to be greater than `limit`.
 */
export function measureEditDistance(one: string, other: string, limit = Number.POSITIVE_INFINITY): number {
  if (Math.abs(one.length - other.length) > limit || lacksMore(other, one, limit))
    return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    // Farther from the diagonal, the distance exceeds the limit.
    const [begin, end] = [Math.max(1, row - limit), Math.min(other.length, row + limit)];
    const next: number[] = Array(begin).fill(row);
    let leastOfRow = row;
    for (let column = begin; column <= end; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const above = last[column] ?? Number.POSITIVE_INFINITY;
      let least = Math.min(next[column - 1]! + 1, above + 1, last[column - 1]! + Number(!isSame));
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (row > 1 && column > 1 && isSwapped) least = Math.min(least, beforeLast[column - 2]! + 1);
      next.push(least);
      leastOfRow = Math.min(leastOfRow, least);
    }
    // A distance of the last row is at least the least of any row.
    if (leastOfRow > limit) return Number.POSITIVE_INFINITY;
    [beforeLast, last] = [last, next];
  }
  const distance = last[other.length]!;
  return distance > limit ? Number.POSITIVE_INFINITY : distance;
}

/** Checks whether more than `limit` characters of `other` do not occur in `text`. Each would need an edit. */
function lacksMore(text: string, other: string, limit: number): boolean {
  let lacking = 0;
  for (let at = 0; at < other.length && lacking <= limit; at++) if (!text.includes(other[at]!)) lacking++;
  return lacking > limit;
}
