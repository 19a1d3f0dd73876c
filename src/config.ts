import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { ENRICH_SETTINGS, enrichmentFiles } from '@sightline/import/enrich/settings';
import * as z from 'zod';
import { LONGEST_LEASE } from '../sql/changes/announcer.ts';
import { COLLECT_SETTINGS, collectConfig } from './collect/settings.ts';
import { fileSetting, readSecretFiles } from './secret-files.ts';
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

// Settings are read once: a compiled reader of them would be kept for nothing.
z.config({ jitless: true });

/** Every setting of the service, in the order in which they are shown; `.env.example` is held to this. */
const settings = z.object({
  HOST: z.string().prefault('127.0.0.1').describe('Address to listen on.'),
  PORT: whole(0, 65_535).prefault('4000').describe('Port to listen on; 0 takes any free one.'),
  WEB_CONCURRENCY: whole(1, 128)
    .prefault('1')
    .describe('Processes that serve on the port: as many as there are cores to give.'),
  BASE_URL: address('http', 'https')
    .optional()
    .describe('Address under which clients reach the service; http://HOST:PORT when empty.'),
  ADMIN_PORT: whole(1, 65_535)
    .optional()
    .describe('Port of the metrics, on HOST; there are none when empty.'),
  DATABASE_URL: databaseAddress()
    .optional()
    .describe('PostgreSQL, 15 or newer; an embedded one when empty (not for "serve").'),
  DATABASE_READ_URL: databaseAddresses()
    .optional()
    .describe('Streaming standbys to read from, with commas between them; DATABASE_URL alone when empty.'),
  DATABASE_READ_MAX_LAG: duration(1000, 4000)
    .prefault('2s')
    .describe('How far a standby may be behind to be read from: as much later a revoked key is refused.'),
  DATABASE_ROLE: z
    .string()
    .prefault('sightline_reader')
    .describe('Role the service steps down to; empty where the login itself may only read.'),
  DATABASE_POOL_SIZE: whole(1, 100)
    .prefault('4')
    .describe('Connections to each server; more only while statements hang.'),
  DATABASE_PREPARE: flag()
    .prefault('true')
    .describe('Named statements and start-up settings; false behind PgBouncer before 1.21.'),
  DATABASE_QUEUE_LIMIT: whole(0, 100_000)
    .prefault('1000')
    .describe('Statements that may wait for a free connection.'),
  DATABASE_QUEUE_TIMEOUT: duration(1, 60_000)
    .prefault('1s')
    .describe('How long a statement may wait for a free connection.'),
  STATEMENT_TIMEOUT: duration(1, 600_000).prefault('2s').describe('How long a statement may run.'),
  DATA_DIRECTORY: z.string().prefault('.sightline').describe("The embedded database's folder."),
  REDIS_URL: address('redis', 'rediss')
    .optional()
    .describe('Redis that all instances share their rate limits in; in memory when empty.'),
  RATE_LIMIT_MAX: whole(1, 1_000_000_000).prefault('120').describe('Requests of a key in one window.'),
  RATE_LIMIT_WINDOW: duration(1000, 86_400_000)
    .prefault('60s')
    .describe("The window's length, from its first request on."),
  LOOK_UP_TIMEOUT: duration(1, 600_000)
    .prefault('1s')
    .describe('How long the look-up of a key may take; then its connection counts as lost.'),
  KEY_LEASE: duration(0, LONGEST_LEASE)
    .prefault('250ms')
    .describe('How long a key that was looked up is good for; 0 looks it up for every request.'),
  REPORTS_RESULT_CAP: whole(1, 10_000)
    .prefault('1000')
    .describe('Records of one answer of /v1/reports at most.'),
  ANSWER_CACHE_SIZE: whole(0, 65_536)
    .prefault('32')
    .describe('MiB of memory for answers that are asked for again; 0 keeps none.'),
  EXPORT_CONCURRENCY: whole(1, 100)
    .prefault('4')
    .describe(
      'Exports that a process streams at once, each on a connection of its own; an account has half of them.',
    ),
  SIGHTLINE_KEY: z
    .string()
    .regex(/^svc_[dt]_\S+$/, 'must be a key of an account: svc_d_… or svc_t_…')
    .optional()
    .describe('Key of the account that "sightline export" asks for; the service needs none.'),
  GRAPHIQL: flag()
    .optional()
    .describe('The GraphQL explorer at /graphql; on when empty, but with NODE_ENV=production.'),
  APP_PAGE: z
    .enum(['on', 'off'], 'must be on or off')
    .prefault('on')
    .describe('The page at /app: on or off.'),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`)
    .prefault('info')
    .describe(`One of ${LOG_LEVELS.join(', ')}.`),
  NODE_ENV: z.string().prefault('development').describe('"production" where the service has users.'),
  SHUTDOWN_GRACE: duration(0, 10_000)
    .prefault('1500ms')
    .describe('How long /readyz answers 503 before the port closes, for proxies to turn away.'),
  ...COLLECT_SETTINGS,
  ...ENRICH_SETTINGS,
});

type Setting = keyof typeof settings.shape;

/** Settings that may hold a password, or are one: each may stand in a file instead, which `NAME_FILE` names. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'SIGHTLINE_KEY',
] as const satisfies readonly Setting[];

/** The settings of the service. Times are in milliseconds, sizes in bytes. */
export type Config = ReturnType<typeof configOf>;

/** A setting's description and default, as text; '' where there is none. */
export interface SettingDescription {
  name: Setting;
  default: string;
  description: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that cannot be used. `problems` names each with its setting. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map(problem => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * @param defaults what settings are that the environment leaves out, where that differs from the usual
 * @throws {ConfigurationError} with every setting that has a wrong value
 */
export function readConfig(
  environment: Environment = process.env,
  defaults: Partial<Record<Setting, string>> = {},
): Config {
  const { values: fromFiles, problems } = secretFiles(environment);
  const result = settings.safeParse({ ...defaults, ...given(environment), ...fromFiles });
  const wrong = result.error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];
  if (!result.success || problems.length > 0) throw new ConfigurationError([...wrong, ...problems]);
  return configOf(result.data);
}

function configOf(values: z.infer<typeof settings>) {
  const publicUrl = values.BASE_URL?.replace(/\/+$/, '');
  return {
    host: values.HOST,
    port: values.PORT,
    /** The address that clients were given, without a trailing slash; undefined where none was. */
    publicUrl,
    baseUrl: publicUrl ?? httpAddress(values.HOST, values.PORT),
    adminPort: values.ADMIN_PORT,
    /** Processes that serve. */
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
    /** The key that a command asks a service with. */
    key: values.SIGHTLINE_KEY,
    graphiql: values.GRAPHIQL ?? values.NODE_ENV !== 'production',
    isProduction: values.NODE_ENV === 'production',
    appPage: values.APP_PAGE === 'on',
    logLevel: values.LOG_LEVEL,
    shutdownGrace: values.SHUTDOWN_GRACE,
    collect: collectConfig(values),
    enrich: enrichmentFiles(values),
  };
}

export function describeSettings(): SettingDescription[] {
  return Object.entries(settings.shape).map(([name, schema]) => ({
    name: name as Setting,
    default: schema instanceof z.ZodPrefault ? String(schema.def.defaultValue) : '',
    description: schema.description ?? '',
  }));
}

/** A setting as it stands, with its password hidden. */
export interface SettingValue {
  name: Setting;
  value: string;
  /** The source of the value: a name that ends in `_FILE` is of the setting that names its file. */
  source: 'environment' | '.env' | 'default' | `${Setting}_FILE`;
}

/** @param fromFile settings that the environment has from the file `.env` */
export function settingValues(
  fromFile: ReadonlySet<string>,
  environment: Environment = process.env,
): SettingValue[] {
  const values = given(environment);
  const fromFiles = secretFiles(environment).values;
  return describeSettings().map(({ name, default: otherwise }) => {
    const secret = fromFiles[name];
    if (secret !== undefined) return { name, value: hidePassword(secret), source: fileSetting(name) };
    const value = values[name];
    if (value === undefined) return { name, value: otherwise, source: 'default' };
    return { name, value: hidePassword(value), source: fromFile.has(name) ? '.env' : 'environment' };
  });
}

/** The address of a service on this host and port, from the same machine. */
export function httpAddress(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}

/** An address without the passwords in it, or several. */
function hidePassword(url: string): string {
  return url.split(NEXT_ADDRESS).map(hidePasswordOfOne).join(',');
}

function hidePasswordOfOne(url: string): string {
  return url
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^:@/]*):.*@/i, '$1:***@')
    .replace(/([?&](?:ssl)?password=)[^&]*/gi, '$1***')
    .replace(/^(svc_[a-z]_).*/, '$1***');
}

/** An empty setting counts as left out; only an empty role is a choice of its own. */
function given(environment: Environment): Partial<Record<Setting, string>> {
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
