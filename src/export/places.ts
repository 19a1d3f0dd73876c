import type { AccountId } from '../../sql/account-id.ts';
import type { Snapshot } from '../../sql/client.ts';
import type { ExportRequest } from './export-request.ts';

/** The default patience in milliseconds. It does not affect clients that keep reading. */
const USUAL_PATIENCE = 10_000;

/**
 * The stream lost its slot. Its connection is closed abruptly, so that no client takes the partial response for a
 * complete one.
 */
export class SlotTakenOver extends Error {
  override name = 'MadeRoom';
}

/** The slot of one stream. */
export class ExportSlot {
  readonly account: AccountId;
  /** Called when another stream takes over the slot. */
  onLost = (): void => {};
  #leave: (place: ExportSlot) => void;
  /**
   * The total time for which the stream has waited for its client, and the start of the current wait, in milliseconds.
   */
  #waited = 0;
  #since: number | undefined;
  #isLost = false;

  constructor(account: AccountId, leave: (place: ExportSlot) => void) {
    this.account = account;
    this.#leave = leave;
  }

  /** The total time for which the client did not read, in milliseconds. */
  get waited(): number {
    return this.#waited + (this.#since === undefined ? 0 : performance.now() - this.#since);
  }

  /**
   * Passes on a stream, and measures how long its client stalls.
   * @throws {SlotTakenOver} once another stream has taken the slot
   */
  async *watchBody(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of body) {
      this.#since = performance.now();
      yield piece;
      this.#waited = this.waited;
      this.#since = undefined;
      if (this.#isLost) throw new SlotTakenOver('its client stalled while others were waiting');
    }
  }

  /** Idempotent. */
  leave(): void {
    this.#leave(this);
  }

  lose(): void {
    this.#isLost = true;
    this.onLost();
  }
}

/**
 * Limits concurrent streams, because each holds a connection. An account can have half of the slots. If all are taken,
 * the stream that has stalled longest loses its slot to another account, so slow readers cannot hold all slots.
 */
export class ExportSlots {
  #count: number;
  #patience: number;
  #taken = new Set<ExportSlot>();

  constructor(count: number, patience = USUAL_PATIENCE) {
    this.#count = count;
    this.#patience = patience;
  }

  /** Returns undefined if there is no slot for this account. */
  enter(account: AccountId): ExportSlot | undefined {
    const own = [...this.#taken].filter(place => place.account === account).length;
    if (own >= Math.ceil(this.#count / 2)) return undefined;
    if (this.#taken.size === this.#count && !this.#makeRoom(account)) return undefined;
    const place = new ExportSlot(account, left => this.#taken.delete(left));
    this.#taken.add(place);
    return place;
  }

  #makeRoom(account: AccountId): boolean {
    const [slowest] = [...this.#taken]
      .filter(place => place.account !== account)
      .sort((one, other) => other.waited - one.waited);
    if (!slowest || slowest.waited < this.#patience) return false;
    slowest.lose();
    return true;
  }
}

/** A snapshot that is read in a slot. */
interface SlotSnapshot {
  snapshot: Snapshot;
  /** Releases both. */
  close(): void;
}

/** Opens a snapshot, which is closed if another stream takes over its slot. */
export function openSnapshot(scope: ExportRequest, slot: ExportSlot): SlotSnapshot {
  const snapshot = scope.snapshot();
  const close = () => {
    snapshot.close();
    slot.leave();
  };
  slot.onLost = close;
  return { snapshot, close };
}
