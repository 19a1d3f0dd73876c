import { describe, expect, it } from 'vitest';
import { foldDomains, type Group } from '../src/app/browser/parts/fold-domains.ts';

const toGroup = (value: string, domain: string | null, rest = '') =>
  ({ keys: [{ value, domain }, { value: rest }] }) as unknown as Group;

const [A, B, C, OTHER, NONE] = [
  toGroup('a.x.example', 'x.example'),
  toGroup('b.x.example', 'x.example'),
  toGroup('c.x.example', 'x.example'),
  toGroup('y.example', 'y.example'),
  toGroup('inline', null),
];

describe('the hosts of a domain', () => {
  it('become one row from three hosts on, in place of the first one', () => {
    expect(foldDomains([OTHER, A, NONE, B, C], ['BLOCKED_HOST'], [])).toEqual([
      OTHER,
      { domain: 'x.example', groups: [A, B, C] },
      NONE,
    ]);
    expect(foldDomains([A, NONE, B], ['BLOCKED_HOST'], [])).toEqual([A, NONE, B]);
  });

  it('count once, however many groups have them', () => {
    const groups = [A, toGroup('a.x.example', 'x.example', 'img-src'), B];
    expect(foldDomains(groups, ['SUBRESOURCE_HOST', 'DIRECTIVE'], [])).toEqual(groups);
    expect(foldDomains([...groups, C], ['SUBRESOURCE_HOST', 'DIRECTIVE'], [])).toEqual([
      { domain: 'x.example', groups: [...groups, C] },
    ]);
  });

  it('stay separate if the visitor has opened the domain, or the groups are not of foreign hosts', () => {
    const groups = [A, B, C];
    expect(foldDomains(groups, ['BLOCKED_HOST'], ['x.example'])).toEqual(groups);
    expect(foldDomains(groups, ['BLOCKED_HOST'], ['y.example'])).toHaveLength(1);
    for (const by of [['PAGE_HOST'], ['DIRECTIVE', 'BLOCKED_HOST'], []] as const)
      expect(foldDomains(groups, by, [])).toEqual(groups);
  });
});
