import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The slowest files in order, so that no process waits for another at the end. The size of a file does not show how
 * slow it is.
 */
const LONGEST = ['cli/many', 'export', 'embedded'];

/** Other files that mostly wait: for processes, timers or slow clients. */
const WAITING = [
  'cli/dev',
  'cli/maintain',
  'cli/serve',
  'dial',
  'http/leases',
  'http/rate-limit',
  'import/watch',
  'statements',
  'tls',
];

/**
 * Slowest first, alternating between files that wait and files that compute, so that cores are neither idle nor
 * overloaded. The faster half comes last, so that all processes end at about the same time.
 */
export class Order extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const among = (names: readonly string[]) =>
      names.flatMap(name => sorted.filter(file => isOf(file, name)));
    const [longest, waiting] = [among(LONGEST), among(WAITING)];
    const computing = sorted.filter(file => !longest.includes(file) && !waiting.includes(file));
    const half = Math.ceil(computing.length / 2);
    return [...longest, ...spread(waiting, computing.slice(0, half)), ...computing.slice(half)];
  }
}

function isOf({ moduleId }: TestSpecification, name: string): boolean {
  return moduleId.endsWith(`/test/${name}.test.ts`);
}

/** Distributes the few evenly among the many. */
function spread<Item>(few: readonly Item[], many: readonly Item[]): Item[] {
  const share = few.length / Math.max(1, many.length);
  const upTo = (index: number) => Math.floor(index * share);
  const mixed = many.flatMap((item, i) => [item, ...few.slice(upTo(i), upTo(i + 1))]);
  return [...mixed, ...few.slice(upTo(many.length))];
}
