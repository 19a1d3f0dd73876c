import { count } from '../format.ts';

interface Props {
  /** The count of each day. */
  counts: readonly number[];
  /** True if the last day has not ended. */
  isOngoing: boolean;
}

const HEIGHT = 16;

/** A small bar chart of the days of a row. The bar of a day that has not ended is an outline. */
export function Spark({ counts, isOngoing }: Props) {
  const most = Math.max(1, ...counts);
  const bar = (value: number, day: number) => {
    // A day with reports is always visible.
    const height = value === 0 ? 0 : Math.max(1.5, (value / most) * HEIGHT);
    return `M${day} ${HEIGHT}v-${height}h.8v${height}z`;
  };
  const ended = isOngoing ? counts.slice(0, -1) : counts;
  const numbers = counts.map(count).join(', ');
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${counts.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`By day: ${numbers}${isOngoing ? ' so far today' : ''}`}
    >
      <path d={ended.map(bar).join('')} />
      {isOngoing && <path class="so-far" d={bar(counts.at(-1)!, counts.length - 1)} />}
    </svg>
  );
}

/** Adds the counts of several rows; null if those of a row are unknown. */
export function addDays(rows: readonly { dailyCounts: readonly number[] | null }[]): number[] | null {
  const all = rows.map(({ dailyCounts }) => dailyCounts);
  if (!all.every(counts => counts !== null)) return null;
  return all[0]!.map((_, day) => all.reduce((sum, counts) => sum + counts[day]!, 0));
}
