import { describe, expect, it } from 'vitest';
import { walks } from '../support/page-walk.ts';

describe('in a browser, the page', () => {
  const walk = walks();

  it('shows a view after any step, and no number but those of its address', async () => {
    const seed = Math.floor(Math.random() * 1e6);
    expect(await walk(seed, 80), `the walk of seed ${seed}`).toEqual([]);
  });
});
