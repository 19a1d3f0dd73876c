import { LRUCache } from 'lru-cache';
import type { Database } from '../../sql/client.ts';
import { type Caller, callersByDigest } from '../../sql/keys.ts';
import type { Clock } from '../clock.ts';
import { type KeyKind, parseKey } from '../keys/format.ts';
import type { Header } from './reply.ts';
import { Refusal } from './respond.ts';

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
 * result again for a moment: from its sending on, since each change is announced so long before
 * (`sql/changes/announcer.ts`). After an announcement it is good for no later request. A revoked key is dead when that
 * is over, and one that ends meanwhile ends when it should. The account's version is never one that had passed when the
 * request began.
 */
export function createAuthenticate(database: Database, clock: Clock, times: LookUpTimes): Authenticate {
  const findCaller = sharedLookUp(database, clock, times);
  /** Callers by their whole header, so that a cached one need not be read. */
  // With `max` it would take the memory of all entries at once.
  const most = { maxSize: MOST_LEASES, sizeCalculation: () => 1 };
  const leases = times.keyLease > 0 ? new LRUCache<string, Identified>(most) : undefined;
  const lookUp = async (authorization: Header) => {
    // Several: it is not ours to choose.
    if (Array.isArray(authorization)) throw unauthorized(authorization.some(each => BEARER.test(each)));
    if (authorization === undefined || authorization === '') throw unauthorized(false);
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) throw unauthorized(false);
    const key = parseKey(token);
    const caller = key && (await findCaller(key.digest.toString('hex')));
    if (!caller || kindOf(caller) !== key.kind) throw unauthorized(true);
    if (authorization.length <= LONGEST_HEADER) leases?.set(authorization, caller);
    return caller;
  };
  const leased = (authorization: Header, now: Date) => {
    const caller = typeof authorization === 'string' ? leases?.get(authorization) : undefined;
    const isGood = caller && performance.now() < caller.sureUntil && now.getTime() < caller.endsAt;
    return isGood ? caller : undefined;
  };
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
function sharedLookUp(database: Database, clock: Clock, { keyLease, lookUpTimeout }: LookUpTimes) {
  const waiting: Waiting[] = [];
  let isReading = false;

  async function read(): Promise<void> {
    isReading = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, LARGEST_BATCH);
      const digests = [...new Set(batch.map(({ digest }) => digest))];
      const leaseEnd = keyLease === 0 ? Number.POSITIVE_INFINITY : performance.now() + keyLease;
      try {
        const callers = await callersByDigest(database, digests, clock.now(), lookUpTimeout);
        for (const { digest, resolve } of batch) {
          const caller = callers.get(digest);
          const sureUntil = caller?.isChanging && keyLease > 0 ? Number.NEGATIVE_INFINITY : leaseEnd;
          resolve(caller && Object.assign(caller, { sureUntil }));
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isReading = false;
  }

  return (digest: string): Promise<Identified | undefined> =>
    new Promise((resolve, reject) => {
      waiting.push({ digest, resolve, reject });
      if (!isReading) void read();
    });
}
