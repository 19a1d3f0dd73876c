import { LRUCache } from 'lru-cache';
import type { Database } from '../../sql/client.ts';
import { type Caller, callersByDigest } from '../../sql/keys.ts';
import type { Clock } from '../clock.ts';
import { type KeyKind, parseKey } from '../keys/format.ts';
import type { HeaderValue } from './reply.ts';
import { Refusal } from './respond.ts';

export interface IdentifiedKey extends Caller {
  /**
   * Until when the account cannot have changed, by the monotonic clock. Data read before then belongs to its version.
   * Infinite if there are no leases.
   */
  validUntil: number;
}

export interface Authenticate {
  /** Looks up the caller. @throws {Refusal} `401` */
  (authorization: HeaderValue): Promise<IdentifiedKey>;
  /** Returns a caller that was looked up recently and is still valid. */
  getLeased(authorization: HeaderValue, now: Date): IdentifiedKey | undefined;
}

/** Times in milliseconds. */
interface LookUpTimes {
  /** How long a look-up can be reused; 0 looks up for every request. */
  keyLease: number;
  /** Time limit of one look-up. */
  lookUpTimeout: number;
}

const BEARER = /^bearer +([^\s]+) *$/i;

/**
 * Authenticates with `Authorization: Bearer <key>` (RFC 6750). A look-up can be reused for a short time after it was
 * sent, because each change is announced that long before (`sql/changes/announcer.ts`). After an announcement it is not
 * used for later requests. A revoked key becomes invalid at the end of this time, and an expiring key at its expiry.
 * The account's version is never older than the start of the request.
 */
export function createAuthenticate(database: Database, clock: Clock, times: LookUpTimes): Authenticate {
  const findCaller = sharedLookUp(database, clock, times);
  /** Callers by the value of their Authorization header, so that a cached one is not parsed again. */
  // With `max` the cache would allocate the memory of all entries up front.
  const most = { maxSize: MOST_LEASES, sizeCalculation: () => 1 };
  const leases = times.keyLease > 0 ? new LRUCache<string, IdentifiedKey>(most) : undefined;
  const lookUp = async (authorization: HeaderValue) => {
    // With several headers, it is unclear which one to trust.
    if (Array.isArray(authorization)) throw unauthorized(authorization.some(each => BEARER.test(each)));
    if (authorization === undefined || authorization === '') throw unauthorized(false);
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) throw unauthorized(false);
    const key = parseKey(token);
    const caller = key && (await findCaller(key.digest.toString('hex')));
    if (!caller || classify(caller) !== key.kind) throw unauthorized(true);
    if (authorization.length <= LONGEST_HEADER) leases?.set(authorization, caller);
    return caller;
  };
  const getLeased = (authorization: HeaderValue, now: Date) => {
    const caller = typeof authorization === 'string' ? leases?.get(authorization) : undefined;
    const isGood = caller && performance.now() < caller.validUntil && now.getTime() < caller.endsAt;
    return isGood ? caller : undefined;
  };
  return Object.assign(lookUp, { getLeased });
}

/** A key whose prefix does not fit its account is invalid. */
function classify({ account }: Caller): KeyKind {
  return account ? account.type : 'internal';
}

/** RFC 6750, section 3: an error code is only sent if the request had a token. */
export function unauthorized(hasToken: boolean): Refusal {
  const error = hasToken ? ', error="invalid_token"' : '';
  return new Refusal('unauthorized', { 'WWW-Authenticate': `Bearer realm="v1"${error}` });
}

/** Maximum number of cached headers, and maximum length of a header; a key has 49 characters. */
const MOST_LEASES = 10_000;
const LONGEST_HEADER = 64;

interface PendingLookup {
  /** In hexadecimal. */
  digest: string;
  resolve: (caller: IdentifiedKey | undefined) => void;
  reject: (error: unknown) => void;
}

const LARGEST_BATCH = 500;

/**
 * Runs one look-up at a time for all requests that arrived before it started, so no answer is older than its request,
 * and one statement serves many requests under load.
 */
function sharedLookUp(database: Database, clock: Clock, { keyLease, lookUpTimeout }: LookUpTimes) {
  const waiting: PendingLookup[] = [];
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
          const validUntil =
            caller?.invalidationPending && keyLease > 0 ? Number.NEGATIVE_INFINITY : leaseEnd;
          resolve(caller && Object.assign(caller, { validUntil: validUntil }));
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isReading = false;
  }

  return (digest: string): Promise<IdentifiedKey | undefined> =>
    new Promise((resolve, reject) => {
      waiting.push({ digest, resolve, reject });
      if (!isReading) void read();
    });
}
