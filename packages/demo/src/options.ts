/** A personal account on the enterprise plan, with all features and plenty of everything. */
export const DEMO_PERSONAL = 'demo-personal';
/** A team on the business plan, without Threat Intelligence. */
export const DEMO_TEAM = 'demo-team';

export interface DemoOptions {
  /** The number of accounts. The first eight have fixed ids and plans, the others vary. */
  accounts: number;
  /** The number of reports, of all accounts together. */
  reports: number;
  /** The number of audit events, of all accounts together. */
  auditEvents: number;
  /** Over how many days, today being the last. */
  days: number;
  /** The first account's share of reports and audit events, 0 to 1; the others have a heavy tail. */
  largest: number;
  seed: number;
  /** `YYYY-MM-DD`, in UTC. */
  today: string;
  /** Hours of today that are over, 0 to 6: so many there are reports of, that none is of the future. */
  hoursOfToday: number;
}

/** The demo of a first start: small enough for two seconds, large enough to page, filter and graph. */
export const DEMO_DEFAULTS: Omit<DemoOptions, 'today'> = {
  accounts: 8,
  reports: 20_000,
  auditEvents: 4_000,
  days: 120,
  largest: 0.4,
  seed: 1,
  hoursOfToday: 6,
};

const HOUR = 60 * 60 * 1000;

/** Today as far as it is over, for a demo in which nothing is of the future. @param now milliseconds since 1970 */
export function demoToday(now: number): Pick<DemoOptions, 'today' | 'hoursOfToday'> {
  const date = new Date(now);
  const hours = Math.floor((now % (24 * HOUR)) / HOUR);
  return {
    today: date.toISOString().slice(0, 10),
    hoursOfToday: Math.min(hours, DEMO_DEFAULTS.hoursOfToday),
  };
}
