import { createHash } from 'node:crypto';
import { arrayText } from '@sightline/postgres';
import type { Sql } from 'postgres';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { AccountRow } from '../sql/account.ts';
import { callersByDigest } from '../sql/keys.ts';
import { stockDriver } from '../test/support/stock-driver.ts';
import { statementOf } from './statements.ts';

/** The steps of the hand-written services before their routes: the connection, the key and the rate limit. */

/** As the driver's own documentation has it: values as text where that is what the answer needs. */
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
      // A cursor is one statement, from its first row to its last.
      statement_timeout: 60_000,
      plan_cache_mode: 'force_custom_plan',
    },
  });
}

/** A literal of an array of texts. Host names need no escaping. */
function texts(literal: string): string[] {
  return literal === '{}' ? [] : literal.slice(1, -1).split(',');
}

/** An array goes in as its literal. */
export function literal(value: unknown) {
  return (Array.isArray(value) ? arrayText(value) : value) as string;
}

export interface KeyHolder extends AccountRow {
  key_id: string;
}

const KEY_LIFETIME = 5000;

/** The caller. A key that was looked up is good for five seconds. */
export class Keys {
  #sql: Sql;
  #text = statementOf(db => callersByDigest(db, [], new Date(), 0)).text;
  #known = new Map<string, { holder: Promise<KeyHolder | undefined>; until: number }>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  find(authorization: string | undefined): Promise<KeyHolder | undefined> {
    const token = authorization?.startsWith('Bearer ') ? authorization.slice(7) : '';
    const now = Date.now();
    const known = this.#known.get(token);
    if (known && now < known.until) return known.holder;
    const holder = this.#read(token);
    this.#known.set(token, { holder, until: now + KEY_LIFETIME });
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

/** The headers of the rate limit; it is never reached here. */
export function createLimit(): (keyId: string) => Promise<{ policy: string; state: string }> {
  const limiter = new RateLimiterMemory({ points: LIMIT, duration: WINDOW });
  const policy = `"default";q=${LIMIT};w=${WINDOW}`;
  return async keyId => {
    const { remainingPoints, msBeforeNext } = await limiter.consume(keyId);
    return { policy, state: `"default";r=${remainingPoints};t=${Math.ceil(msBeforeNext / 1000)}` };
  };
}
