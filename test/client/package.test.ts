import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bundle } from './bundle.ts';

const gzipped = (text: string) => gzipSync(text).length;

describe('the package @sightline/client', () => {
  it('weighs 6 kB gzipped at most, and only what is used of it', async () => {
    const whole = await bundle("export * from './index.ts';");
    const error = await bundle("export { SightlineError } from './index.ts';");
    expect(gzipped(whole)).toBeLessThanOrEqual(6000);
    expect(gzipped(error)).toBeLessThan(gzipped(whole) / 4);
  });
});
