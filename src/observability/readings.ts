import type { DatabaseCounters } from '@sightline/postgres';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ServerState } from '../../sql/servers/servers.ts';

/** Decisions since the start. */
export interface RateLimitCounters {
  passed: number;
  refused: number;
  /** Counted in this process alone, because what counts for all did not answer. */
  local: number;
}

/** Hits and misses of the cache since the start, and its size. */
export interface AnswerCounters {
  hits: number;
  misses: number;
  answers: number;
  bytes: number;
}

/** Counts of the service's parts; they are read only when somebody asks for the metrics. */
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
  /** Ends in `_total` where it only ever grows. */
  name: string;
  help: string;
  /** Combines the values of several processes; default: the sum. */
  aggregator?: 'min' | 'max';
  /** Undefined where there is nothing to read. */
  read(source: Source): number | Labelled | undefined;
}

/** Values by the value of their one label. */
interface Labelled {
  label: string;
  values: Readonly<Record<string, number>>;
}

const SECONDS = 1 / 1000;

function ofEach(
  { areSeveral, states }: ServiceSources['servers'],
  value: (state: ServerState) => number,
): Labelled | undefined {
  if (!areSeveral) return undefined;
  return {
    label: 'server',
    values: Object.fromEntries(states.map(state => [state.name, value(state)])),
  };
}

export const SERVICE_READINGS: Reading<ServiceSources>[] = [
  {
    name: 'sightline_database_pool_size',
    help: 'Connections held at most, and statements at work at most.',
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
    help: 'Time that statements were at work.',
    read: ({ database }) => database.counters.ended.milliseconds * SECONDS,
  },
  {
    name: 'sightline_database_statements_failed_total',
    help: 'Statements that ended with an error.',
    read: ({ database }) => database.counters.failed,
  },
  {
    name: 'sightline_database_waits_total',
    help: 'Statements that had to wait for a free connection, and got one.',
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
    help: 'How often connections were given up because they did not answer.',
    read: ({ database }) => database.counters.replacements,
  },
  {
    name: 'sightline_database_up',
    aggregator: 'min',
    help: '1 while the database answers, 0 while it counts as away and statements fail at once.',
    read: ({ database }) => Number(!database.counters.isAway),
  },
  {
    name: 'sightline_database_connections',
    help: 'Connections that there are, or are being made.',
    read: ({ database }) => database.counters.connections,
  },
  {
    name: 'sightline_database_connection_attempts_total',
    help: 'How often a connection was tried to be made.',
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
    help: '1 where the server answered when it was asked last; absent without DATABASE_READ_URL.',
    read: ({ servers }) => ofEach(servers, ({ isUp }) => Number(isUp)),
  },
  {
    name: 'sightline_database_server_lag_seconds',
    aggregator: 'max',
    help: 'By how much the server may be behind at most; +Inf where it is not known; absent without DATABASE_READ_URL.',
    read: ({ servers }) => ofEach(servers, ({ lag }) => lag * SECONDS),
  },
  {
    name: 'sightline_database_server_round_trip_seconds',
    aggregator: 'max',
    help: 'The shortest of the last ways there and back; absent without DATABASE_READ_URL.',
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
    help: 'Requests counted by this instance alone, because Redis did not answer.',
    read: ({ redis, rateLimit }) => (redis ? rateLimit.counters.local : undefined),
  },
  {
    name: 'sightline_redis_up',
    aggregator: 'min',
    help: '1 while Redis is connected, 0 while this instance counts alone; absent without REDIS_URL.',
    read: ({ redis }) => redis && Number(redis.status === 'ready'),
  },
];

export const ANSWER_READINGS: Reading<AnswerSource>[] = [
  {
    name: 'sightline_answer_cache_lookups_total',
    help: 'Answers looked for in memory, by whether they were there.',
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
    help: 'Memory that they take, about.',
    read: ({ counters }) => counters.bytes,
  },
];

/** Adds what can be read of the source to the metrics. */
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
