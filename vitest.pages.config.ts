import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** What only a browser can tell: the pages in a real Chromium, which Node does not bring along. */
export default defineConfig({
  ...base,
  test: { ...base.test, include: ['test/pages/*.pages.ts', 'packages/*/test/*.pages.ts'] },
});
