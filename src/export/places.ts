import type { AccountId } from '../../sql/account-id.ts';
import { Refusal } from '../http/respond.ts';

/** Seconds after which to ask again, where all are taken. */
const BUSY = '5';

/** Milliseconds. A client that reads as it comes takes none. */
const USUAL_PATIENCE = 10_000;

/** A stream that had to make room: it is cut off, so that no reader takes it for whole. */
export class MadeRoom extends Error {
  override name = 'MadeRoom';
}

/** One stream's, until it leaves. */
class Place {
  readonly account: AccountId;
  /** Called when another stream takes the place. */
  onLost = (): void => {};
  #leave: (place: Place) => void;
  /** Milliseconds in which the stream waited for its client, and since when it does. */
  #waited = 0;
  #since: number | undefined;
  #isLost = false;

  constructor(account: AccountId, leave: (place: Place) => void) {
    this.account = account;
    this.#leave = leave;
  }

  /** Milliseconds in which the client did not read. */
  get waited(): number {
    return this.#waited + (this.#since === undefined ? 0 : performance.now() - this.#since);
  }

  /** The same stream, whose client is watched. @throws {MadeRoom} once the place is another's */
  async *watched(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of body) {
      this.#since = performance.now();
      yield piece;
      this.#waited = this.waited;
      this.#since = undefined;
      if (this.#isLost) throw new MadeRoom('its client took its time, and others wanted the place');
    }
  }

  /** Once, however often it is called. */
  leave(): void {
    this.#leave(this);
  }

  lose(): void {
    this.#isLost = true;
    this.onLost();
  }
}

/**
 * Streams hold a connection each, so there are few places for them. An account has half of them at most. Where all
 * are taken, one stream makes room for another account's: the one whose client has kept it waiting for longest. So
 * a few accounts cannot hold all places by reading slowly.
 */
export class Places {
  #count: number;
  #patience: number;
  #taken = new Set<Place>();

  constructor(count: number, patience = USUAL_PATIENCE) {
    this.#count = count;
    this.#patience = patience;
  }

  /** @throws {Refusal} where there is none for this account */
  enter(account: AccountId): Place {
    const own = [...this.#taken].filter(place => place.account === account).length;
    if (own >= Math.ceil(this.#count / 2)) throw busy();
    if (this.#taken.size === this.#count) this.#makeRoom(account);
    const place = new Place(account, left => this.#taken.delete(left));
    this.#taken.add(place);
    return place;
  }

  #makeRoom(account: AccountId): void {
    const [slowest] = [...this.#taken]
      .filter(place => place.account !== account)
      .sort((one, other) => other.waited - one.waited);
    if (!slowest || slowest.waited < this.#patience) throw busy();
    slowest.lose();
  }
}

const busy = () => new Refusal('tooManyRequests', { 'Retry-After': BUSY });
