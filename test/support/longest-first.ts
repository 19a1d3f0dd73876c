import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that wait for browsers, processes and slow clients, the longest first. A file's size does not tell. */
const LONGEST = [
  'docs-browser',
  'app-page-browser',
  'cli/many',
  'abuse/slow-clients',
  'embedded',
  'export',
  'rest/reports',
  'cli/maintain',
  'demo',
  'abuse/stalled-process',
].map(name => `test/${name}.test.ts`);

/** Begins with what takes longest, in a clone without a cache, too: no process waits at the end for another. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex(name => moduleId.endsWith(`/${name}`));
      return at < 0 ? LONGEST.length : at;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
