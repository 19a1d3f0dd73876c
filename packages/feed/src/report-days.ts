/** The UTC days, `YYYY-MM-DD`, whose reports the feed takes: the first and the last. */
export interface ReportDays {
  first: string;
  last: string;
}

/** Years for which reports are taken: the longest retention. */
const YEARS = 10;

/**
 * From ten years ago to tomorrow, since clocks differ. A sender has a say in the date of a report, and every month
 * with a report is a partition. Without bounds a few thousand lines would make more of them than PostgreSQL can search.
 */
export function reportDays(now: Date): ReportDays {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return { first: dayOf(year - YEARS, month, day), last: dayOf(year, month, day + 1) };
}

function dayOf(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
}
