import type { ReadSettings } from '../../packages/pg-client/src/database.ts';
import { SeededRandom } from './random.ts';

/** The faults of a server, its network, a key or the process. */
export const NETWORK_TROUBLES = [
  'silence',
  'stall',
  'latency',
  'slow',
  'cut',
  'cutSometimes',
  'refuse',
  'down',
  'full',
  'standStill',
] as const;
export const KEY_TROUBLES = ['hang', 'compute', 'lostWorker', 'gone'] as const;

export type FaultKind = (typeof NETWORK_TROUBLES)[number] | (typeof KEY_TROUBLES)[number];

/** Start and end in milliseconds. */
export interface Fault {
  kind: FaultKind;
  from: number;
  to: number;
  /** Milliseconds or a number, depending on the kind. */
  amount: number;
  /** The keys that are affected, or undefined for all. */
  keys?: ReadonlySet<string>;
}

/** A statement that a key sends. */
export interface SimulatedRequest {
  at: number;
  /** The empty string stands for the service itself. */
  key: string;
  /** Statements with the same number belong to one request. */
  request: number;
  takes: number;
  quick: boolean;
}

export type HistoryKind = 'untroubled' | 'network' | 'keys' | 'overload' | 'mixed';

export interface History {
  seed: number;
  kind: HistoryKind;
  poolSize: number;
  faults: Fault[];
  requests: SimulatedRequest[];
  /** The end of the last fault. */
  healedAt: number;
  endsAt: number;
  /** The load as a fraction of the capacity of the connections for keys. */
  load: number;
  /** Keys without a fault that stay below their share. */
  calm: ReadonlySet<string>;
  /** Settings of the client in place of the usual ones. */
  settings?: Partial<ReadSettings> | undefined;
}

export const STATEMENT_TIMEOUT = 2000;
export const PATIENCE = 1000;
export const QUEUE_LIMIT = 1000;

/** The times at which faults start. */
const BEGIN = 700;
/** In milliseconds: the recovery time after the last fault, and the time examined after it. */
export const AFTER = 2000;
const LOOK = 600;

/** Maximum duration of an ordinary statement in milliseconds. */
const LONGEST = 80;

/** The duration of a fault in milliseconds. Messages sent during a silence are lost only when the silence ends. */
const LASTING: Partial<Record<FaultKind, [number, number]>> = {
  standStill: [300, 3000],
  silence: [1500, 2500],
};

const KINDS: HistoryKind[] = [
  'untroubled',
  'network',
  'network',
  'network',
  'keys',
  'keys',
  'overload',
  'mixed',
];
const POOL_SIZES = [2, 3, 4, 4, 4, 4, 5, 6, 8, 10, 16, 32];

/** How long many keys hang, in milliseconds: until their statements have timed out and others have started. */
const LONG: [number, number] = [5500, 7500];

/** The largest pool on which many keys hang. A larger pool would not fill up within a history. */
const MOST_OF_MANY = 10;

/** The highest load of a key as a fraction of its share. */
const MOST_OF_SHARE = 0.9;

/** The highest rate of ordinary keys, in statements per second, because there are many short histories. */
const MOST_ASKED = 60;

/** The number of the pool's connections for keys. */
export const listPlaces = (poolSize: number) => (poolSize > 2 ? poolSize - 1 : poolSize);

export function readHistory(seed: number): History {
  return new HistoryBuilder(seed).make();
}

class HistoryBuilder {
  #random: SeededRandom;
  /** For rare events. */
  #rare: SeededRandom;
  #seed: number;
  #asked: SimulatedRequest[] = [];
  #requests = 0;
  #faults: Fault[] = [];
  #end = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = new SeededRandom(seed);
    this.#rare = new SeededRandom(-seed);
  }

  make(): History {
    const random = this.#random;
    const kind = random.pick(KINDS);
    const poolSize = random.pick(
      POOL_SIZES.filter(size => (kind === 'keys' ? size > 3 : kind !== 'overload' || size < 6)),
    );
    const areMany = kind === 'keys' && poolSize <= MOST_OF_MANY && this.#rare.chance(0.3);
    // The speed of new keys is unknown when they start to hang.
    const areStrange = areMany && this.#rare.chance(0.5);
    const hung = areMany ? this.#hangMany(poolSize, areStrange ? 40 : 20) : this.#fault(kind, poolSize);
    if (kind === 'keys' && this.#rare.chance(0.2)) this.#letInNoMore(poolSize);
    const healedAt = Math.max(BEGIN, ...this.#faults.map(({ to }) => to));
    this.#end = healedAt + AFTER + LOOK;
    // Hanging keys can use up to half of the connections.
    const places = listPlaces(poolSize) - (kind === 'keys' ? Math.floor(poolSize / 2) : 0);
    const most = (MOST_ASKED * LONGEST) / 1000 / places;
    const load =
      kind === 'overload'
        ? 3
        : Math.min(most, random.pick(kind === 'mixed' ? [0.2, 0.5, 0.8] : [0.2, 0.5, 0.8, 0.9]));
    const calm = this.#ask(load, places, random.pick([1, 1, 2, 3, 4]), hung.length > 0);
    if (kind === 'overload') {
      calm.clear();
      this.#steady('light', 4, random.between(2, 20), true);
      calm.add('light');
    }
    for (const key of hung)
      this.#steady(
        key,
        random.between(2, Math.min(40, 50 / hung.length)),
        2,
        random.chance(0.5),
        (areMany ? areStrange : random.chance(0.5)) ? BEGIN : 0,
      );
    for (let at = 0; at < this.#end; at += 100)
      this.#asked.push({ at, key: '', request: ++this.#requests, takes: 2, quick: true });
    for (const { kind, keys } of this.#faults)
      if (KEY_TROUBLES.includes(kind as never)) for (const key of keys ?? []) calm.delete(key);
    this.#asked.sort((one, other) => one.at - other.at);
    return {
      seed: this.#seed,
      kind,
      poolSize,
      faults: this.#faults,
      requests: this.#asked,
      healedAt,
      endsAt: this.#end,
      load,
      calm,
    };
  }

  /** Returns the keys that hang because of the fault. */
  #fault(kind: HistoryKind, poolSize: number): string[] {
    const random = this.#random;
    if (kind === 'network' || kind === 'mixed')
      for (let count = random.pick([1, 1, 1, 2]); count > 0; count--)
        this.#add(random.pick(NETWORK_TROUBLES), poolSize);
    if (kind !== 'keys' && kind !== 'mixed') return [];
    const count = random.pick(kind === 'mixed' ? [1, 2, 3, 10, 20] : [1, 1, 2, 3, 10]);
    const hung = Array.from({ length: count }, (_, n) => `hung-${n}`);
    this.#add(
      random.pick(['hang', 'hang', 'hang', 'compute', 'lostWorker', 'gone']),
      poolSize,
      new Set(hung),
    );
    return hung;
  }

  /** Makes many keys hang at the same time for a long time. */
  #hangMany(poolSize: number, most: number): string[] {
    const hung = Array.from({ length: this.#rare.integer(12, most) }, (_, n) => `hung-${n}`);
    this.#add(this.#rare.pick(['hang', 'compute']), poolSize, new Set(hung), LONG);
    return hung;
  }

  /** Makes the server reject overflow connections during the first fault. */
  #letInNoMore(poolSize: number): void {
    const { from, to } = this.#faults[0]!;
    this.#faults.push({ kind: 'full', from, to, amount: poolSize });
  }

  #add(kind: FaultKind, poolSize: number, keys?: ReadonlySet<string>, lasting = LASTING[kind]): void {
    const random = this.#random;
    const from = lasting === LONG ? BEGIN : random.between(BEGIN, BEGIN + 300);
    const [least, most] = lasting ?? [300, 2000];
    const length = random.between(least, most);
    const amounts: Partial<Record<FaultKind, () => number>> = {
      latency: () => random.pick([30, 200, 1500]),
      slow: () => random.between(50, 800),
      full: () => random.integer(Math.ceil(poolSize / 2), poolSize),
      compute: () => random.between(400, 1800),
    };
    this.#faults.push({
      kind,
      from,
      to: from + length,
      amount: amounts[kind]?.() ?? 0,
      ...(keys && { keys }),
    });
  }

  /** Adds ordinary keys that together use this fraction of this many connections, possibly besides other keys. */
  #ask(load: number, places: number, count: number, areOthers: boolean): Set<string> {
    const random = this.#random;
    const wanted = random.between(25, 50);
    const takes = Math.min(LONGEST, (load * places * 1000) / wanted);
    const rate = (load * places * 1000) / takes;
    const weights = Array.from({ length: count }, () => random.between(0.2, 1));
    const sum = weights.reduce((one, other) => one + other);
    // Every key leaves one connection to other active keys.
    const most = count > 1 || areOthers ? (MOST_OF_SHARE * Math.max(1, places - 1) * 1000) / takes : rate;
    const names = weights.map((_, n) => `calm-${n}`);
    for (const [n, key] of names.entries()) {
      const burst = load <= 0.5 && random.chance(0.3) ? random.integer(2, 6) : 1;
      this.#steady(key, Math.min(most, (rate * weights[n]!) / sum), takes, random.chance(0.5), 0, burst);
    }
    return new Set(names);
  }

  /**
   * @param rate statements per second
   * @param burst concurrent statements of one request
   */
  #steady(key: string, rate: number, takes: number, quick: boolean, from = 0, burst = 1): void {
    const random = this.#random;
    const step = (1000 * burst) / rate;
    this.#asked.push({ at: from, key, request: ++this.#requests, takes: 2, quick: true });
    for (let at = from + 20 + random.between(0, step); at < this.#end; at += step) {
      const instant = at + random.between(0, step / 4);
      const request = ++this.#requests;
      for (let n = 0; n < burst; n++)
        this.#asked.push({ at: instant, key, request, takes: takes * random.between(0.6, 1.4), quick });
    }
  }
}
