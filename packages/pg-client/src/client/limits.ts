/** The numbers of the pool, in milliseconds unless described otherwise. `docs/reliability.md` lists what follows from them. */

/** Running time after which a statement is overdue. */
export const OVERDUE = 300;

/**
 * Interval between checks of running and waiting statements, so that an overdue one is found at most a third late, and
 * between probes of an unavailable server.
 */
export const CHECK_INTERVAL = OVERDUE / 3;

/** Time after PostgreSQL's statement timeout at which a statement counts as lost. */
export const SLACK = 150;

/** Maximum time between two rows of a snapshot. With selective filters, PostgreSQL scans many rows for one result. */
export const ROW_LIMIT = 30_000;

/** Time limit for the probe of an unavailable database. */
export const PROBE_LIMIT = 1000;

/** Number of losses in a row, without an answer in between, after which a server counts as unavailable. */
export const MOST_LOST = 3;

/** Maximum number of quick statements that are pipelined on a connection. */
export const PIPELINE_DEPTH = 4;

/** Running time after which a statement counts as slow and no further statement is pipelined. */
export const QUICK = 20;

/**
 * Number of connections being opened at which no overflow connection is added. Attempts are limited to 20 per second.
 * Even a small pool can overflow by this number.
 */
export const MOST_OPENING = 10;

/** Time after which an idle connection is closed. */
export const IDLE_LIMIT = 5 * 60_000;

/**
 * Interval between calls of `trim`, which closes one idle connection: a pool of 30 shrinks within another idle limit.
 * After the server refused an overflow connection, none is added for this time.
 */
export const TRIM_INTERVAL = IDLE_LIMIT / 30;

/** Maximum lifetime of a connection; the memory of its server process grows over time. */
export const LIFETIME = 60 * 60_000;

/**
 * The recent past: the half-life of the used connection time, and the time without a request from another key after
 * which a key counts as the only active one.
 */
export const RECENT = 2000;

/**
 * Maximum time that a statement waits for others of its request, as a fraction of the statement timeout. It is less
 * than 1, so that a request with one hanging statement still gets the other results.
 */
export const FOR_ITS_OWN = 0.9;

/**
 * Fraction of the queue timeout after which a key's newest statement is sent first. It is below one half, so that most
 * answers are prompt.
 */
export const NEWEST_FIRST = 0.4;
