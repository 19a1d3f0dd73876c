import { describe, expect, it } from 'vitest';
import { walks } from '../support/page-walk.ts';

describe('the web app in a browser', () => {
  const walk = walks();

  it('shows the numbers that the filters in the URL select after every step of a random walk', async () => {
    const seed = Math.floor(Math.random() * 1e6);
    expect(await walk(seed, 80), `the walk of seed ${seed}`).toEqual([]);
  });
});
