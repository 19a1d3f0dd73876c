/**
 * The keys of this project's advisory locks, which nothing else in a database may use. An announcement adds its id to
 * its key.
 */
export const ADVISORY_LOCKS = {
  migrate: 7_446_858_441,
  /** Held by writers of reports, so that only one at a time changes the daily counts. */
  reports: 7_446_858_442,
  maintain: 7_446_858_443,
  /** Has a key for each announcement, whose author holds the lock. */
  announcements: 744_685_844,
} as const;
