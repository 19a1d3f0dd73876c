/** Prefixes that are used only by Sightline's settings. */
const OWN_PREFIX = /^(?:COLLECT|ENRICH|RATE_LIMIT)_/;

/** An unknown name, and the setting that was probably meant. */
export interface MisspeltSetting {
  name: string;
  nearest: string;
}

/** Finds misspelt settings, since the intended setting would silently have its default. */
export function findMisspelt(names: readonly string[], existing: readonly string[]): MisspeltSetting[] {
  const others = names.filter(name => !existing.includes(name));
  return others.flatMap(name => {
    const normalized = name
      .toUpperCase()
      .replaceAll('-', '_')
      .replace(/^SIGHTLINE_(?!KEY)/, '');
    const [nearest] = existing
      .map(setting => ({ setting, distance: getDistance(normalized, setting) }))
      .sort((one, other) => one.distance - other.distance);
    if (!nearest) return [];
    const isNear = nearest.distance <= (nearest.setting.length < 8 ? 1 : 2);
    return isNear || OWN_PREFIX.test(normalized) ? [{ name, nearest: nearest.setting }] : [];
  });
}

/**
 * Returns the edit distance, counting insertions, deletions, replacements and swaps of neighbours (optimal string
 * alignment).
 */
function getDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let least = Math.min(next[column - 1]! + 1, last[column]! + 1, last[column - 1]! + Number(!isSame));
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (row > 1 && column > 1 && isSwapped) least = Math.min(least, beforeLast[column - 2]! + 1);
      next.push(least);
    }
    [beforeLast, last] = [last, next];
  }
  return last[other.length]!;
}
