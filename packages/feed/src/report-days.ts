/** The first and last UTC day whose reports are accepted, `YYYY-MM-DD`. */
export interface ReportDays {
  first: string;
  last: string;
}

/** Number of past years whose reports are accepted. This is also the longest retention. */
const YEARS = 10;

/**
 * Returns the accepted days: from ten years ago to tomorrow, because clocks differ. Senders control the date of a
 * report, and each month with reports is a partition, so the number of months must be limited.
 */
export function reportDays(now: Date): ReportDays {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return { first: toDay(year - YEARS, month, day), last: toDay(year, month, day + 1) };
}

function toDay(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
}
