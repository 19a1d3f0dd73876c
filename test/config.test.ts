import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ConfigurationError,
  describeSettings,
  readConfig,
  SECRET_SETTINGS,
  settingValues,
} from '../src/config.ts';

function findProblems(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

const MINUTE = 60_000;
const MIB = 1024 * 1024;

describe('the configuration', () => {
  it('has the documented defaults', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 4000,
      publicUrl: undefined,
      baseUrl: 'http://127.0.0.1:4000',
      databaseUrl: undefined,
      redisUrl: undefined,
      rateLimit: { max: 120, window: 60_000 },
      lookUpTimeout: 1000,
      keyLease: 250,
      keepAlive: 75_000,
      reportsResultCap: 1000,
      graphiql: true,
    });
  });

  it('reports all invalid settings at once by name', () => {
    const problems = findProblems({
      PORT: '70000',
      REPORTS_RESULT_CAP: '0',
      STATEMENT_TIMEOUT: '2 fortnights',
      GRAPHIQL: 'yes',
      LOG_LEVEL: 'loud',
    });
    expect(problems.map(problem => problem.split(' ')[0]).sort()).toEqual([
      'GRAPHIQL',
      'LOG_LEVEL',
      'PORT',
      'REPORTS_RESULT_CAP',
      'STATEMENT_TIMEOUT',
    ]);
  });

  it('does not repeat a rejected address, which can contain a password', () => {
    expect(findProblems({ DATABASE_URL: 'mysql://me:secret@host/db' })).toEqual([
      'DATABASE_URL must begin with postgres:// or postgresql://',
    ]);
  });

  it.each([
    ['60', 60_000],
    ['90s', 90_000],
    ['1500ms', 1500],
    ['2m', 120_000],
    ['1h', 3_600_000],
  ])('parses the duration %s', (text, milliseconds) => {
    expect(readConfig({ RATE_LIMIT_WINDOW: text }).rateLimit.window).toBe(milliseconds);
  });

  it.each([
    ['REPORTS_RESULT_CAP', '1'],
    ['REPORTS_RESULT_CAP', '10000'],
  ])('accepts %s=%s', (name, value) => {
    expect(readConfig({ [name]: value }).reportsResultCap).toBe(Number(value));
  });

  it.each([
    ['REPORTS_RESULT_CAP', '10001'],
    ['RATE_LIMIT_MAX', '1.5'],
    ['RATE_LIMIT_MAX', '-1'],
    ['RATE_LIMIT_MAX', '1e3'],
    ['REDIS_URL', 'localhost:6379'],
    ['BASE_URL', 'reports.example.com'],
    ['SIGHTLINE_KEY', 'svc_i_internal'],
  ])('rejects %s=%s', (name, value) => {
    expect(findProblems({ [name]: value })).toEqual([expect.stringMatching(`^${name} must `)]);
  });

  it('uses every setting, in milliseconds and bytes', () => {
    const config = readConfig({
      ...{
        HOST: '::1',
        PORT: '4100',
        ADMIN_PORT: '4101',
        BASE_URL: 'https://r.example/under/',
        WEB_CONCURRENCY: '3',
      },
      ...{
        DATABASE_URL: 'postgres://web@db.example/sightline',
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
      ...{
        COLLECT_SPOOL: '/spool',
        COLLECT_TOKENS: '/tokens',
        COLLECT_HOST: '0.0.0.0',
        COLLECT_PORT: '4102',
      },
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
      ...{
        baseUrl: 'https://r.example/under',
        processes: 3,
        databaseUrl: 'postgres://web@db.example/sightline',
      },
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
      ...{
        key: 'svc_t_key',
        graphqlDocuments: 'trusted',
        graphiql: true,
        isProduction: true,
        appPage: false,
      },
      ...{ proxyLogin: undefined, logLevel: 'warn', keepAlive: 2 * MINUTE, shutdownGrace: 18 },
      collect: {
        ...{ spool: '/spool', tokens: '/tokens', host: '0.0.0.0', port: 4102, adminPort: 4103 },
        ...{ publicUrl: 'https://c.example', proxies: '10.0.0.0/8', clientRate: 21, accountRate: 22 },
        ...{ mostSpooled: 23 * MIB, mostDaily: 24 * MIB, forwardUrl: 'https://f.example/x' },
        ...{ forwardHosts: ['a.example', 'b.example'], filters: { url: 'https://s.example', keys: '/keys' } },
      },
    });
  });

  it.each([
    ['PORT', '0', '65535', ['65536', '-1']],
    ['ADMIN_PORT', '1', '65535', ['0', '65536']],
    ['WEB_CONCURRENCY', '1', '128', ['0', '129']],
    ['DATABASE_POOL_SIZE', '1', '100', ['0', '101']],
    ['DATABASE_READ_MAX_LAG', '1s', '4s', ['999ms', '4001ms']],
    ['DATABASE_QUEUE_LIMIT', '0', '100000', ['-1', '100001']],
    ['DATABASE_QUEUE_TIMEOUT', '1ms', '60s', ['0', '0ms', '61s', '60001ms']],
    ['STATEMENT_TIMEOUT', '1ms', '10m', ['0', '0ms', '601s', '600001ms']],
    ['RATE_LIMIT_MAX', '1', '1000000000', ['0', '1000000001']],
    ['RATE_LIMIT_WINDOW', '1s', '24h', ['999ms', '86401s', '86400001ms']],
    ['LOOK_UP_TIMEOUT', '1ms', '10m', ['0', '0ms', '601s', '600001ms']],
    ['REPORTS_RESULT_CAP', '1', '10000', ['0', '10001']],
    ['ANSWER_CACHE_SIZE', '0', '65536', ['-1', '65537']],
    ['EXPORT_CONCURRENCY', '1', '100', ['0', '101']],
    ['KEEP_ALIVE_TIMEOUT', '1s', '1h', ['999ms', '3601s', '3600001ms']],
    ['SHUTDOWN_GRACE', '0', '10s', ['11s', '10001ms']],
    ['SHUTDOWN_GRACE', '0ms', '10000ms', []],
    ['COLLECT_PORT', '0', '65535', ['-1', '65536']],
    ['COLLECT_ADMIN_PORT', '1', '65535', ['0', '65536']],
    ['COLLECT_CLIENT_RATE', '1', '1000000', ['0', '1000001']],
    ['COLLECT_ACCOUNT_RATE', '1', '1000000', ['0', '1000001']],
    ['COLLECT_SPOOL_MAX', '1', '1048576', ['0', '1048577']],
    ['COLLECT_DAILY_MAX', '1', '1048576', ['0', '1048577']],
  ])('accepts %s from %s to %s only', (name, least, most, others) => {
    expect(findProblems({ [name]: least })).toEqual([]);
    expect(findProblems({ [name]: most })).toEqual([]);
    for (const other of [...others, 'x', '1.5', '1e1', '-0', '1 s', '-1s'])
      expect(findProblems({ [name]: other }), other).toEqual([expect.stringMatching(`^${name} must be `)]);
  });

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
  ])('with %s=%j is accepted: %s', (name, value, isAccepted) => {
    expect(findProblems({ [name]: value })).toEqual(
      isAccepted ? [] : [expect.stringMatching(`^${name} must `)],
    );
  });

  it('treats an empty setting as unset, except for the role', () => {
    const config = readConfig({ PORT: '', REDIS_URL: ' ', DATABASE_ROLE: '' });
    expect(config.port).toBe(4000);
    expect(config.redisUrl).toBeUndefined();
    expect(config.database.role).toBe('');
  });

  it('disables GraphiQL in production by default', () => {
    expect(readConfig({ NODE_ENV: 'production' }).graphiql).toBe(false);
    expect(readConfig({ NODE_ENV: 'production', GRAPHIQL: 'true' }).graphiql).toBe(true);
    expect(readConfig({ GRAPHIQL: 'false' }).graphiql).toBe(false);
    expect(readConfig({ GRAPHQL_DOCUMENTS: 'trusted' }).graphiql).toBe(false);
    expect(readConfig({ GRAPHQL_DOCUMENTS: 'trusted', GRAPHIQL: 'true' }).graphiql).toBe(true);
  });

  it.each([
    [{ HOST: '0.0.0.0', PORT: '80' }, 'http://127.0.0.1:80'],
    [{ HOST: '::1' }, 'http://[::1]:4000'],
    [{ HOST: '::' }, 'http://[::1]:4000'],
    [{ HOST: 'reports.lan' }, 'http://reports.lan:4000'],
    [{ BASE_URL: 'https://reports.example.com/' }, 'https://reports.example.com'],
  ])('derives the base address from %j', (environment, baseUrl) => {
    expect(readConfig(environment).baseUrl).toBe(baseUrl);
  });

  it.each([
    [undefined, ''],
    ['https://example.com', ''],
    ['https://example.com/', ''],
    ['https://example.com/reports', '/reports'],
    ['https://example.com/a/b//', '/a/b'],
  ])('derives the public path from BASE_URL=%s: "%s"', (url, publicPath) => {
    expect(readConfig(url === undefined ? {} : { BASE_URL: url }).publicPath).toBe(publicPath);
  });

  it('needs both the address and the keys for the filters of a collector', () => {
    const [url, keys] = ['https://reports.example', '/etc/keys'];
    const read = (environment: Record<string, string>) => readConfig(environment).collect.filters;
    expect(read({ COLLECT_FILTERS_URL: url, COLLECT_FILTERS_KEYS: keys })).toEqual({ url, keys });
    expect([read({ COLLECT_FILTERS_URL: url }), read({ COLLECT_FILTERS_KEYS: keys })]).toEqual([
      undefined,
      undefined,
    ]);
  });

  /** Returns the lines that `sightline config` prints. */
  const printConfig = (environment: Record<string, string>) =>
    settingValues(new Set(), environment).map(({ name, value }) => `${name}=${value}`);

  it('prints every setting with hidden passwords', () => {
    const lines = printConfig({
      PORT: '4001',
      DATABASE_URL: 'postgres://me:sec@ret@host/db?sslpassword=secret&options=-c%20own.password%3Dsecret',
      REDIS_URL: 'rediss://:secret@host',
      SIGHTLINE_KEY: 'svc_d_secret',
    });
    expect(lines).toHaveLength(describeSettings().length);
    expect(lines).toContain('PORT=4001');
    expect(lines).toContain('DATABASE_URL=postgres://me:***@host/db?sslpassword=***&options=***');
    expect(lines.join('\n')).not.toContain('secret');
  });

  it('contains a setting that exists for tests only if it is set', () => {
    const name = 'REPORTS_RESULT_CAP';
    expect(printConfig({}).filter(line => line.startsWith(name))).toEqual([]);
    expect(printConfig({ [name]: '7' }).filter(line => line.startsWith(name))).toEqual([`${name}=7`]);
    expect(readConfig({ [name]: '7' }).reportsResultCap).toBe(7);
    expect(findProblems({ [name]: 'many' })).toHaveLength(1);
  });

  it('matches .env.example, including each default', () => {
    const lines = readFileSync('.env.example', 'utf8').split('\n');
    const documented = lines.filter(line => /^[A-Z_]+=/.test(line));
    expect(documented).toEqual(printConfig({}));
    for (const { name, default: value, description } of describeSettings()) {
      expect(lines[lines.indexOf(`${name}=${value}`) - 1]).toBe(`# ${description}`);
    }
  });
});

describe('sign-in through a proxy', () => {
  const settings = {
    PAGE_LOGIN: 'proxy',
    PAGE_LOGIN_PEERS: '10.0.0.0/8, ::1',
    PAGE_LOGIN_SECRET: 'a-secret-of-thirty-two-characters-or-more',
    PAGE_LOGIN_ACCOUNTS: '/etc/sightline/people.yaml',
  };

  it('requires peers, a secret and accounts', () => {
    expect(findProblems(settings)).toEqual([]);
    for (const name of ['PAGE_LOGIN_PEERS', 'PAGE_LOGIN_SECRET', 'PAGE_LOGIN_ACCOUNTS'])
      expect(findProblems({ ...settings, [name]: '' })).toEqual([
        `${name} must be set with PAGE_LOGIN=proxy`,
      ]);
    expect(readConfig({ ...settings, PAGE_LOGIN: 'key' }).proxyLogin).toBeUndefined();
  });

  it.each([
    ['PAGE_LOGIN', 'oidc'],
    ['PAGE_LOGIN_PEERS', '0.0.0.0/0'],
    ['PAGE_LOGIN_PEERS', '::/0'],
    ['PAGE_LOGIN_PEERS', '10.0.0.0/33'],
    ['PAGE_LOGIN_PEERS', '10.0.0.1, proxy.example'],
    ['PAGE_LOGIN_PEERS', '10.0.0'],
    ['PAGE_LOGIN_SECRET', 'short'],
    ['PAGE_LOGIN_SECRET', 'with spaces '.repeat(5)],
    ['PAGE_LOGIN_USER_HEADER', 'X_Forwarded_User'],
    ['PAGE_LOGIN_GROUPS_HEADER', 'x-forwarded-user'],
    ['PAGE_LOGIN_SIGN_OUT', 'javascript:alert(1)'],
    ['PAGE_LOGIN_SIGN_OUT', '//evil.example'],
  ])('rejects %s=%s', (name, value) => {
    expect(findProblems({ ...settings, [name]: value })).toEqual([expect.stringContaining(name)]);
  });
});

describe('a setting that can contain a password', () => {
  let folder: string;
  const file = (content: string) => {
    const path = join(folder, String(Math.random()));
    writeFileSync(path, content);
    return path;
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sightline-secrets-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('can be read from a file, without the final line break', () => {
    const config = readConfig({
      DATABASE_URL_FILE: file('postgres://me:secret@db/reports\n'),
      DATABASE_READ_URL_FILE: file('postgres://me:secret@one/reports,\npostgres://me:secret@two/reports'),
      REDIS_URL_FILE: ` ${file('redis://:secret@cache')} `,
      DATABASE_URL: ' ',
    });
    expect(config).toMatchObject({
      databaseUrl: 'postgres://me:secret@db/reports',
      replicas: { urls: ['postgres://me:secret@one/reports', 'postgres://me:secret@two/reports'] },
      redisUrl: 'redis://:secret@cache',
    });
  });

  it('is printed with its source and a hidden password', () => {
    const values = settingValues(new Set(), { REDIS_URL_FILE: file('redis://:secret@cache') });
    expect(values).toContainEqual({
      name: 'REDIS_URL',
      value: 'redis://:***@cache',
      source: 'REDIS_URL_FILE',
    });
  });

  it('is hidden completely if it is a secret', () => {
    const secret = 'a-secret-of-thirty-two-characters-or-more';
    for (const environment of [{ PAGE_LOGIN_SECRET: secret }, { PAGE_LOGIN_SECRET_FILE: file(secret) }]) {
      const values = settingValues(new Set(), environment);
      expect(values.map(({ name }) => name)).toContain('PAGE_LOGIN_SECRET');
      expect(JSON.stringify(values)).not.toContain(secret);
    }
  });

  it('is rejected if its file is empty or missing, or if both forms are set', () => {
    const [missing, empty] = [join(folder, 'missing'), file('\n')];
    const environment = {
      PORT: 'http',
      DATABASE_URL_FILE: missing,
      DATABASE_READ_URL_FILE: empty,
      REDIS_URL_FILE: file('redis://:secret@cache'),
      REDIS_URL: 'redis://:secret@other',
    };
    expect(findProblems(environment)).toEqual([
      'PORT must be a whole number from 0 to 65535',
      `DATABASE_URL_FILE names ${missing}, which cannot be read (ENOENT)`,
      `DATABASE_READ_URL_FILE names ${empty}, which is empty`,
      'REDIS_URL_FILE is set in addition to REDIS_URL: keep only one of them',
    ]);
  });

  it('is validated in a file as well, and not repeated in the error', () => {
    expect(findProblems({ DATABASE_URL_FILE: file('mysql://me:secret@host/db') })).toEqual([
      'DATABASE_URL must begin with postgres:// or postgresql://',
    ]);
  });

  it('is every key and every address with a password, as listed in .env.example', () => {
    const secrets = describeSettings().filter(({ name }) =>
      /^(?!BASE_|COLLECT_).*_URL$|_KEY$|_SECRET$/.test(name),
    );
    expect([...SECRET_SETTINGS]).toEqual(secrets.map(({ name }) => name));
    for (const name of SECRET_SETTINGS) {
      expect(readFileSync('.env.example', 'utf8')).toMatch(new RegExp(`^# .*\\b${name}\\b.*files`, 'm'));
    }
  });
});
