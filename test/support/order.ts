import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, the longest first: no process waits at the end for another. A file's size does not tell. */
const LONGEST = ['cli/many', 'export', 'embedded'];

/** Further ones that mostly wait: for processes, timers, slow clients. */
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
 * The longest first, and then one that waits between some that compute: so no core is idle, and none is contended. The
 * smaller half comes last, so that all processes end at about the same time.
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

/** The few evenly between the many. */
function spread<Item>(few: readonly Item[], many: readonly Item[]): Item[] {
  const share = few.length / Math.max(1, many.length);
  const upTo = (index: number) => Math.floor(index * share);
  const mixed = many.flatMap((item, i) => [item, ...few.slice(upTo(i), upTo(i + 1))]);
  return [...mixed, ...few.slice(upTo(many.length))];
}
