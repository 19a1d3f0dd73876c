import type { DatabaseCounters } from '@sightline/pg-client';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { describe, expect, it, vi } from 'vitest';
import type { ServerState } from '../sql/servers/servers.ts';
import { createMetrics } from '../src/observability/metrics.ts';
import type { ServiceSources } from '../src/observability/readings.ts';

const COUNTERS: DatabaseCounters = {
  poolSize: 11,
  running: 3,
  waiting: 2,
  ended: { count: 70, milliseconds: 4500 },
  failed: 5,
  waited: { count: 6, milliseconds: 250 },
  refused: { full: 21, late: 22, slow: 23, lost: 24 },
  replacements: 8,
  isAway: false,
  connections: 9,
  attempts: 10,
};

const STATES: ServerState[] = [
  { name: 'primary', isInUse: false, isUp: true, lag: 0, roundTrip: 2 },
  { name: 'replica-1', isInUse: true, isUp: false, lag: 1500, roundTrip: 12.5 },
];

const SOURCES: ServiceSources = {
  database: { counters: COUNTERS },
  servers: { areSeveral: true, states: STATES },
  rateLimit: { counters: { passed: 31, refused: 32, local: 33 } },
  redis: { status: 'ready' },
};

/** The lines of Sightline's own metrics that begin with the prefix, without those that count requests. */
async function print(sources: Partial<ServiceSources>, prefix: string): Promise<string[]> {
  const text = await createMetrics({ ...SOURCES, ...sources }, 'test').print();
  return text.split('\n').filter(line => line.startsWith(`sightline_${prefix}`));
}

describe('the metrics of the service', () => {
  it('give the state of the pool, with times in seconds', async () => {
    expect(await print({ servers: { areSeveral: false, states: STATES } }, 'database_')).toEqual([
      'sightline_database_pool_size 11',
      'sightline_database_statements_running 3',
      'sightline_database_statements_waiting 2',
      'sightline_database_statements_total 70',
      'sightline_database_statement_seconds_total 4.5',
      'sightline_database_statements_failed_total 5',
      'sightline_database_waits_total 6',
      'sightline_database_wait_seconds_total 0.25',
      'sightline_database_statements_refused_total{reason="full"} 21',
      'sightline_database_statements_refused_total{reason="late"} 22',
      'sightline_database_statements_refused_total{reason="slow"} 23',
      'sightline_database_statements_refused_total{reason="lost"} 24',
      'sightline_database_driver_replacements_total 8',
      'sightline_database_up 1',
      'sightline_database_connections 9',
      'sightline_database_connection_attempts_total 10',
    ]);
    const away = { database: { counters: { ...COUNTERS, isAway: true } } };
    expect(await print(away, 'database_up')).toEqual(['sightline_database_up 0']);
  });

  it('give the state of each server for reads, with times in seconds', async () => {
    const replica = (lag: number) => [{ ...STATES[1]!, lag }];
    expect(await print({}, 'database_server_')).toEqual([
      'sightline_database_server_in_use{server="primary"} 0',
      'sightline_database_server_in_use{server="replica-1"} 1',
      'sightline_database_server_up{server="primary"} 1',
      'sightline_database_server_up{server="replica-1"} 0',
      'sightline_database_server_lag_seconds{server="primary"} 0',
      'sightline_database_server_lag_seconds{server="replica-1"} 1.5',
      'sightline_database_server_round_trip_seconds{server="primary"} 0.002',
      'sightline_database_server_round_trip_seconds{server="replica-1"} 0.0125',
    ]);
    expect(
      await print({ servers: { areSeveral: true, states: replica(Infinity) } }, 'database_server_lag'),
    ).toEqual(['sightline_database_server_lag_seconds{server="replica-1"} +Inf']);
  });

  it('give the decisions of the rate limit', async () => {
    expect(await print({}, 'rate_limit_')).toEqual([
      'sightline_rate_limit_decisions_total{decision="passed"} 31',
      'sightline_rate_limit_decisions_total{decision="refused"} 32',
      'sightline_rate_limit_local_total 33',
    ]);
  });

  it.each([
    [{ status: 'ready' }, ['sightline_redis_up 1']],
    [{ status: 'reconnecting' }, ['sightline_redis_up 0']],
    [undefined, []],
  ])('give the state of Redis: %j', async (redis, lines) => {
    expect(await print({ redis }, 'redis_')).toEqual(lines);
  });
});

/** The registry of a process that has answered a few requests. */
function startProcess(sources: ServiceSources, answers: number, seconds: number): Registry {
  const share = vi.spyOn(AggregatorRegistry, 'setRegistries').mockImplementation(() => {});
  const metrics = createMetrics(sources, '1.2.3');
  metrics.watchAnswers({ counters: { hits: answers, misses: 10 * answers, answers, bytes: 1000 * answers } });
  for (let begun = 0; begun < 5; begun++) metrics.begun();
  metrics.ended('/v1/me', 200, seconds);
  metrics.ended('/v1/me', 200, seconds);
  metrics.ended('/v1/me', 'aborted', 10 * seconds);
  metrics.operation({ code: 'ok', limit: undefined, unwritten: 'value' });
  metrics.operation({ code: 'LIMIT_EXCEEDED', limit: 'depth', unwritten: undefined });
  metrics.share();
  const [[registry]] = share.mock.calls as [[Registry]];
  share.mockRestore();
  return registry;
}

it('the metrics of several processes are combined by their kind', async () => {
  const others: ServiceSources = {
    ...SOURCES,
    database: { counters: { ...COUNTERS, isAway: true } },
    servers: {
      areSeveral: true,
      states: [
        { name: 'primary', isInUse: true, isUp: false, lag: 250, roundTrip: 1 },
        { name: 'replica-1', isInUse: true, isUp: true, lag: 500, roundTrip: 20 },
      ],
    },
    redis: { status: 'connecting' },
  };
  const processes = [startProcess(SOURCES, 3, 0.25), startProcess(others, 4, 0.3)];
  // Twice, because reading must not add to the counters.
  await Promise.all(processes.map(registry => registry.getMetricsAsJSON()));
  const printed = await Promise.all(processes.map(registry => registry.getMetricsAsJSON()));
  const text = await AggregatorRegistry.aggregate(printed as never).metrics();
  const own = text.split('\n').filter(line => line.includes('sightline_') && !line.startsWith('# HELP'));
  const { node } = process.versions;
  await expect(`${own.join('\n')}\n`.replace(`node="${node}"`, 'node="…"')).toMatchFileSnapshot(
    './recorded/combined-metrics.txt',
  );
});
