import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_BOUNDS } from '../src/bounds.ts';
import { ResourceBudget } from '../src/resource-budget.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Returns a budget after an item of this size was read. */
async function budgetAfter(bytes: number, growth = 10): Promise<ResourceBudget> {
  const budget = new ResourceBudget({ ...DEFAULT_BOUNDS, growth });
  const content = budget.countContent(
    (async function* () {
      yield new Uint8Array(Math.floor(bytes / 2));
      yield new Uint8Array(Math.ceil(bytes / 2));
    })(),
  );
  for await (const chunk of content) expect(chunk.length).toBeGreaterThanOrEqual(0);
  return budget;
}

/** Repeats the charge until it is refused, and returns how often it was accepted, and the refusal. */
function countUntilRefused(charge: () => void): [count: number, reason: string] {
  for (let count = 0; ; count++) {
    try {
      charge();
    } catch (error) {
      const { cause } = error as { cause: Error };
      return [count, cause.message];
    }
  }
}

const MANY = 'contains too many records for its size: over 4000000 bytes and 10 times its ';

describe('the output of an item', () => {
  it.each<[string, number, (budget: ResourceBudget) => void, number]>([
    ['short records', 0, budget => budget.give(1), 2500],
    ['records of 1600 bytes', 0, budget => budget.give(1600), 2500],
    ['records of 2000 bytes', 0, budget => budget.give(2000), 2000],
    ['parts', 0, budget => budget.part(), 10_000],
    ['short records of a larger item', 16_001, budget => budget.give(1), 2600],
    ['long records of a larger item', 100_000, budget => budget.give(2_500_000), 2],
  ])('is limited to 4 MB and a multiple of its size: %s', async (_, size, charge, most) => {
    const budget = await budgetAfter(size);
    expect(countUntilRefused(() => charge(budget))).toEqual([most, `${MANY}${size}`]);
  });

  it.each([
    [0, 4_000_000],
    [1_000_000, 14_000_000],
  ])('may contain decompressed bytes up to that limit: %i bytes become %i', async (size, most) => {
    const budget = await budgetAfter(size);
    budget.decompress(most - 1);
    budget.decompress(1);
    expect(countUntilRefused(() => budget.decompress(1))).toEqual([
      0,
      `expands too much for its size: over 4000000 bytes and 10 times its ${size}`,
    ]);
  });

  it('is limited for records and decompressed bytes apart', async () => {
    const budget = await budgetAfter(0);
    budget.decompress(4_000_000);
    budget.give(4_000_000);
    expect(() => budget.part()).toThrow('contains too many records for its size');
  });

  it.each([
    [0, 40_000],
    [99, 40_009],
    [1_000_000, 140_000],
  ])('of %i bytes may contain %i JSON values', async (size, values) => {
    expect((await budgetAfter(size)).values).toBe(values);
  });

  it('is limited to 32 MB for one value, however large the item is', async () => {
    const budget = await budgetAfter(1_000_000, 1000);
    const taken: number[] = [];
    const findings = budget.measureTime(
      (async function* () {
        for (const bytes of [32_000_000, 32_000_000, 31_998_400, 32_000_001]) {
          budget.give(bytes);
          if (bytes < 32_000_000) budget.give(1);
          yield bytes;
        }
      })(),
    );
    const read = async () => {
      for await (const bytes of findings) taken.push(bytes);
    };
    await expect(read()).rejects.toMatchObject({
      cause: { reason: 'contains too many records in one value', detail: 'over 32000000 bytes' },
    });
    expect(taken).toEqual([32_000_000, 32_000_000, 31_998_400]);
  });
});

describe('the processor time of an item', () => {
  /** Sets the processor time of this process, and the time of day, which passes faster if the process waits. */
  const setSeconds = (seconds: number, elapsed = seconds) => {
    vi.spyOn(performance, 'now').mockReturnValue(elapsed * 1000);
    return vi
      .spyOn(process, 'cpuUsage')
      .mockReturnValue({ user: seconds * 0.75e6, system: seconds * 0.25e6 });
  };

  it.each([
    [0, 0, 2, 2],
    [1_000_000, 0, 3, 3],
    [500_000, 1_000_000, 3.5, 4],
  ])(
    'is limited by its size: %i bytes and %i decompressed ones may take %f s',
    async (size, more, most, named) => {
      const budget = await budgetAfter(size);
      budget.decompress(more);
      const findings = budget.measureTime(
        (async function* () {
          setSeconds(100 + most);
          budget.look();
          yield 'in time';
          setSeconds(500.01);
          budget.look();
          yield 'too late';
        })(),
      );
      setSeconds(100);
      expect(await findings.next()).toEqual({ done: false, value: 'in time' });
      // The time between two results is not that of the item.
      setSeconds(500);
      await expect(findings.next()).rejects.toMatchObject({
        cause: { reason: 'takes too long for its size', detail: `over ${named} s of processor time` },
      });
    },
  );

  it('is checked with every sixteenth charge', async () => {
    const budget = await budgetAfter(0);
    let charges = 0;
    const findings = budget.measureTime(
      (async function* () {
        setSeconds(103);
        for (; charges < 100; charges++) budget.part();
        yield charges;
      })(),
    );
    setSeconds(100);
    await expect(findings.next()).rejects.toThrow('takes too long for its size');
    expect(charges).toBe(15);
  });

  it('does not include the time that it waits for its content', async () => {
    const budget = await budgetAfter(0);
    const findings = budget.measureTime(
      (async function* () {
        for (let second = 0; second < 10; second++) {
          setSeconds(100 + second * 0.15, 1000 * second + 500);
          budget.look();
          yield second;
        }
        setSeconds(102.1, 11_000);
        budget.look();
      })(),
    );
    setSeconds(100, 0);
    for (let second = 0; second < 10; second++)
      expect(await findings.next()).toEqual({ done: false, value: second });
    await expect(findings.next()).rejects.toThrow('takes too long for its size');
  });

  it('includes steps that are shorter than the interval between two readings', async () => {
    const budget = await budgetAfter(0);
    let time = 100;
    const pass = () => {
      time += 0.0007;
      setSeconds(time);
    };
    let steps = 0;
    const findings = budget.measureTime(
      (async function* () {
        for (; steps < 10_000; steps++) {
          pass();
          budget.look();
          yield steps;
        }
      })(),
    );
    const read = async () => {
      setSeconds(time);
      // The consumer of the results takes as long.
      for await (const _ of findings) pass();
    };
    await expect(read()).rejects.toThrow('takes too long for its size');
    // Between two readings, the time of the consumer can count as that of the item.
    expect(steps).toBeGreaterThan(1000);
    expect(steps).toBeLessThan(2858);
  });

  it('is read from the system once per millisecond', async () => {
    const budget = await budgetAfter(0);
    const readings = setSeconds(100);
    readings.mockClear();
    const findings = budget.measureTime(
      (async function* () {
        for (let millisecond = 0; millisecond < 3; millisecond++) {
          setSeconds(100 + millisecond / 500);
          for (let charge = 0; charge < 100; charge++) budget.part();
          yield* ['one', 'two'];
        }
      })(),
    );
    for await (const found of findings) expect(found).not.toBe('');
    expect(readings).toHaveBeenCalledTimes(3);
  });

  it('ends with the item, whose content is closed', async () => {
    const budget = await budgetAfter(0);
    let isClosed = false;
    const findings = budget.measureTime(
      (async function* () {
        try {
          yield 1;
          yield 2;
        } finally {
          isClosed = true;
        }
      })(),
    );
    for await (const found of findings) if (found === 1) break;
    expect(isClosed).toBe(true);
    setSeconds(1_000_000);
    expect(() => budget.look()).not.toThrow();
  });
});
