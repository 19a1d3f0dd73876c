/**
 * Truncates a text with an ellipsis.
 * @param length maximum length in UTF-16 code units, which no receiver counts more strictly
 */
export function truncateText(text: string, length: number): string {
  if (text.length <= length) return text;
  // The replacement removes half of a surrogate pair at the end.
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
