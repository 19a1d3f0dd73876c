import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bundle } from './bundle.ts';

const gzipped = (text: string) => gzipSync(text).length;

describe('the package @sightline/client', () => {
  it('has the licence of the project, and documents every import in its README', async () => {
    const [license, own, readme, { exports }] = await Promise.all([
      readFile('LICENSE', 'utf8'),
      readFile('packages/client/LICENSE', 'utf8'),
      readFile('packages/client/README.md', 'utf8'),
      readFile('packages/client/package.json', 'utf8').then(JSON.parse),
    ]);
    expect(own).toBe(license);
    for (const path of Object.keys(exports)) expect(readme).toContain(path.replace(/^\.\/?/, ''));
  });

  it('is at most 6 kB gzipped, and can be tree-shaken', async () => {
    const whole = await bundle("export * from './index.ts';");
    const error = await bundle("export { SightlineError } from './index.ts';");
    expect(gzipped(whole)).toBeLessThanOrEqual(6000);
    expect(gzipped(error)).toBeLessThan(gzipped(whole) / 4);
  });
});
