import type { Standing } from './standing.ts';
import type { Lane } from './work.ts';

/** Quick statements that may be under way on a connection at once. */
const DEPTH = 4;

/** Milliseconds after which a statement turns out not to be quick: nothing is sent behind it any more. */
const QUICK = 20;

/** True where a statement of this key is on it. */
export function holds({ items }: Lane, standing: Standing): boolean {
  for (const item of items) if (item.standing === standing) return true;
  return false;
}

/** Nothing is sent behind a statement that is not quick, or turns out not to be. */
function isOpen({ connection, items }: Lane, now: number): boolean {
  return items.at(-1)!.quick && items[0]!.since > now - QUICK && !connection.isLost;
}

/** True if a key's statement may be sent behind those on this connection. */
export function isShareable(lane: Lane, now: number): boolean {
  return lane.items.length < DEPTH && !lane.items[0]!.standing.isOwn && isOpen(lane, now);
}

/** The connection with the fewest statements among those that can be shared. */
export function leastOf(
  lanes: readonly Lane[],
  now: number,
  isFit: (lane: Lane) => boolean,
): Lane | undefined {
  let least: Lane | undefined;
  for (const lane of lanes) {
    const isLess = lane.items.length < (least?.items.length ?? DEPTH);
    if (isLess && isOpen(lane, now) && isFit(lane)) least = lane;
  }
  return least;
}
