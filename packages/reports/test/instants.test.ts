import { expect, it } from 'vitest';
import { formatInstant } from '../src/index.ts';

const SHOWN = '2026-11-20T11:25:00+00:00';

it.each<[string | Date, string]>([
  [SHOWN, SHOWN],
  ['2026-11-20 11:25:00+00', SHOWN],
  ['2026-11-20 11:25:00.999+00', SHOWN],
  ['2026-11-20T11:25:00.999+00:00', SHOWN],
  ['2026-11-20T11:25:00Z', SHOWN],
  ['2026-11-20T11:25:00.999Z', SHOWN],
  ['2026-11-20T11:25Z', SHOWN],
  ['2026-11-20T13:25:00+02:00', SHOWN],
  ['2026-11-20T13:25:00.999+02:00', SHOWN],
  ['2026-11-21T01:25:00+14:00', SHOWN],
  ['2026-11-20T07:55:00-03:30', SHOWN],
  [new Date('2026-11-20T11:25:00.999Z'), SHOWN],
])('the instant %s is shown in UTC and without fractions', (instant, shown) => {
  expect(formatInstant(instant)).toBe(shown);
});
