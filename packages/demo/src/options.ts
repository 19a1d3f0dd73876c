import { MS_PER_DAY, MS_PER_HOUR } from '@sightline/reports';

/** A personal account on the enterprise plan, with all features and plenty of data. */
export const DEMO_PERSONAL = 'demo-personal';
/** A team on the business plan, without Threat Intelligence. */
export const DEMO_TEAM = 'demo-team';

export interface DemoOptions {
  /** The number of accounts. The first eight have fixed ids and plans, the others vary. */
  accounts: number;
  /** The total number of reports. */
  reports: number;
  /** The total number of audit events. */
  auditEvents: number;
  /** The number of days, up to and including today. */
  days: number;
  /** The first account's share of reports and audit events, 0 to 1. The other accounts form a heavy tail. */
  largest: number;
  seed: number;
  /** `YYYY-MM-DD`, in UTC. */
  today: string;
  /**
   * The number of hours of today that have reports, 0 to 6. It is at most the hours that have passed, so that no report
   * is in the future.
   */
  hoursOfToday: number;
  /** Adds the incidents of incidents.ts, with reports beyond the requested number. */
  incidents?: boolean;
}

/** The demo of a first start: small enough to load in two seconds, large enough for pages, filters and graphs. */
export const DEMO_DEFAULTS: Omit<DemoOptions, 'today'> = {
  accounts: 8,
  reports: 20_000,
  auditEvents: 4_000,
  days: 120,
  largest: 0.4,
  seed: 1,
  hoursOfToday: 6,
};

/**
 * Returns today and the number of its hours that have passed, for a demo without reports in the future.
 * @param now milliseconds since 1970
 */
export function demoToday(now: number): Pick<DemoOptions, 'today' | 'hoursOfToday'> {
  const date = new Date(now);
  const hours = Math.floor((now % MS_PER_DAY) / MS_PER_HOUR);
  return {
    today: date.toISOString().slice(0, 10),
    hoursOfToday: Math.min(hours, DEMO_DEFAULTS.hoursOfToday),
  };
}
