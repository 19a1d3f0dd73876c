import { measureEditDistance } from '@sightline/reports';

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
        distance: measureEditDistance(normalized, setting, isOwn ? Infinity : mostMistakes(setting)),
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
