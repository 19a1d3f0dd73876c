import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/**
 * Faults in earnest: longer, harder, and one file after the other, since they measure times. `FAULTS=brief` tries
 * each briefly and only checks outcomes, which also holds on a busy machine. Some assert by waiting for a recovery.
 */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: [
      'test/{faults,abuse}/*.test.ts',
      'test/upgrade/*.test.ts',
      'test/cli/{dev,maintain,many,serve}.test.ts',
      'test/http/{exactness,keep-alive-proxies}.test.ts',
      'test/rest/report-filters.test.ts',
      'test/{demo,dependencies,docs-samples,export,fairness,longest-records,longest-values,release}.test.ts',
      'test/import/mailbox.test.ts',
      'packages/embedded/test/embedded.test.ts',
      'packages/{collector,pg-client}/test/{hostile,rows}.test.ts',
      'packages/csp/test/suggest.test.ts',
      'test/feed/{again,daily-counts,derived-findings}.test.ts',
      'test/graphql/{daily-groups,executor,group-pairs,hourly-rollups,quiet-insights,report-groups,insights}.test.ts',
      'test/graphql/varied-reports.test.ts',
      'packages/importer/test/{joined,logs,parsedmarc,properties}.test.ts',
      'test/**/*.faults.ts',
    ],
    expect: { ...base.test?.expect, requireAssertions: false },
    env: { FAULTS: process.env.FAULTS ?? 'earnest' },
    fileParallelism: false,
  },
});
