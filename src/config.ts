import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { ENRICH_SETTINGS, enrichmentFiles } from '@sightline/importer/enrich';
import { MS_PER_DAY, MS_PER_HOUR } from '@sightline/reports';
import * as z from 'zod';
import { LONGEST_LEASE } from '../sql/changes/announcer.ts';
import { READER } from '../sql/roles.ts';
import { COLLECT_SETTINGS, collectConfig } from './collect/settings.ts';
import { findLoginProblems, LOGIN_SETTINGS, loginConfig } from './login-settings.ts';
import { fileSetting, readSecretFiles } from './secret-files.ts';
import { findMisspelt, type MisspeltSetting } from './setting-names.ts';
import {
  address,
  databaseAddress,
  databaseAddresses,
  duration,
  flag,
  NEXT_ADDRESS,
  whole,
} from './setting-types.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

// Settings are parsed once, so a compiled parser would only waste memory.
z.config({ jitless: true });

/**
 * All settings of the service in display order. Those without a description exist for tests and are not documented; a
 * test keeps `.env.example` in step with the others.
 */
const settings = z.object({
  HOST: z.string().prefault('127.0.0.1').describe('Address to listen on.'),
  PORT: whole(0, 65_535).prefault('4000').describe('Port to listen on; 0 chooses any free one.'),
  WEB_CONCURRENCY: whole(1, 128)
    .prefault('1')
    .describe('Number of processes that serve on the port, at most one per core.'),
  BASE_URL: address('http', 'https')
    .optional()
    .describe('URL at which clients reach the service; http://HOST:PORT if empty.'),
  ADMIN_PORT: whole(1, 65_535).optional().describe('Port of the metrics, on HOST; disabled if empty.'),
  DATABASE_URL: databaseAddress()
    .optional()
    .describe('URL of PostgreSQL 15 or newer; an embedded one if empty (not for "serve").'),
  DATABASE_READ_URL: databaseAddresses()
    .optional()
    .describe('Streaming standbys to read from, separated by commas; only DATABASE_URL if empty.'),
  DATABASE_READ_MAX_LAG: duration(1000, 4000)
    .prefault('2s')
    .describe(
      'Maximum lag of a standby to be read from. A revoked key can be accepted for this much longer.',
    ),
  DATABASE_ROLE: z
    .string()
    .prefault(READER)
    .describe('Role that the service switches to; empty if the login itself is read-only.'),
  DATABASE_POOL_SIZE: whole(1, 100)
    .prefault('4')
    .describe('Connections to each server; more are opened only while statements hang.'),
  DATABASE_PREPARE: flag()
    .prefault('true')
    .describe('Whether to use named statements and startup parameters; false behind PgBouncer before 1.21.'),
  // Maximum number of statements that wait for a free connection.
  DATABASE_QUEUE_LIMIT: whole(0, 100_000).prefault('1000'),
  // How long a statement can wait for a free connection.
  DATABASE_QUEUE_TIMEOUT: duration(1, 60_000).prefault('1s'),
  STATEMENT_TIMEOUT: duration(1, 600_000).prefault('2s').describe('How long a statement can run.'),
  DATA_DIRECTORY: z.string().prefault('.sightline').describe('Folder of the embedded database.'),
  REDIS_URL: address('redis', 'rediss')
    .optional()
    .describe('URL of the Redis in which instances share rate limits; in memory if empty.'),
  RATE_LIMIT_MAX: whole(1, 1_000_000_000)
    .prefault('120')
    .describe('Maximum number of requests of a key per minute.'),
  // Length of a window, which starts with its first request.
  RATE_LIMIT_WINDOW: duration(1000, MS_PER_DAY).prefault('60s'),
  // How long the lookup of a key can take before its connection counts as lost.
  LOOK_UP_TIMEOUT: duration(1, 600_000).prefault('1s'),
  KEY_LEASE: duration(0, LONGEST_LEASE)
    .prefault('250ms')
    .describe('How long the lookup of a key is reused; 0 looks it up for every request.'),
  // Maximum number of records in a response of /v1/reports.
  REPORTS_RESULT_CAP: whole(1, 10_000).prefault('1000'),
  ANSWER_CACHE_SIZE: whole(0, 65_536)
    .prefault('32')
    .describe('Size of the response cache in MiB; 0 disables it.'),
  EXPORT_CONCURRENCY: whole(1, 100)
    .prefault('4')
    .describe(
      'Maximum number of concurrent exports per process, each on its own connection; half of them per account.',
    ),
  SIGHTLINE_KEY: z
    .string()
    .regex(/^svc_[dt]_\S+$/, 'must be a key of an account: svc_d_… or svc_t_…')
    .optional()
    .describe(
      'Key for commands that call a running service, such as "sightline export"; the service needs none.',
    ),
  GRAPHQL_DOCUMENTS: z
    .enum(['any', 'trusted'], 'must be any or trusted')
    .prefault('any')
    .describe(
      'Documents that /graphql runs: any, or only the trusted ones of the page, the client and the tools.',
    ),
  GRAPHIQL: flag()
    .optional()
    .describe(
      'The GraphQL explorer at /graphql; if empty, on unless NODE_ENV=production or documents are trusted.',
    ),
  APP_PAGE: z
    .enum(['on', 'off'], 'must be on or off')
    .prefault('on')
    .describe('The page at /app: on or off.'),
  ...LOGIN_SETTINGS,
  LOG_LEVEL: z
    .enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`)
    .prefault('info')
    .describe(`One of ${LOG_LEVELS.join(', ')}.`),
  NODE_ENV: z.string().prefault('development').describe('"production" for a service with users.'),
  KEEP_ALIVE_TIMEOUT: duration(1000, MS_PER_HOUR)
    .prefault('75s')
    .describe(
      'How long a connection can be idle: longer than in the pool of a proxy, which is usually 60 s.',
    ),
  SHUTDOWN_GRACE: duration(0, 10_000)
    .prefault('1500ms')
    .describe('How long /readyz returns 503 before the port closes, so that proxies stop sending requests.'),
  ...COLLECT_SETTINGS,
  ...ENRICH_SETTINGS,
});

type Setting = keyof typeof settings.shape;

/** Settings that can contain a password: `NAME_FILE` names a file to read the value from. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'SIGHTLINE_KEY',
  'PAGE_LOGIN_SECRET',
] as const satisfies readonly Setting[];

/** The settings of the service. Times are in milliseconds, sizes in bytes. */
export type Config = ReturnType<typeof toConfig>;

/** A setting's description and default as text; '' if it has none. */
export interface SettingDescription {
  name: Setting;
  default: string;
  description: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Invalid settings. `problems` has one entry per setting. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map(problem => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * @param defaults values for absent settings that differ from the usual defaults
 * @throws {ConfigurationError} with all settings that have an invalid value
 */
export function readConfig(
  environment: Environment = process.env,
  defaults: Partial<Record<Setting, string>> = {},
): Config {
  const { values: fromFiles, problems } = secretFiles(environment);
  const result = settings.safeParse({ ...defaults, ...selectSettings(environment), ...fromFiles });
  const wrong = result.error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];
  const login = result.success ? findLoginProblems(result.data) : [];
  if (!result.success || problems.length + login.length > 0)
    throw new ConfigurationError([...wrong, ...problems, ...login]);
  return toConfig(result.data);
}

function toConfig(values: z.infer<typeof settings>) {
  const publicUrl = values.BASE_URL?.replace(/\/+$/, '');
  return {
    host: values.HOST,
    port: values.PORT,
    /** The public address without a trailing slash; undefined if it is not set. */
    publicUrl,
    /** The path of `publicUrl` without a trailing slash; a proxy removes it from requests. */
    publicPath: publicUrl ? new URL(publicUrl).pathname.replace(/\/$/, '') : '',
    baseUrl: publicUrl ?? httpAddress(values.HOST, values.PORT),
    adminPort: values.ADMIN_PORT,
    /** The number of processes that serve requests. */
    processes: values.WEB_CONCURRENCY,
    databaseUrl: values.DATABASE_URL,
    replicas: { urls: values.DATABASE_READ_URL ?? [], maxLag: values.DATABASE_READ_MAX_LAG },
    database: {
      poolSize: values.DATABASE_POOL_SIZE,
      statementTimeout: values.STATEMENT_TIMEOUT,
      queueTimeout: values.DATABASE_QUEUE_TIMEOUT,
      queueLimit: values.DATABASE_QUEUE_LIMIT,
      prepare: values.DATABASE_PREPARE,
      role: values.DATABASE_ROLE,
    },
    dataDirectory: resolve(values.DATA_DIRECTORY),
    redisUrl: values.REDIS_URL,
    rateLimit: { max: values.RATE_LIMIT_MAX, window: values.RATE_LIMIT_WINDOW },
    lookUpTimeout: values.LOOK_UP_TIMEOUT,
    keyLease: values.KEY_LEASE,
    reportsResultCap: values.REPORTS_RESULT_CAP,
    answerCacheSize: values.ANSWER_CACHE_SIZE * 1024 * 1024,
    exportConcurrency: values.EXPORT_CONCURRENCY,
    /** The key of commands that call a running service. */
    key: values.SIGHTLINE_KEY,
    graphqlDocuments: values.GRAPHQL_DOCUMENTS,
    // The explorer is useless if only trusted documents are allowed.
    graphiql: values.GRAPHIQL ?? (values.NODE_ENV !== 'production' && values.GRAPHQL_DOCUMENTS === 'any'),
    isProduction: values.NODE_ENV === 'production',
    appPage: values.APP_PAGE === 'on',
    /** Undefined if people sign in with keys. */
    proxyLogin: loginConfig(values),
    logLevel: values.LOG_LEVEL,
    keepAlive: values.KEEP_ALIVE_TIMEOUT,
    shutdownGrace: values.SHUTDOWN_GRACE,
    collect: collectConfig(values),
    enrich: enrichmentFiles(values),
  };
}

/** Returns the documented settings. */
export function describeSettings(): SettingDescription[] {
  return listSettings().filter(({ description }) => description !== '');
}

function listSettings(): SettingDescription[] {
  return Object.entries(settings.shape).map(([name, schema]) => ({
    name: name as Setting,
    default: schema instanceof z.ZodPrefault ? String(schema.def.defaultValue) : '',
    description: schema.description ?? '',
  }));
}

/** Finds environment variables that look like misspelt settings. */
export function misspeltSettings(environment: Environment = process.env): MisspeltSetting[] {
  const existing = [...Object.keys(settings.shape), ...SECRET_SETTINGS.map(fileSetting)];
  return findMisspelt(Object.keys(environment), existing);
}

/** A setting's value with its password hidden. */
export interface SettingValue {
  name: Setting;
  value: string;
  /** The source of the value; a name that ends in `_FILE` is the setting that names the file. */
  source: 'environment' | '.env' | 'default' | `${Setting}_FILE`;
}

/**
 * Returns the documented settings, and others that are set.
 * @param fromFile settings that are defined in `.env`
 */
export function settingValues(
  fromFile: ReadonlySet<string>,
  environment: Environment = process.env,
): SettingValue[] {
  const values = selectSettings(environment);
  const fromFiles = secretFiles(environment).values;
  const shown = listSettings().filter(
    ({ name, description }) => description !== '' || values[name] !== undefined,
  );
  return shown.map(({ name, default: otherwise }) => {
    const secret = fromFiles[name];
    if (secret !== undefined) return { name, value: hide(name, secret), source: fileSetting(name) };
    const value = values[name];
    if (value === undefined) return { name, value: otherwise, source: 'default' };
    return { name, value: hide(name, value), source: fromFile.has(name) ? '.env' : 'environment' };
  });
}

/** Returns the URL of a service on this host and port, as seen from the same machine. */
export function httpAddress(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}

/** Returns the value without secrets. */
function hide(name: Setting, value: string): string {
  return name === 'PAGE_LOGIN_SECRET' ? '***' : hidePassword(value);
}

/** Removes the passwords from one or several addresses. */
function hidePassword(url: string): string {
  return url.split(NEXT_ADDRESS).map(hidePasswordOfOne).join(',');
}

function hidePasswordOfOne(url: string): string {
  return (
    url
      .replace(/^([a-z][a-z0-9+.-]*:\/\/[^:@/]*):.*@/i, '$1:***@')
      // Startup options can set anything in a session, and extensions accept passwords there.
      .replace(/([?&](?:(?:ssl)?password|options)=)[^&]*/gi, '$1***')
      .replace(/^(svc_[a-z]_).*/, '$1***')
  );
}

/** An empty setting counts as absent, except for the role, where empty has a meaning. */
function selectSettings(environment: Environment): Partial<Record<Setting, string>> {
  const names = Object.keys(settings.shape) as Setting[];
  return Object.fromEntries(
    names
      .map(name => [name, environment[name]?.trim()] as const)
      .filter(([name, value]) => value || (name === 'DATABASE_ROLE' && value === '')),
  );
}

function secretFiles(environment: Environment) {
  return readSecretFiles<Setting>(SECRET_SETTINGS, name => environment[name]?.trim());
}
