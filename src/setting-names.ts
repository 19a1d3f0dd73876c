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
    const isOwn = OWN_PREFIX.test(normalized);
    const [nearest] = existing
      .map(setting => ({
        setting,
        distance: getDistance(normalized, setting, isOwn ? Infinity : mostMistakes(setting)),
      }))
      .filter(({ distance }) => distance < Infinity)
      .sort((one, other) => one.distance - other.distance);
    return nearest ? [{ name, nearest: nearest.setting }] : [];
  });
}

/** In a short name, two wrong characters would already make another word. */
function mostMistakes(setting: string): number {
  return setting.length < 8 ? 1 : 2;
}

/**
 * Returns the edit distance, counting insertions, deletions, replacements and swaps of neighbours (optimal string
 * alignment); infinity if it is greater than `limit`. Every command compares each environment variable with each
 * setting, so it stops as soon as that is certain.
 */
function getDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return Infinity;
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
    // A distance of the last row is at least the least of any row.
    if (Math.min(...next) > limit) return Infinity;
    [beforeLast, last] = [last, next];
  }
  const distance = last[other.length]!;
  return distance > limit ? Infinity : distance;
}
