import type { Database } from '../../sql/client.ts';
import { type Caller, callersByDigest } from '../../sql/keys.ts';
import type { Clock } from '../clock.ts';
import { type KeyKind, parseKey } from '../keys/format.ts';
import { Refusal } from './respond.ts';

/** Who asks, or a `401`. */
export type Authenticate = (authorization: string | string[] | undefined) => Promise<Caller>;

const BEARER = /^bearer +([^\s]+) *$/i;

/**
 * The second door: `Authorization: Bearer <key>` (RFC 6750), and no other way. What a key stands for is read anew
 * for every request, so a revoked key is dead at once, and the account's version is never an old one.
 */
export function createAuthenticate(database: Database, clock: Clock): Authenticate {
  const callers = new SharedLookup(database, clock);
  return async authorization => {
    if (typeof authorization !== 'string' || authorization === '') throw unauthorized(false);
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) throw unauthorized(false);
    const key = parseKey(token);
    const caller = key && (await callers.find(key.digest.toString('hex')));
    if (!caller || kindOf(caller) !== key.kind) throw unauthorized(true);
    return caller;
  };
}

/** A key whose prefix does not fit its account is invalid. */
function kindOf({ account }: Caller): KeyKind {
  return account ? account.type : 'internal';
}

/** RFC 6750, section 3: an error is named only where a token was sent. */
export function unauthorized(hasToken: boolean): Refusal {
  const error = hasToken ? ', error="invalid_token"' : '';
  return new Refusal('unauthorized', { 'WWW-Authenticate': `Bearer realm="v1"${error}` });
}

interface Waiting {
  /** In hexadecimal. */
  digest: string;
  resolve: (caller: Caller | undefined) => void;
  reject: (error: unknown) => void;
}

const LARGEST_BATCH = 500;

/**
 * One look-up at a time, for all who asked before it began: nobody gets an answer older than the own question,
 * and under load one statement serves many requests. So there is nothing to keep and nothing that grows stale.
 */
class SharedLookup {
  #database: Database;
  #clock: Clock;
  #waiting: Waiting[] = [];
  #isReading = false;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  find(digest: string): Promise<Caller | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ digest, resolve, reject });
      if (!this.#isReading) void this.#read();
    });
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, LARGEST_BATCH);
      try {
        const digests = new Set(batch.map(({ digest }) => digest));
        const callers = await callersByDigest(this.#database, [...digests], this.#clock.now());
        for (const { digest, resolve } of batch) resolve(callers.get(digest));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isReading = false;
  }
}
