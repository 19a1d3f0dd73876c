import { expect, it } from 'vitest';
import { isDate } from '../src/index.ts';

it.each(['0001-01-01', '2026-01-31', '2026-02-28', '2028-02-29', '2000-02-29', '2026-04-30', '9999-12-31'])(
  '%s is a date',
  text => expect(isDate(text)).toBe(true),
);

it.each([
  ['a day that its month does not have', '2026-02-29', '2026-04-31', '2026-01-32', '2026-06-00'],
  ['29 February of a century that is no leap year', '1900-02-29', '2100-02-29'],
  ['a month that does not exist', '2026-00-10', '2026-13-01'],
  ['the year 0', '0000-01-01'],
  ['another form', '2026-1-01', '02026-01-01', '2026-01-01Z', ' 2026-01-01', '2026/01/01', '٢٠٢٦-01-01', ''],
])('%s is none', (_, ...texts) => expect(texts.filter(isDate)).toEqual([]));
