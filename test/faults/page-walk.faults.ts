import { describe, expect, it } from 'vitest';
import { walks } from '../support/page-walk.ts';
import { IN_EARNEST } from './scale.ts';

const STEPS = IN_EARNEST ? 1000 : 200;

describe('the page in a browser', { timeout: 1_200_000 }, () => {
  const walk = walks();

  it.each([1, 2, 3])(
    'shows a view with only its own numbers after each of many steps (walk %i)',
    async seed => {
      const viewport = { width: seed === 2 ? 390 : 1280, height: 900 };
      expect(await walk(seed, STEPS, { viewport })).toEqual([]);
    },
  );
});
