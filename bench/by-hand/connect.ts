import { createHash } from 'node:crypto';
import { arrayText } from '@sightline/pg-client';
import type { Sql } from 'postgres';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { AccountRow } from '../../sql/account.ts';
import { callersByDigest } from '../../sql/keys.ts';
import { stockDriver } from '../../test/support/stock-driver.ts';
import { toStatement } from '../statements.ts';

/** The steps that the hand-written services take before a route: the connection, the key and the rate limit. */

/** As in the driver's documentation. Values stay text where the response needs text. */
export function connectByHand(url: string): Sql {
  const asText = (text: string) => text;
  return stockDriver(url, {
    max: 4,
    fetch_types: false,
    onnotice: () => {},
    types: {
      bigint: { to: 20, from: [20], parse: Number, serialize: String },
      texts: { to: 1009, from: [1009], parse: texts, serialize: asText },
      temporal: { to: 1184, from: [1082, 1114, 1184], parse: asText, serialize: asText },
    } as never,
    connection: {
      TimeZone: 'UTC',
      role: 'sightline_reader',
      // A cursor is a single statement that runs from its first row to its last.
      statement_timeout: 60_000,
      plan_cache_mode: 'force_custom_plan',
    },
  });
}

/** Parses the literal of a text array. Host names need no escaping. */
function texts(literal: string): string[] {
  return literal === '{}' ? [] : literal.slice(1, -1).split(',');
}

/** Arrays are passed as literals. */
export function literal(value: unknown) {
  return (Array.isArray(value) ? arrayText(value) : value) as string;
}

export interface KeyHolder extends AccountRow {
  key_id: string;
}

const KEY_LIFETIME = 5000;

/** Looks up the caller of a key. Results are cached for five seconds. */
export class Keys {
  #sql: Sql;
  #text = toStatement(db => callersByDigest(db, [], new Date(), 0)).text;
  #cache = new Map<string, { holder: Promise<KeyHolder | undefined>; until: number }>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  find(authorization: string | undefined): Promise<KeyHolder | undefined> {
    const token = authorization?.startsWith('Bearer ') ? authorization.slice(7) : '';
    const now = Date.now();
    const existing = this.#cache.get(token);
    if (existing && now < existing.until) return existing.holder;
    const holder = this.#read(token);
    this.#cache.set(token, { holder, until: now + KEY_LIFETIME });
    return holder;
  }

  async #read(token: string): Promise<KeyHolder | undefined> {
    const digest = createHash('sha256').update(token).digest('hex');
    const parameters = [`{"\\\\x${digest}"}`, new Date().toISOString()];
    const [row] = await this.#sql.unsafe<KeyHolder[]>(this.#text, parameters, { prepare: true });
    return row;
  }
}

const LIMIT = 1_000_000_000;
const WINDOW = 60;

/** Returns the rate limit headers. The limit is never reached here. */
export function createLimit(): (keyId: string) => Promise<{ policy: string; state: string }> {
  const limiter = new RateLimiterMemory({ points: LIMIT, duration: WINDOW });
  const policy = `"default";q=${LIMIT};w=${WINDOW}`;
  return async keyId => {
    const { remainingPoints, msBeforeNext } = await limiter.consume(keyId);
    return { policy, state: `"default";r=${remainingPoints};t=${Math.ceil(msBeforeNext / 1000)}` };
  };
}
