import { configDefaults, defineConfig } from 'vitest/config';
import { Order } from './test/support/order.ts';
import { COLLECT_SELDOM, OPTIMIZE_LATE } from './test/support/v8-flags.ts';

// Days are of UTC everywhere: a zone with an offset shows where a local day is taken for one.
process.env.TZ = 'America/New_York';

export default defineConfig({
  // Pothos, Yoga and SOFA must see one and the same graphql, or its types are "from another module or realm".
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  // The page's views, which tests render.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  test: {
    include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'dist/**'],
    reporters: ['./test/support/quiet-reporter.ts'],
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: ['test/support/outgoing.ts', 'test/support/no-leaks.ts'],
    // Processes, not threads: tests send signals and change users.
    pool: 'forks',
    // Files that share a process share what they import: reading the schema again for each would be most of the time.
    isolate: false,
    // Most of their time they wait: for timers, processes, PostgreSQL.
    maxWorkers: 4,
    execArgv: [OPTIMIZE_LATE, ...COLLECT_SELDOM],
    sequence: { sequencer: Order },
    tags: [{ name: 'slow', description: 'left to npm run test:slow, so that npm test stays fast' }],
    // Compiled files are cached between runs by their content, which saves a tenth of the processor time.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest' },
    // Only a net for what would wait for good: no test may depend on how fast a machine is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { requireAssertions: true, poll: { timeout: 120_000 } },
  },
});
