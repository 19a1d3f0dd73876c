import { MS_PER_DAY, MS_PER_HOUR } from '@sightline/reports';

const MILLISECONDS = { ms: 1, s: 1000, m: 60_000, h: MS_PER_HOUR, d: MS_PER_DAY } as const;

type Unit = keyof typeof MILLISECONDS;

/** The format of a duration, for error messages. */
export const DURATION_FORMAT = 'a duration such as 60, 60s, 500ms, 5m, 1h or 30d';

/**
 * Parses `60` and `60s` (seconds), `500ms`, `5m`, `1h` or `30d` to milliseconds. Returns undefined for anything else.
 */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,7})(ms|s|m|h|d)?$/.exec(text.trim());
  return match ? Number(match[1]) * MILLISECONDS[(match[2] ?? 's') as Unit] : undefined;
}
