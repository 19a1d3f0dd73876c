import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/**
 * Tests that need a browser: the pages in a real Chromium, which Node does not include. Many of them assert by waiting
 * for an element.
 */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/pages/*.pages.ts', 'packages/*/test/*.pages.ts'],
    expect: { ...base.test?.expect, requireAssertions: false },
  },
});
