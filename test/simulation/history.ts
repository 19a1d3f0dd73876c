import { Random } from './random.ts';

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

export type TroubleKind = (typeof NETWORK_TROUBLES)[number] | (typeof KEY_TROUBLES)[number];

/** From an instant to another: milliseconds. */
export interface Trouble {
  kind: TroubleKind;
  from: number;
  to: number;
  /** Milliseconds, or how many, by its kind. */
  amount: number;
  /** Whom it is about; undefined for all. */
  keys?: ReadonlySet<string>;
}

/** A statement that a key asks for. */
export interface Asked {
  at: number;
  /** '' for the service itself. */
  key: string;
  /** Those with the same number are of one request. */
  request: number;
  takes: number;
  quick: boolean;
}

export type HistoryKind = 'untroubled' | 'network' | 'keys' | 'overload' | 'mixed';

export interface History {
  seed: number;
  kind: HistoryKind;
  poolSize: number;
  troubles: Trouble[];
  asked: Asked[];
  /** When the last trouble has ended. */
  healedAt: number;
  endsAt: number;
  /** The share of what the keys' connections can do. */
  load: number;
  /** Keys of which none has a trouble of its own, and that ask for less than their share. */
  calm: ReadonlySet<string>;
}

export const STATEMENT_TIMEOUT = 2000;
export const PATIENCE = 1000;
export const QUEUE_LIMIT = 1000;

/** When troubles begin. */
const BEGIN = 700;
/** Milliseconds after the last trouble in which all is well again, and those that are looked at then. */
export const AFTER = 2000;
const LOOK = 600;

/** Milliseconds that an ordinary statement takes at most. */
const LONGEST = 80;

/** Milliseconds that troubles last. A message that went into a silence is only lost when its time is over. */
const LASTING: Partial<Record<TroubleKind, [number, number]>> = {
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

/** Milliseconds for which many keys hang: their statements run out of their time, and others begin. */
const LONG: [number, number] = [5500, 7500];

/** Connections of the largest pool that many keys hang on: a larger one is not made in the time of a history. */
const MOST_OF_MANY = 10;

/** The most that a key asks for, as a share of what it may have. */
const MOST_OF_SHARE = 0.9;

/** Statements a second of ordinary keys: a history is short, and there are many. */
const MOST_ASKED = 60;

/** Connections of the pool that are for keys. */
export const placesOf = (poolSize: number) => (poolSize > 2 ? poolSize - 1 : poolSize);

export function historyOf(seed: number): History {
  return new Making(seed).make();
}

class Making {
  #random: Random;
  /** For what is rare. */
  #rare: Random;
  #seed: number;
  #asked: Asked[] = [];
  #requests = 0;
  #troubles: Trouble[] = [];
  #end = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = new Random(seed);
    this.#rare = new Random(-seed);
  }

  make(): History {
    const random = this.#random;
    const kind = random.pick(KINDS);
    const poolSize = random.pick(
      POOL_SIZES.filter(size => (kind === 'keys' ? size > 3 : kind !== 'overload' || size < 6)),
    );
    const areMany = kind === 'keys' && poolSize <= MOST_OF_MANY && this.#rare.chance(0.3);
    // Nothing is known of them when they begin to hang.
    const areStrange = areMany && this.#rare.chance(0.5);
    const hung = areMany ? this.#hangMany(poolSize, areStrange ? 40 : 20) : this.#trouble(kind, poolSize);
    if (kind === 'keys' && this.#rare.chance(0.2)) this.#letInNoMore(poolSize);
    const healedAt = Math.max(BEGIN, ...this.#troubles.map(({ to }) => to));
    this.#end = healedAt + AFTER + LOOK;
    // Keys that hang may have half.
    const places = placesOf(poolSize) - (kind === 'keys' ? Math.floor(poolSize / 2) : 0);
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
    for (const { kind, keys } of this.#troubles)
      if (KEY_TROUBLES.includes(kind as never)) for (const key of keys ?? []) calm.delete(key);
    this.#asked.sort((one, other) => one.at - other.at);
    return {
      seed: this.#seed,
      kind,
      poolSize,
      troubles: this.#troubles,
      asked: this.#asked,
      healedAt,
      endsAt: this.#end,
      load,
      calm,
    };
  }

  /** Answers with the keys that it makes hang. */
  #trouble(kind: HistoryKind, poolSize: number): string[] {
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

  /** Many keys begin to hang at once, and do so for long. */
  #hangMany(poolSize: number, most: number): string[] {
    const hung = Array.from({ length: this.#rare.integer(12, most) }, (_, n) => `hung-${n}`);
    this.#add(this.#rare.pick(['hang', 'compute']), poolSize, new Set(hung), LONG);
    return hung;
  }

  /** Meanwhile the server takes no connection beyond the pool. */
  #letInNoMore(poolSize: number): void {
    const { from, to } = this.#troubles[0]!;
    this.#troubles.push({ kind: 'full', from, to, amount: poolSize });
  }

  #add(kind: TroubleKind, poolSize: number, keys?: ReadonlySet<string>, lasting = LASTING[kind]): void {
    const random = this.#random;
    const from = lasting === LONG ? BEGIN : random.between(BEGIN, BEGIN + 300);
    const [least, most] = lasting ?? [300, 2000];
    const lasts = random.between(least, most);
    const amounts: Partial<Record<TroubleKind, () => number>> = {
      latency: () => random.pick([30, 200, 1500]),
      slow: () => random.between(50, 800),
      full: () => random.integer(Math.ceil(poolSize / 2), poolSize),
      compute: () => random.between(400, 1800),
    };
    this.#troubles.push({
      kind,
      from,
      to: from + lasts,
      amount: amounts[kind]?.() ?? 0,
      ...(keys && { keys }),
    });
  }

  /** Ordinary keys, that together ask for so much of so many connections' time, maybe beside others. */
  #ask(load: number, places: number, count: number, areOthers: boolean): Set<string> {
    const random = this.#random;
    const wanted = random.between(25, 50);
    const takes = Math.min(LONGEST, (load * places * 1000) / wanted);
    const rate = (load * places * 1000) / takes;
    const weights = Array.from({ length: count }, () => random.between(0.2, 1));
    const sum = weights.reduce((one, other) => one + other);
    // A key leaves one to others that ask.
    const most = count > 1 || areOthers ? (MOST_OF_SHARE * Math.max(1, places - 1) * 1000) / takes : rate;
    const names = weights.map((_, n) => `calm-${n}`);
    for (const [n, key] of names.entries()) {
      const burst = load <= 0.5 && random.chance(0.3) ? random.integer(2, 6) : 1;
      this.#steady(key, Math.min(most, (rate * weights[n]!) / sum), takes, random.chance(0.5), 0, burst);
    }
    return new Set(names);
  }

  /** @param rate statements a second @param burst statements at once, of one request */
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
