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

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

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
      reportsResultCap: 1000,
      graphiql: true,
    });
  });

  it('lists every wrong setting at once, by its name', () => {
    const problems = problemsOf({
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

  it('does not repeat a refused address, which may hold a password', () => {
    expect(problemsOf({ DATABASE_URL: 'mysql://me:secret@host/db' })).toEqual([
      'DATABASE_URL must begin with postgres:// or postgresql://',
    ]);
  });

  it.each([
    ['60', 60_000],
    ['90s', 90_000],
    ['1500ms', 1500],
    ['2m', 120_000],
    ['1h', 3_600_000],
  ])('reads the duration %s', (text, milliseconds) => {
    expect(readConfig({ RATE_LIMIT_WINDOW: text }).rateLimit.window).toBe(milliseconds);
  });

  it.each([
    ['REPORTS_RESULT_CAP', '1'],
    ['REPORTS_RESULT_CAP', '10000'],
  ])('takes %s=%s', (name, value) => {
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
  ])('refuses %s=%s', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(`^${name} must `)]);
  });

  it('takes an empty setting as left out, but for the role', () => {
    const config = readConfig({ PORT: '', REDIS_URL: ' ', DATABASE_ROLE: '' });
    expect(config.port).toBe(4000);
    expect(config.redisUrl).toBeUndefined();
    expect(config.database.role).toBe('');
  });

  it('switches GraphiQL off in production, unless told otherwise', () => {
    expect(readConfig({ NODE_ENV: 'production' }).graphiql).toBe(false);
    expect(readConfig({ NODE_ENV: 'production', GRAPHIQL: 'true' }).graphiql).toBe(true);
    expect(readConfig({ GRAPHIQL: 'false' }).graphiql).toBe(false);
  });

  it.each([
    [{ HOST: '0.0.0.0', PORT: '80' }, 'http://127.0.0.1:80'],
    [{ HOST: '::1' }, 'http://[::1]:4000'],
    [{ BASE_URL: 'https://reports.example.com/' }, 'https://reports.example.com'],
  ])('derives the base address of %j', (environment, baseUrl) => {
    expect(readConfig(environment).baseUrl).toBe(baseUrl);
  });

  /** As `sightline config` prints them. */
  const printed = (environment: Record<string, string>) =>
    settingValues(new Set(), environment).map(({ name, value }) => `${name}=${value}`);

  it('prints every setting, with passwords hidden', () => {
    const lines = printed({
      PORT: '4001',
      DATABASE_URL: 'postgres://me:sec@ret@host/db?sslpassword=secret',
      REDIS_URL: 'rediss://:secret@host',
      SIGHTLINE_KEY: 'svc_d_secret',
    });
    expect(lines).toHaveLength(describeSettings().length);
    expect(lines).toContain('PORT=4001');
    expect(lines).toContain('DATABASE_URL=postgres://me:***@host/db?sslpassword=***');
    expect(lines.join('\n')).not.toContain('secret');
  });

  it('is what .env.example says, name by name, with each default', () => {
    const lines = readFileSync('.env.example', 'utf8').split('\n');
    const documented = lines.filter(line => /^[A-Z_]+=/.test(line));
    expect(documented).toEqual(printed({}));
    for (const { name, default: value, description } of describeSettings()) {
      expect(lines[lines.indexOf(`${name}=${value}`) - 1]).toBe(`# ${description}`);
    }
  });
});

describe('a setting that may hold a password', () => {
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

  it('may stand in a file, with the end of its line', () => {
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

  it('says from which setting it comes, and hides its password', () => {
    const values = settingValues(new Set(), { REDIS_URL_FILE: file('redis://:secret@cache') });
    expect(values).toContainEqual({
      name: 'REDIS_URL',
      value: 'redis://:***@cache',
      source: 'REDIS_URL_FILE',
    });
  });

  it('is refused in a file that is empty, that is not there, or beside the setting itself', () => {
    const [missing, empty] = [join(folder, 'missing'), file('\n')];
    const environment = {
      PORT: 'http',
      DATABASE_URL_FILE: missing,
      DATABASE_READ_URL_FILE: empty,
      REDIS_URL_FILE: file('redis://:secret@cache'),
      REDIS_URL: 'redis://:secret@other',
    };
    expect(problemsOf(environment)).toEqual([
      'PORT must be a whole number from 0 to 65535',
      `DATABASE_URL_FILE names ${missing}, which cannot be read (ENOENT)`,
      `DATABASE_READ_URL_FILE names ${empty}, which is empty`,
      'REDIS_URL_FILE is set beside REDIS_URL: keep one of them',
    ]);
  });

  it('is held to the same form in a file, and is not repeated', () => {
    expect(problemsOf({ DATABASE_URL_FILE: file('mysql://me:secret@host/db') })).toEqual([
      'DATABASE_URL must begin with postgres:// or postgresql://',
    ]);
  });

  it('is every key and address with a password, and .env.example names each', () => {
    const secrets = describeSettings().filter(({ name }) => /^(?!BASE_|COLLECT_).*_URL$|_KEY$/.test(name));
    expect([...SECRET_SETTINGS]).toEqual(secrets.map(({ name }) => name));
    for (const name of SECRET_SETTINGS) {
      expect(readFileSync('.env.example', 'utf8')).toMatch(new RegExp(`^# .*\\b${name}\\b.*files`, 'm'));
    }
  });
});
