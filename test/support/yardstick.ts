/** Milliseconds of processor time that the yardstick takes on a quiet core of 2026. */
const QUIET = 8;

/** Of the size of a large request. */
const TEXT = JSON.stringify(
  Array.from({ length: 20_000 }, (_, i) => ({ id: `id-${i}`, at: i, of: [i, null] })),
);

/**
 * How many times as much processor time the same work takes now as on a quiet machine, where other work shares its
 * cores and caches; at least 1. What must cost little is held to a multiple of this, measured at the same moment.
 */
export function slowness(): number {
  const before = process.cpuUsage();
  JSON.parse(TEXT);
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, (user + system) / 1000 / QUIET);
}
