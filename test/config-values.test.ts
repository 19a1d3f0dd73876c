import { describe, expect, it } from 'vitest';
import { type ConfigurationError, readConfig } from '../src/config.ts';

const DATABASE = { DATABASE_URL: 'postgres://web@db.example/sightline' };
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MIB = 1024 * 1024;

it('every setting is used, in milliseconds and bytes', () => {
  const config = readConfig({
    ...{
      HOST: '::1',
      PORT: '4100',
      ADMIN_PORT: '4101',
      BASE_URL: 'https://r.example/under/',
      WEB_CONCURRENCY: '3',
    },
    ...{
      ...DATABASE,
      DATABASE_READ_URL: 'postgres://one/x',
      DATABASE_READ_MAX_LAG: '3s',
      DATABASE_POOL_SIZE: '7',
    },
    ...{ DATABASE_ROLE: 'reader', DATABASE_PREPARE: 'false', DATABASE_QUEUE_LIMIT: '8' },
    ...{
      DATABASE_QUEUE_TIMEOUT: '9s',
      STATEMENT_TIMEOUT: '1m',
      DATA_DIRECTORY: '/data',
      REDIS_URL: 'redis://r',
    },
    ...{ RATE_LIMIT_MAX: '11', RATE_LIMIT_WINDOW: '12s', LOOK_UP_TIMEOUT: '13ms', KEY_LEASE: '14ms' },
    ...{
      REPORTS_RESULT_CAP: '15',
      ANSWER_CACHE_SIZE: '16',
      EXPORT_CONCURRENCY: '17',
      SIGHTLINE_KEY: 'svc_t_key',
    },
    ...{ GRAPHQL_DOCUMENTS: 'trusted', GRAPHIQL: 'true', APP_PAGE: 'off', LOG_LEVEL: 'warn' },
    ...{ NODE_ENV: 'production', KEEP_ALIVE_TIMEOUT: '2m', SHUTDOWN_GRACE: '18ms' },
    ...{ COLLECT_SPOOL: '/spool', COLLECT_TOKENS: '/tokens', COLLECT_HOST: '0.0.0.0', COLLECT_PORT: '4102' },
    ...{ COLLECT_ADMIN_PORT: '4103', COLLECT_URL: 'https://c.example/', COLLECT_PROXIES: '10.0.0.0/8' },
    ...{
      COLLECT_CLIENT_RATE: '21',
      COLLECT_ACCOUNT_RATE: '22',
      COLLECT_SPOOL_MAX: '23',
      COLLECT_DAILY_MAX: '24',
    },
    ...{ COLLECT_FORWARD_URL: 'https://f.example/x', COLLECT_FORWARD_HOSTS: 'a.example, b.example,' },
    ...{ COLLECT_FILTERS_URL: 'https://s.example', COLLECT_FILTERS_KEYS: '/keys' },
  });
  expect(config).toMatchObject({
    ...{
      host: '::1',
      port: 4100,
      adminPort: 4101,
      publicUrl: 'https://r.example/under',
      publicPath: '/under',
    },
    ...{ baseUrl: 'https://r.example/under', processes: 3, databaseUrl: DATABASE.DATABASE_URL },
    replicas: { urls: ['postgres://one/x'], maxLag: 3000 },
    database: {
      ...{
        poolSize: 7,
        statementTimeout: MINUTE,
        queueTimeout: 9000,
        queueLimit: 8,
        prepare: false,
        role: 'reader',
      },
    },
    ...{ dataDirectory: '/data', redisUrl: 'redis://r', rateLimit: { max: 11, window: 12_000 } },
    ...{
      lookUpTimeout: 13,
      keyLease: 14,
      reportsResultCap: 15,
      answerCacheSize: 16 * MIB,
      exportConcurrency: 17,
    },
    ...{ key: 'svc_t_key', graphqlDocuments: 'trusted', graphiql: true, isProduction: true, appPage: false },
    ...{ proxyLogin: undefined, logLevel: 'warn', keepAlive: 2 * MINUTE, shutdownGrace: 18 },
    collect: {
      ...{ spool: '/spool', tokens: '/tokens', host: '0.0.0.0', port: 4102, adminPort: 4103 },
      ...{ publicUrl: 'https://c.example', proxies: '10.0.0.0/8', clientRate: 21, accountRate: 22 },
      ...{ mostSpooled: 23 * MIB, mostDaily: 24 * MIB, forwardUrl: 'https://f.example/x' },
      ...{ forwardHosts: ['a.example', 'b.example'], filters: { url: 'https://s.example', keys: '/keys' } },
    },
  });
});

const accepts = (name: string, value: string | number): boolean => {
  try {
    readConfig({ ...DATABASE, [name]: String(value) });
    return true;
  } catch (error) {
    expect((error as ConfigurationError).problems).toEqual([expect.stringMatching(`^${name} `)]);
    return false;
  }
};

describe('a number in a setting', () => {
  it.each([
    ['PORT', 0, 65_535],
    ['ADMIN_PORT', 1, 65_535],
    ['DATABASE_QUEUE_LIMIT', 0, 100_000],
    ['RATE_LIMIT_MAX', 1, 1_000_000_000],
    ['REPORTS_RESULT_CAP', 1, 10_000],
    ['ANSWER_CACHE_SIZE', 0, 65_536],
    ['EXPORT_CONCURRENCY', 1, 100],
    ['COLLECT_PORT', 0, 65_535],
    ['COLLECT_ADMIN_PORT', 1, 65_535],
    ['COLLECT_CLIENT_RATE', 1, 1_000_000],
    ['COLLECT_ACCOUNT_RATE', 1, 1_000_000],
    ['COLLECT_SPOOL_MAX', 1, 1_048_576],
    ['COLLECT_DAILY_MAX', 1, 1_048_576],
  ])('%s is from %i to %i', (name, least, most) => {
    const values = [least - 1, least, most, most + 1, 1.5, 'x', '1e1', '-0'];
    expect(values.map(value => accepts(name, value))).toEqual([
      ...[false, true, true, false],
      ...[false, false, false, false],
    ]);
  });
});

describe('a duration in a setting', () => {
  it.each([
    ['DATABASE_QUEUE_TIMEOUT', 1, MINUTE],
    ['STATEMENT_TIMEOUT', 1, 10 * MINUTE],
    ['RATE_LIMIT_WINDOW', 1000, DAY],
    ['LOOK_UP_TIMEOUT', 1, 10 * MINUTE],
    ['KEEP_ALIVE_TIMEOUT', 1000, 60 * MINUTE],
    ['SHUTDOWN_GRACE', 0, 10_000],
  ])('%s is from %i to %i milliseconds', (name, least, most) => {
    const values = [`${least}ms`, `${most / 1000}s`, `${most / 1000 + 1}s`, '5', 'x', '1 s', '-1s'];
    expect(values.map(value => accepts(name, value))).toEqual([true, true, false, true, false, false, false]);
    if (least > 0) expect(accepts(name, `${least - 1}ms`)).toBe(false);
  });
});

describe('an address or name in a setting', () => {
  it.each([
    ['COLLECT_PROXIES', '127.0.0.1, 10.0.0.0/8,2001:db8::/32', true],
    ['COLLECT_PROXIES', '10.0.0.0/32', true],
    ['COLLECT_PROXIES', '10.0.0.0/33', false],
    ['COLLECT_PROXIES', '2001:db8::/128', true],
    ['COLLECT_PROXIES', '2001:db8::/129', false],
    ['COLLECT_PROXIES', '10.0.0.0/8/8', false],
    ['COLLECT_PROXIES', '10.0.0.0/', false],
    ['COLLECT_PROXIES', 'proxy.example', false],
    ['COLLECT_FORWARD_HOSTS', 'a.example, b-c.example', true],
    ['COLLECT_FORWARD_HOSTS', 'a.example b.example', false],
    ['COLLECT_FORWARD_HOSTS', 'https://a.example', false],
    ['COLLECT_URL', 'https://c.example', true],
    ['COLLECT_URL', 'ftp://c.example', false],
    ['REDIS_URL', 'rediss://r.example', true],
    ['REDIS_URL', 'http://r.example', false],
    ['SIGHTLINE_KEY', 'svc_d_x', true],
    ['SIGHTLINE_KEY', 'svc_i_x', false],
    ['APP_PAGE', 'true', false],
    ['LOG_LEVEL', 'loud', false],
    ['DATABASE_PREPARE', 'no', false],
  ])('%s=%j is accepted: %s', (name, value, isAccepted) => {
    expect(accepts(name, value)).toBe(isAccepted);
  });
});
