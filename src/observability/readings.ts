import type { DatabaseCounters } from '@sightline/pg-client';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ServerState } from '../../sql/servers/servers.ts';

/** The number of decisions since the start. */
export interface RateLimitCounters {
  passed: number;
  refused: number;
  /** Decisions made by this process alone, because Redis or the parent process did not respond. */
  local: number;
}

/** Hits and misses of the cache since the start, and its size. */
export interface AnswerCounters {
  hits: number;
  misses: number;
  answers: number;
  bytes: number;
}

/** Counters of the service's parts, which are read when metrics are requested. */
export interface ServiceSources {
  database: { readonly counters: DatabaseCounters };
  servers: { readonly areSeveral: boolean; readonly states: readonly ServerState[] };
  rateLimit: { readonly counters: RateLimitCounters };
  /** Undefined without Redis. */
  redis: { readonly status: string } | undefined;
}

export interface AnswerSource {
  readonly counters: AnswerCounters;
}

export interface Reading<Source> {
  /** Ends in `_total` if it never decreases. */
  name: string;
  help: string;
  /** Combines the values of several processes. Defaults to the sum. */
  aggregator?: 'min' | 'max';
  /** Undefined if there is nothing to read. */
  read(source: Source): number | LabelledValues | undefined;
}

/** Values by label value. */
interface LabelledValues {
  label: string;
  values: Readonly<Record<string, number>>;
}

const SECONDS = 1 / 1000;

function ofEach(
  { areSeveral, states }: ServiceSources['servers'],
  value: (state: ServerState) => number,
): LabelledValues | undefined {
  if (!areSeveral) return undefined;
  return {
    label: 'server',
    values: Object.fromEntries(states.map(state => [state.name, value(state)])),
  };
}

export const SERVICE_READINGS: Reading<ServiceSources>[] = [
  {
    name: 'sightline_database_pool_size',
    help: 'Maximum number of connections, and of running statements.',
    read: ({ database }) => database.counters.poolSize,
  },
  {
    name: 'sightline_database_statements_running',
    help: 'Statements at work.',
    read: ({ database }) => database.counters.running,
  },
  {
    name: 'sightline_database_statements_waiting',
    help: 'Statements that wait for a free connection.',
    read: ({ database }) => database.counters.waiting,
  },
  {
    name: 'sightline_database_statements_total',
    help: 'Statements that ended.',
    read: ({ database }) => database.counters.ended.count,
  },
  {
    name: 'sightline_database_statement_seconds_total',
    help: 'Total running time of statements.',
    read: ({ database }) => database.counters.ended.milliseconds * SECONDS,
  },
  {
    name: 'sightline_database_statements_failed_total',
    help: 'Statements that ended with an error.',
    read: ({ database }) => database.counters.failed,
  },
  {
    name: 'sightline_database_waits_total',
    help: 'Statements that waited for a connection and got one.',
    read: ({ database }) => database.counters.waited.count,
  },
  {
    name: 'sightline_database_wait_seconds_total',
    help: 'Time that they waited.',
    read: ({ database }) => database.counters.waited.milliseconds * SECONDS,
  },
  {
    name: 'sightline_database_statements_refused_total',
    help: 'Statements never sent: queue full, no connection in time (late), key slow, or server of the account lost.',
    read: ({ database }) => ({ label: 'reason', values: database.counters.refused }),
  },
  {
    name: 'sightline_database_driver_replacements_total',
    help: 'Connections abandoned because they did not respond.',
    read: ({ database }) => database.counters.replacements,
  },
  {
    name: 'sightline_database_up',
    aggregator: 'min',
    help: '1 while the database responds, 0 while it counts as unavailable and statements fail immediately.',
    read: ({ database }) => Number(!database.counters.isAway),
  },
  {
    name: 'sightline_database_connections',
    help: 'Connections that are open or being opened.',
    read: ({ database }) => database.counters.connections,
  },
  {
    name: 'sightline_database_connection_attempts_total',
    help: 'Attempts to open a connection.',
    read: ({ database }) => database.counters.attempts,
  },
  {
    name: 'sightline_database_server_in_use',
    help: 'Processes whose requests read from the server; absent without DATABASE_READ_URL.',
    read: ({ servers }) => ofEach(servers, ({ isInUse }) => Number(isInUse)),
  },
  {
    name: 'sightline_database_server_up',
    aggregator: 'min',
    help: '1 if the server responded to the last check, 0 otherwise; absent without DATABASE_READ_URL.',
    read: ({ servers }) => ofEach(servers, ({ isUp }) => Number(isUp)),
  },
  {
    name: 'sightline_database_server_lag_seconds',
    aggregator: 'max',
    help: 'Upper bound of the replication lag of the server; +Inf if it is unknown; absent without DATABASE_READ_URL.',
    read: ({ servers }) => ofEach(servers, ({ lag }) => lag * SECONDS),
  },
  {
    name: 'sightline_database_server_round_trip_seconds',
    aggregator: 'max',
    help: 'The shortest of the recent round trips; absent without DATABASE_READ_URL.',
    read: ({ servers }) => ofEach(servers, ({ roundTrip }) => roundTrip * SECONDS),
  },
  {
    name: 'sightline_rate_limit_decisions_total',
    help: 'Requests that the rate limit let pass and refused.',
    read: ({ rateLimit: { counters } }) => ({
      label: 'decision',
      values: { passed: counters.passed, refused: counters.refused },
    }),
  },
  {
    name: 'sightline_rate_limit_local_total',
    help: 'Requests that a process counted by itself: Redis or the parent process did not count them.',
    read: ({ rateLimit }) => rateLimit.counters.local,
  },
  {
    name: 'sightline_redis_up',
    aggregator: 'min',
    help: '1 while Redis is connected, 0 while this instance applies the rate limit by itself; absent without REDIS_URL.',
    read: ({ redis }) => redis && Number(redis.status === 'ready'),
  },
];

export const ANSWER_READINGS: Reading<AnswerSource>[] = [
  {
    name: 'sightline_answer_cache_lookups_total',
    help: 'Lookups in the response cache, by result.',
    read: ({ counters }) => ({
      label: 'result',
      values: { hit: counters.hits, miss: counters.misses },
    }),
  },
  {
    name: 'sightline_answer_cache_answers',
    help: 'Answers in memory.',
    read: ({ counters }) => counters.answers,
  },
  {
    name: 'sightline_answer_cache_bytes',
    help: 'Approximate size of the response cache.',
    read: ({ counters }) => counters.bytes,
  },
];

/** Registers metrics for the readings of the source. */
export function registerReadings<Source>(
  registry: Registry,
  readings: readonly Reading<Source>[],
  source: Source,
): void {
  for (const { name, help, aggregator = 'sum', read } of readings) {
    const first = read(source);
    if (first === undefined) continue;
    const Kind = name.endsWith('_total') ? Counter : Gauge;
    new Kind({
      name,
      help,
      labelNames: typeof first === 'number' ? [] : [first.label],
      registers: [registry],
      aggregator,
      collect() {
        this.reset();
        const now = read(source) ?? 0;
        if (typeof now === 'number') return this.inc(now);
        for (const [value, sum] of Object.entries(now.values)) this.inc({ [now.label]: value }, sum);
      },
    });
  }
}
