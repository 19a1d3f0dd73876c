/** Zones at both ends of the map: the local day begins long after the UTC day, and long before it. */
export const ZONES = ['America/New_York', 'Pacific/Kiritimati'];

/** Returns what a function returns when the local time is that of a zone. Node reads the variable again when it is set. */
export function inZone<Result>(zone: string, run: () => Result): Result {
  const { TZ } = process.env;
  process.env.TZ = zone;
  try {
    return run();
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
}
