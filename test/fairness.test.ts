import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from './faults/scale.ts';
import {
  type Arrival,
  type Fate,
  PATIENCE,
  STATEMENT_TIMEOUT,
  VirtualConnections,
} from './support/virtual-connections.ts';

/** Guarantees of the scheduler, in a time of its own, over patterns of arrivals. */

const poolSizes = fc.integer({ min: 4, max: 16 });
const keysOf = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}-${n}`);

/** Arrivals of anything at any time in five seconds: alone, in bursts, quick or not, from a millisecond to a hang. */
const arrivalsOf = (keys: fc.Arbitrary<string>, takes: fc.Arbitrary<number>): fc.Arbitrary<Arrival[]> =>
  fc
    .array(
      fc.record({
        at: fc.integer({ min: 0, max: 5000 }),
        key: keys,
        takes,
        quick: fc.boolean(),
        count: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 40 })),
      }),
      { maxLength: 60 },
    )
    .map(bursts => bursts.flatMap(({ count, ...arrival }) => Array.from({ length: count }, () => arrival)));

const anyDuration = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 300, max: 2500 }));

/** Asks every so many milliseconds for eight seconds. */
const steady = (key: string, every: number, takes: number, quick = false): Arrival[] =>
  Array.from({ length: Math.floor(8000 / every) }, (_, n) => ({ at: n * every, key, takes, quick }));

/** Each of them was answered quickly before. */
function acquaint(connections: VirtualConnections, keys: readonly string[]): void {
  connections.run(keys.map((key, n) => ({ at: n * 10, key, takes: 2, quick: true })));
}

const slowest = (fates: readonly Fate[], key: string) =>
  Math.max(...fates.filter(fate => fate.key === key).map(({ waited }) => waited ?? Number.POSITIVE_INFINITY));

describe('a key that is known to be quick', () => {
  test('waits for no other one that is not, whatever those ask', () => {
    const strange = fc.constantFrom(...keysOf('strange', 12));
    fc.assert(
      fc.property(
        poolSizes,
        arrivalsOf(strange, fc.integer({ min: 300, max: 2500 })),
        (poolSize, arrivals) => {
          const connections = new VirtualConnections(poolSize);
          acquaint(connections, ['calm']);
          const fates = connections.run([...arrivals, ...steady('calm', 25, 20)]);
          expect(slowest(fates, 'calm')).toBe(0);
        },
      ),
      runs(6, 300),
    );
  });

  test('waits for no one that turns out to be slow', () => {
    fc.assert(
      fc.property(
        poolSizes,
        fc.integer({ min: 5, max: 500 }),
        fc.integer({ min: 1, max: 30 }),
        (poolSize, every, burst) => {
          const connections = new VirtualConnections(poolSize);
          acquaint(connections, ['calm', 'turning']);
          const hanging = Array.from({ length: burst }, () => steady('turning', every, 2000)).flat();
          const fates = connections.run([...hanging, ...steady('calm', 25, 20)]);
          expect(slowest(fates, 'calm')).toBe(0);
        },
      ),
      runs(4, 200),
    );
  });

  test('waits a moment at most, though all others that were quick begin to hang at once, and soon no more', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 4, max: 16 }),
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 25, max: 500 }),
        (poolSize, count, every) => {
          const connections = new VirtualConnections(poolSize);
          const turning = keysOf('turning', count);
          acquaint(connections, ['calm', ...turning]);
          const begin = connections.now;
          const fates = connections.run([
            ...steady('', 250, 2, true),
            ...turning.flatMap(key => steady(key, every, 2500)),
            ...steady('calm', 25, 5),
          ]);
          expect(slowest(fates, 'calm')).toBeLessThan(700);
          const later = fates.filter(({ at }) => at > begin + 5000);
          expect(slowest(later, 'calm')).toBe(0);
        },
      ),
      runs(20, 1000),
    );
  });
});

describe('whatever is asked', () => {
  test('the connections stay within their number, and the shares of them', () => {
    const keys = fc.constantFrom('', ...keysOf('known', 4), ...keysOf('strange', 8));
    fc.assert(
      fc.property(poolSizes, arrivalsOf(keys, anyDuration), (poolSize, arrivals) => {
        const before = new Set<Fate>();
        const connections = new VirtualConnections(poolSize, lanes => {
          expect(lanes.length).toBeLessThanOrEqual(poolSize + Math.max(poolSize, 10));
          const ofKeys = lanes.filter(items => items.some(({ key }) => key !== ''));
          const ages = ofKeys.map(([first]) => connections.now - (first!.at + first!.waited!));
          const isStalled = ages.some(age => age >= 300);
          // A statement that was begun beside one that stalled may outlast it.
          const isBegun = ofKeys.some(items => !items.some(fate => before.has(fate)));
          if (isBegun || isStalled)
            expect(ofKeys.length).toBeLessThanOrEqual(isStalled ? 2 * poolSize + 10 : poolSize - 1);
          before.clear();
          for (const fate of ofKeys.flat()) before.add(fate);
          // Nothing of the service itself is behind what a key asks, nor the other way round.
          for (const items of lanes) expect(new Set(items.map(({ key }) => key === '')).size).toBe(1);
        });
        acquaint(connections, keysOf('known', 4));
        connections.run(arrivals);
      }),
      runs(6, 300),
    );
  });

  test("the service's own statements are sent at once", () => {
    const keys = fc.constantFrom(...keysOf('known', 4), ...keysOf('strange', 8));
    fc.assert(
      fc.property(poolSizes, arrivalsOf(keys, anyDuration), (poolSize, arrivals) => {
        const connections = new VirtualConnections(poolSize);
        acquaint(connections, keysOf('known', 4));
        const fates = connections.run([...arrivals, ...steady('', 20, 2, true)]);
        expect(slowest(fates, '')).toBe(0);
      }),
      runs(6, 300),
    );
  });

  test('every statement is sent or refused within its time, and none is lost', () => {
    const keys = fc.constantFrom(...keysOf('known', 3), ...keysOf('strange', 6));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16 }), arrivalsOf(keys, anyDuration), (poolSize, arrivals) => {
        const connections = new VirtualConnections(poolSize);
        acquaint(connections, keysOf('known', 3));
        for (const { waited, refusal } of connections.run(arrivals)) {
          if (refusal === undefined) expect(waited).toBeLessThanOrEqual(PATIENCE + 200);
          else expect(waited).toBeUndefined();
        }
      }),
      runs(6, 300),
    );
  });
});

describe('among keys that are quick', () => {
  test('the connections are shared by time, however many statements that is', () => {
    fc.assert(
      fc.property(poolSizes, fc.integer({ min: 2, max: 8 }), (poolSize, ratio) => {
        const connections = new VirtualConnections(poolSize);
        acquaint(connections, ['short', 'long']);
        const ask = (key: string, takes: number) =>
          steady(key, takes / poolSize / 2, takes).filter(({ at }) => at < 3000);
        const fates = connections.run([...ask('short', 20), ...ask('long', 20 * ratio)]);
        const used = (key: string) =>
          fates
            .filter(({ endedAt, ...fate }) => fate.key === key && endedAt)
            .reduce((sum, { takes }) => sum + takes, 0);
        expect(used('long') / used('short')).toBeLessThan(1.5);
        expect(used('long') / used('short')).toBeGreaterThan(1 / 1.5);
      }),
      runs(4, 100),
    );
  });

  test('none gets a second connection while one waits that has none', () => {
    const keys = fc.constantFrom(...keysOf('known', 6));
    const ask = (key: string, takes: number): Arrival => ({ at: 0, key, takes, quick: false });
    const waitingBesideOneThatEnds = [
      ...Array.from({ length: 3 }, () => ask('known-0', 1)),
      ...Array.from({ length: 2 }, () => ask('known-5', 2)),
      ask('known-4', 1),
    ];
    fc.assert(
      fc.property(poolSizes, arrivalsOf(keys, fc.integer({ min: 1, max: 200 })), (poolSize, arrivals) => {
        const connections = new VirtualConnections(poolSize);
        acquaint(connections, keysOf('known', 6));
        const fates = connections.run(arrivals.map(arrival => ({ ...arrival, quick: false })));
        const sent = (fate: Fate) => fate.at + (fate.waited ?? Number.POSITIVE_INFINITY);
        const isAtWork = (fate: Fate, at: number) => sent(fate) < at && (fate.endedAt ?? 0) > at;
        for (const second of fates.filter(({ waited }) => waited)) {
          const at = sent(second);
          if (!fates.some(fate => fate.key === second.key && isAtWork(fate, at))) continue;
          const waiting = fates.filter(fate => fate.at < at && sent(fate) > at && !fate.refusal);
          const without = waiting.filter(
            ({ key }) => !fates.some(fate => fate.key === key && isAtWork(fate, at)),
          );
          // Its like may have been sent at the same instant.
          const isSent = (key: string) => fates.some(fate => fate.key === key && sent(fate) === at);
          expect(without.filter(({ key }) => !isSent(key))).toEqual([]);
        }
      }),
      { ...runs(4, 150), examples: [[4, waitingBesideOneThatEnds]] },
    );
  });
});

describe('the statements of one request', () => {
  /** Asked for at once; most have a single connection for them. */
  const together = (key: string, takes: readonly number[], at = 0): Arrival[] =>
    takes.map(takes => ({ at, key, takes, quick: false, request: `${key} ${at}` }));

  test('wait for each other, though that takes longer than they would wait for those of others', () => {
    const keys = { new: [], slow: ['page'] };
    for (const acquainted of Object.values(keys)) {
      const connections = new VirtualConnections(4);
      acquaint(connections, ['calm']);
      connections.run([
        ...acquainted.flatMap(key => together(key, [900])),
        ...steady('calm', 25, 5).filter(({ at }) => at < 2000),
      ]);
      const fates = connections.run([
        ...together('page', [400, 400, 400, 400, 400]),
        ...steady('calm', 25, 5),
      ]);
      expect(fates.filter(({ refusal }) => refusal)).toEqual([]);
      expect(slowest(fates, 'page')).toBeGreaterThan(PATIENCE);
      expect(slowest(fates, 'calm')).toBe(0);
    }
  });

  test('wait no longer than leaves time for what they answer', () => {
    const connections = new VirtualConnections(4);
    const fates = connections.run(together('page', [STATEMENT_TIMEOUT, 10, 10]));
    expect(fates.map(({ refusal }) => refusal)).toEqual([undefined, 'late', 'late']);
  });

  test('give those of another request of their key no more time than they had', () => {
    const connections = new VirtualConnections(4);
    const arrivals = [...together('page', [1500, 100, 100]), ...together('page', [5], 100)];
    const fates = connections.run(arrivals);
    expect(fates.map(({ refusal }) => refusal)).toEqual([undefined, undefined, undefined, 'late']);
  });

  test('take no connection from other keys that they had not', () => {
    fc.assert(
      fc.property(
        poolSizes,
        fc.array(fc.array(fc.integer({ min: 300, max: 2000 }), { minLength: 1, maxLength: 12 }), {
          minLength: 1,
          maxLength: 20,
        }),
        (poolSize, requests) => {
          const connections = new VirtualConnections(poolSize);
          acquaint(connections, ['calm']);
          const pages = requests.flatMap((takes, n) => together(`page-${n % 7}`, takes, n * 97));
          const fates = connections.run([...pages, ...steady('calm', 25, 20)]);
          for (const { key, waited, refusal } of fates) {
            if (key === 'calm') expect(waited).toBe(0);
            else if (!refusal) expect(waited).toBeLessThan(STATEMENT_TIMEOUT);
          }
        },
      ),
      runs(6, 300),
    );
  });
});

describe('a key whose statements hang', () => {
  test('is told apart where they are refused, and answered as before when they hang no longer', () => {
    const connections = new VirtualConnections(4);
    acquaint(connections, ['calm', 'stuck']);
    const hung = connections.run([...steady('stuck', 25, 2000), ...steady('calm', 25, 5)]);
    const refused = hung.filter(({ key, refusal }) => key === 'stuck' && refusal);
    const asSlow = refused.filter(({ refusal }) => refusal === 'slow');
    expect(asSlow.length / refused.length).toBeGreaterThan(0.7);
    const healed = connections.run(steady('stuck', 25, 5));
    expect(healed.filter(({ refusal }) => refusal)).toEqual([]);
  });

  test('is not told from others where these are failed at once', () => {
    const connections = new VirtualConnections(4);
    acquaint(connections, ['calm', 'lost']);
    const failing = steady('lost', 16, 2, true).map(arrival => ({ ...arrival, fails: true }));
    const fates = connections.run([...failing, ...steady('calm', 400, 500)]);
    expect(fates.filter(({ refusal }) => refusal)).toEqual([]);
    expect(slowest(fates, 'calm')).toBe(0);
  });

  test('is not told from others where the server is slow for all', () => {
    const connections = new VirtualConnections(4);
    const keys = keysOf('known', 3);
    acquaint(connections, keys);
    const fates = connections.run(keys.flatMap(key => steady(key, 1500, 1000)));
    expect(fates.filter(({ refusal }) => refusal)).toEqual([]);
  });
});

test('what comes after a trouble is not late because of what came in it', () => {
  const connections = new VirtualConnections(4);
  acquaint(connections, ['busy']);
  const begin = connections.now;
  const hanging = Array.from({ length: 3 }, () => ({ at: 0, key: 'busy', takes: 1500, quick: false }));
  const fates = connections.run([...hanging, ...steady('busy', 22, 60)]);
  const after = fates.filter(({ at }) => at - begin > 1600 && at - begin < 3600);
  const prompt = after.filter(({ waited }) => waited !== undefined && waited < 100);
  expect(prompt.length / after.length).toBeGreaterThan(0.7);
});

test('a statement costs as much where hundreds of keys wait as where few do', () => {
  const costBeside = (count: number): number => {
    const connections = new VirtualConnections(4);
    const [hanging, waiting] = [keysOf('hanging', 3), keysOf('waiting', count)];
    acquaint(connections, [...hanging, ...waiting]);
    const arrivals = [
      ...hanging.map(key => ({ at: 0, key, takes: 250, quick: false })),
      ...Array.from({ length: 900 }, (_, n) => ({
        at: 1 + n / 4,
        key: waiting[n % count]!,
        takes: 1,
        quick: true,
      })),
    ];
    const before = process.cpuUsage();
    connections.run(arrivals);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const least = (count: number) => Math.min(...Array.from({ length: 5 }, () => costBeside(count)));
  const beside = [20, 450].map(least) as [number, number];
  expect(beside[1]).toBeLessThan(5 * beside[0]);
});
