import { describe, expect, it } from 'vitest';
import { assignColors, OF_TYPES, OF_VALUES } from '../src/app/browser/colors.ts';

describe('the colours of values', () => {
  it('are fixed for known values, even beside unknown ones', () => {
    const names = ['zzz', 'external', 'toString', 'browser'];
    const colors = assignColors(names, OF_VALUES.SOURCE_CLASS!);
    expect([colors.get('external'), colors.get('browser')]).toEqual([0, 'noise']);
    expect(colors.get('toString')).toBeTypeOf('number');
  });

  it('are different as long as there are nine or fewer, and do not depend on the other values', () => {
    const names = Array.from({ length: 9 }, (_, index) => `host-${index}.example`);
    const colors = assignColors(names, {});
    expect(new Set(colors.values())).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8]));
    expect(assignColors(names.slice(0, 1), {}).get(names[0]!)).toBe(colors.get(names[0]!));
    const more = assignColors([...names, 'tenth.example'], {});
    expect(more.get('tenth.example')).toBeLessThan(9);
  });

  it('give way to a fixed colour that a later value has', () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'])
      expect(assignColors([name, 'csp'], OF_TYPES).get(name)).not.toBe(0);
  });
});
