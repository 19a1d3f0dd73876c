import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/**
 * The faults in earnest: longer, harder, and one file after the other, since they measure times. With `FAULTS=brief` they
 * are tried a little, and by their outcome alone, which holds on a busy machine, too.
 */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: [
      'test/{faults,abuse}/*.test.ts',
      'test/upgrade/*.test.ts',
      'test/http/exactness.test.ts',
      'test/{fairness,rows}.test.ts',
      'test/feed/daily-counts.test.ts',
      'test/graphql/{daily-groups,executor,report-groups}.test.ts',
      'test/import/{properties,recipes}.test.ts',
      'test/**/*.faults.ts',
    ],
    env: { FAULTS: process.env.FAULTS ?? 'earnest' },
    fileParallelism: false,
  },
});
