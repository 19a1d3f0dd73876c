import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/**
 * The faults in earnest: longer, harder, and one file after the other, since they measure times. `FAULTS=brief` tries
 * each a little, by its outcome alone. That holds on a busy machine, too.
 */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: [
      'test/{faults,abuse}/*.test.ts',
      'test/upgrade/*.test.ts',
      'test/cli/{dev,maintain,many}.test.ts',
      'test/http/exactness.test.ts',
      'test/rest/report-filters.test.ts',
      'test/{dependencies,docs-samples,fairness,longest-records,longest-values,release}.test.ts',
      'packages/embedded/test/embedded.test.ts',
      'packages/{collect,postgres}/test/{hostile,rows}.test.ts',
      'test/feed/{again,daily-counts,derived-findings}.test.ts',
      'test/graphql/{daily-groups,executor,kept-hours,quiet-signs,report-groups,signs}.test.ts',
      'packages/import/test/{parsedmarc,properties}.test.ts',
      'test/**/*.faults.ts',
    ],
    env: { FAULTS: process.env.FAULTS ?? 'earnest' },
    fileParallelism: false,
  },
});
