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

/** Checks the guarantees of the scheduler in simulated time, with random arrivals. */

const poolSizes = fc.integer({ min: 4, max: 16 });
const listKeys = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}-${n}`);

/** Arrivals of all kinds within five seconds: single or in bursts, with durations from a millisecond to a hang. */
const getArrivals = (keys: fc.Arbitrary<string>, takes: fc.Arbitrary<number>): fc.Arbitrary<Arrival[]> =>
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

/** Sends a statement at this interval in milliseconds for eight seconds. */
const steady = (key: string, every: number, takes: number, quick = false): Arrival[] =>
  Array.from({ length: Math.floor(8000 / every) }, (_, n) => ({ at: n * every, key, takes, quick }));

/** Each of these keys has had quick answers before. */
function acquaint(connections: VirtualConnections, keys: readonly string[]): void {
  connections.run(keys.map((key, n) => ({ at: n * 10, key, takes: 2, quick: true })));
}

const slowest = (fates: readonly Fate[], key: string) =>
  Math.max(...fates.filter(fate => fate.key === key).map(({ waited }) => waited ?? Number.POSITIVE_INFINITY));

describe('a quick key', () => {
  test('never waits for unknown keys, regardless of their statements', () => {
    const strange = fc.constantFrom(...listKeys('strange', 12));
    fc.assert(
      fc.property(
        poolSizes,
        getArrivals(strange, fc.integer({ min: 300, max: 2500 })),
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

  test('never waits for a key that becomes slow', () => {
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

  test('waits only briefly when all other quick keys start to hang simultaneously', { tags: 'slow' }, () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 4, max: 16 }),
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 25, max: 500 }),
        (poolSize, count, every) => {
          const connections = new VirtualConnections(poolSize);
          const turning = listKeys('turning', count);
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

describe('any load', () => {
  test('uses no more connections than allowed, in total and per share', () => {
    const keys = fc.constantFrom('', ...listKeys('known', 4), ...listKeys('strange', 8));
    fc.assert(
      fc.property(poolSizes, getArrivals(keys, anyDuration), (poolSize, arrivals) => {
        const before = new Set<Fate>();
        const connections = new VirtualConnections(poolSize, pool => {
          expect(pool.length).toBeLessThanOrEqual(poolSize + Math.max(poolSize, 10));
          const ofKeys = pool.filter(items => items.some(({ key }) => key !== ''));
          const ages = ofKeys.map(([first]) => connections.now - (first!.at + first!.waited!));
          const isStalled = ages.some(age => age >= 300);
          // A statement that began next to a stalled one can outlast it.
          const isBegun = ofKeys.some(items => !items.some(fate => before.has(fate)));
          if (isBegun || isStalled)
            expect(ofKeys.length).toBeLessThanOrEqual(isStalled ? 2 * poolSize + 10 : poolSize - 1);
          before.clear();
          for (const fate of ofKeys.flat()) before.add(fate);
          // Statements of the service itself are never pipelined with those of keys.
          for (const items of pool) expect(new Set(items.map(({ key }) => key === '')).size).toBe(1);
        });
        acquaint(connections, listKeys('known', 4));
        connections.run(arrivals);
      }),
      runs(6, 300),
    );
  });

  test('causes no overflow connection after the hanging statement has ended', () => {
    const burst = (key: string, at: number, takes: number, count: number, quick = false): Arrival[] =>
      Array.from({ length: count }, () => ({ key, at, takes, quick }));
    const connections = new VirtualConnections(6);
    acquaint(connections, listKeys('known', 3));
    // The first key's last statement ends at 1199 ms, when the second key has waited long enough for an overflow
    // connection.
    const fates = connections.run([
      ...burst('known-0', 197, 334, 12, true),
      ...burst('known-1', 422, 776, 5),
      ...burst('strange-0', 423, 300, 3),
      ...burst('known-2', 1199, 1, 1),
    ]);
    // The next statement ends at 1498 ms.
    expect(slowest(fates, 'known-2')).toBe(299);
  });

  test('delays no statement of the service itself', () => {
    const keys = fc.constantFrom(...listKeys('known', 4), ...listKeys('strange', 8));
    fc.assert(
      fc.property(poolSizes, getArrivals(keys, anyDuration), (poolSize, arrivals) => {
        const connections = new VirtualConnections(poolSize);
        acquaint(connections, listKeys('known', 4));
        const fates = connections.run([...arrivals, ...steady('', 20, 2, true)]);
        expect(slowest(fates, '')).toBe(0);
      }),
      runs(6, 300),
    );
  });

  test('loses no statement, and each is sent or refused in time', () => {
    const keys = fc.constantFrom(...listKeys('known', 3), ...listKeys('strange', 6));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16 }), getArrivals(keys, anyDuration), (poolSize, arrivals) => {
        const connections = new VirtualConnections(poolSize);
        acquaint(connections, listKeys('known', 3));
        const lost = connections
          .run(arrivals)
          .filter(({ waited, refusal }) =>
            refusal ? waited !== undefined : waited === undefined || waited > PATIENCE + 200,
          );
        expect(lost).toEqual([]);
      }),
      runs(6, 300),
    );
  });
});

describe('several quick keys', () => {
  const ask = (key: string, takes: number, at = 0): Arrival => ({ at, key, takes, quick: false });

  test('share the connections by time, not by number of statements', () => {
    fc.assert(
      fc.property(poolSizes, fc.integer({ min: 2, max: 8 }), (poolSize, ratio) => {
        const connections = new VirtualConnections(poolSize);
        acquaint(connections, ['short', 'long']);
        const load = (key: string, takes: number) =>
          steady(key, takes / poolSize / 2, takes).filter(({ at }) => at < 3000);
        const fates = connections.run([...load('short', 20), ...load('long', 20 * ratio)]);
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

  test('get a second connection only if no key without one is waiting', () => {
    const keys = fc.constantFrom(...listKeys('known', 6));
    const waitingWhileOneEnds = [
      ...Array.from({ length: 3 }, () => ask('known-0', 1)),
      ...Array.from({ length: 2 }, () => ask('known-5', 2)),
      ask('known-4', 1),
    ];
    fc.assert(
      fc.property(poolSizes, getArrivals(keys, fc.integer({ min: 1, max: 200 })), (poolSize, arrivals) => {
        const connections = new VirtualConnections(poolSize);
        acquaint(connections, listKeys('known', 6));
        const fates = connections.run(arrivals.map(arrival => ({ ...arrival, quick: false })));
        const sent = (fate: Fate) => fate.at + (fate.waited ?? Number.POSITIVE_INFINITY);
        const hasConnection = (key: string, at: number) =>
          fates.some(fate => fate.key === key && sent(fate) < at && (fate.endedAt ?? 0) > at);
        // Another statement with the same text may have been sent at the same time.
        const isSent = (key: string, at: number) => fates.some(fate => fate.key === key && sent(fate) === at);
        const overtaken = fates
          .filter(({ key, at, waited }) => waited && hasConnection(key, at + waited))
          .map(sent)
          .flatMap(at =>
            fates.filter(
              fate =>
                fate.at < at &&
                sent(fate) > at &&
                !fate.refusal &&
                !hasConnection(fate.key, at) &&
                !isSent(fate.key, at),
            ),
          );
        expect(overtaken).toEqual([]);
      }),
      { ...runs(40, 150), examples: [[4, waitingWhileOneEnds]] },
    );
  });

  test('give the first free connection to a key without one', () => {
    const connections = new VirtualConnections(4);
    acquaint(connections, listKeys('known', 4));
    const fates = connections.run([
      ask('known-0', 20),
      ask('known-1', 5),
      ask('known-2', 7),
      ask('known-0', 20),
      ask('known-3', 20, 1),
    ]);
    expect(fates.map(({ key, waited }) => [key, waited])).toEqual([
      ['known-0', 0],
      ['known-1', 0],
      ['known-2', 0],
      ['known-0', 7],
      ['known-3', 4],
    ]);
  });
});

describe('statements of one request', () => {
  /** These are sent simultaneously, most of them on a single connection. */
  const together = (key: string, takes: readonly number[], at = 0): Arrival[] =>
    takes.map(takes => ({ at, key, takes, quick: false, request: `${key} ${at}` }));

  test('can wait for each other longer than for statements of other requests', () => {
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

  test('wait only as long as their request has time left', () => {
    const connections = new VirtualConnections(4);
    const fates = connections.run(together('page', [STATEMENT_TIMEOUT, 10, 10]));
    expect(fates.map(({ refusal }) => refusal)).toEqual([undefined, 'late', 'late']);
  });

  test('do not extend the waiting time of another request with the same key', () => {
    const connections = new VirtualConnections(4);
    const arrivals = [...together('page', [1500, 100, 100]), ...together('page', [5], 100)];
    const fates = connections.run(arrivals);
    expect(fates.map(({ refusal }) => refusal)).toEqual([undefined, undefined, undefined, 'late']);
  });

  test('take no additional connections from other keys', () => {
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

describe('a key with hanging statements', () => {
  test('is refused as slow and recovers once its statements are quick', () => {
    const connections = new VirtualConnections(4);
    acquaint(connections, ['calm', 'stuck']);
    const hung = connections.run([...steady('stuck', 25, 2000), ...steady('calm', 25, 5)]);
    const refused = hung.filter(({ key, refusal }) => key === 'stuck' && refusal);
    const asSlow = refused.filter(({ refusal }) => refusal === 'slow');
    expect(asSlow.length / refused.length).toBeGreaterThan(0.7);
    const healed = connections.run(steady('stuck', 25, 5));
    expect(healed.filter(({ refusal }) => refusal)).toEqual([]);
  });

  test('is not refused as slow if its statements fail immediately', () => {
    const connections = new VirtualConnections(4);
    acquaint(connections, ['calm', 'lost']);
    const failing = steady('lost', 16, 2, true).map(arrival => ({ ...arrival, fails: true }));
    const fates = connections.run([...failing, ...steady('calm', 400, 500)]);
    expect(fates.filter(({ refusal }) => refusal)).toEqual([]);
    expect(slowest(fates, 'calm')).toBe(0);
  });

  test('is not refused as slow if the server is slow for all keys', () => {
    const connections = new VirtualConnections(4);
    const keys = listKeys('known', 3);
    acquaint(connections, keys);
    const fates = connections.run(keys.flatMap(key => steady(key, 1500, 1000)));
    expect(fates.filter(({ refusal }) => refusal)).toEqual([]);
  });
});

test('statements after an incident are not delayed by those during it', () => {
  const connections = new VirtualConnections(4);
  acquaint(connections, ['busy']);
  const begin = connections.now;
  const hanging = Array.from({ length: 3 }, () => ({ at: 0, key: 'busy', takes: 1500, quick: false }));
  const fates = connections.run([...hanging, ...steady('busy', 22, 60)]);
  const after = fates.filter(({ at }) => at - begin > 1600 && at - begin < 3600);
  const prompt = after.filter(({ waited }) => waited !== undefined && waited < 100);
  expect(prompt.length / after.length).toBeGreaterThan(0.7);
});

test('the cost of a statement grows much less than the number of waiting keys', { tags: 'slow' }, () => {
  const measureCostWith = (count: number): number => {
    const connections = new VirtualConnections(4);
    const [hanging, waiting] = [listKeys('hanging', 3), listKeys('waiting', count)];
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
  // In turns, so that compilation and other processes affect both alike.
  const costs = Array.from({ length: 5 }, () => [20, 450].map(measureCostWith) as [number, number]);
  const [few, many] = [0, 1].map(index => Math.min(...costs.map(pair => pair[index]!))) as [number, number];
  // With 22 times as many keys, the cost is 3 to 5 times as high.
  expect(many).toBeLessThan(10 * few);
});
