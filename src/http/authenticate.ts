import { LRUCache } from 'lru-cache';
import type { Database } from '../../sql/client.ts';
import { type Caller, callersByDigest } from '../../sql/keys.ts';
import type { Clock } from '../clock.ts';
import { type KeyKind, parseKey } from '../keys/format.ts';
import { Refusal } from './respond.ts';

type Header = string | string[] | undefined;

/** The caller, as a look-up found it. */
export interface Identified extends Caller {
  /**
   * Until when the account cannot have changed, by the monotonic clock: what was read of it until
   * then is of its version. Infinite where nothing is known of that, since there are no leases.
   */
  sureUntil: number;
}

export interface Authenticate {
  /** Looks up who asks. @throws {Refusal} `401` */
  (authorization: Header): Promise<Identified>;
  /** Returns the caller if it was looked up a moment ago, and still holds for certain. */
  leased(authorization: Header, now: Date): Identified | undefined;
}

/** In milliseconds. */
interface LookUpTimes {
  /** The time for which a look-up is used again; 0 looks up for every request. */
  keyLease: number;
  /** The time that one look-up may take. */
  lookUpTimeout: number;
}

const BEARER = /^bearer +([^\s]+) *$/i;

/**
 * The second door: `Authorization: Bearer <key>` (RFC 6750), and no other way. It looks a key up, and may use the
 * result again for a moment (`Leases`). A revoked key is dead when that is over. The account's version is never one
 * that had passed when the request began.
 */
export function createAuthenticate(database: Database, clock: Clock, times: LookUpTimes): Authenticate {
  const callers = new SharedLookup(database, clock, times);
  const leases = times.keyLease > 0 ? new Leases() : undefined;
  const lookUp = async (authorization: Header) => {
    // Several: it is not ours to choose.
    if (Array.isArray(authorization)) throw unauthorized(authorization.some(each => BEARER.test(each)));
    if (authorization === undefined || authorization === '') throw unauthorized(false);
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) throw unauthorized(false);
    const key = parseKey(token);
    const caller = key && (await callers.find(key.digest.toString('hex')));
    if (!caller || kindOf(caller) !== key.kind) throw unauthorized(true);
    leases?.keep(authorization, caller, clock.now());
    return caller;
  };
  const leased = (authorization: Header, now: Date) => leases?.of(authorization, now);
  return Object.assign(lookUp, { leased });
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

/** Bounds for the headers that are cached, and for the characters of one: those of a key are 49. */
const MOST_LEASES = 10_000;
const LONGEST_HEADER = 64;

/**
 * Callers by their whole header, so that a cached one need not be read. A look-up is good for the time of a lease,
 * from its sending on: each change is announced so long before (`sql/changes/announcer.ts`). After an announcement it
 * is good for no later request. A key that ends meanwhile ends when it should.
 */
class Leases {
  #kept = new LRUCache<string, Identified>({ max: MOST_LEASES });

  of(header: Header, now: Date): Identified | undefined {
    if (typeof header !== 'string') return undefined;
    const caller = this.#kept.get(header);
    return caller && isGood(caller, now) ? caller : undefined;
  }

  keep(header: string, caller: Identified, now: Date): void {
    if (header.length <= LONGEST_HEADER && isGood(caller, now)) this.#kept.set(header, caller);
  }
}

function isGood({ sureUntil, endsAt }: Identified, now: Date): boolean {
  return performance.now() < sureUntil && now.getTime() < endsAt;
}

interface Waiting {
  /** In hexadecimal. */
  digest: string;
  resolve: (caller: Identified | undefined) => void;
  reject: (error: unknown) => void;
}

const LARGEST_BATCH = 500;

/**
 * One look-up at a time, for all who asked before it began: no answer is older than its question,
 * and under load one statement serves many requests.
 */
class SharedLookup {
  #database: Database;
  #clock: Clock;
  #times: LookUpTimes;
  #waiting: Waiting[] = [];
  #isReading = false;

  constructor(database: Database, clock: Clock, times: LookUpTimes) {
    this.#database = database;
    this.#clock = clock;
    this.#times = times;
  }

  find(digest: string): Promise<Identified | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ digest, resolve, reject });
      if (!this.#isReading) void this.#read();
    });
  }

  async #read(): Promise<void> {
    const { keyLease, lookUpTimeout } = this.#times;
    this.#isReading = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, LARGEST_BATCH);
      const digests = [...new Set(batch.map(({ digest }) => digest))];
      const leaseEnd = keyLease === 0 ? Number.POSITIVE_INFINITY : performance.now() + keyLease;
      try {
        const callers = await callersByDigest(this.#database, digests, this.#clock.now(), lookUpTimeout);
        for (const { digest, resolve } of batch) {
          const caller = callers.get(digest);
          const sureUntil = caller?.isChanging && keyLease > 0 ? Number.NEGATIVE_INFINITY : leaseEnd;
          resolve(caller && Object.assign(caller, { sureUntil }));
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isReading = false;
  }
}
