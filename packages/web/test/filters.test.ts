import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readAddress } from '../src/app/browser/address.ts';
import { exportQuery, FILTERS, listChips, orderIn, toQuestion, wrongIn } from '../src/app/browser/filters.ts';
import { REPORT_TYPES } from '../src/app/browser/report-types.ts';
import { FILTERS_BY_TYPE } from '../src/app/browser/tables.generated.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-10T15:30:00Z') }));
afterEach(() => void vi.useRealTimers());

const at = (query: string) => readAddress(`#/csp?${query}`);
const view = (type: string) => REPORT_TYPES.find(view => view.type === type)!;

describe('the filters of an address', () => {
  it.each(REPORT_TYPES)('of $type all have a label', ({ type }) => {
    expect(FILTERS_BY_TYPE[type].filter(name => !Object.hasOwn(FILTERS, name))).toEqual([]);
  });

  it('are listed in their order, with those that exclude', () => {
    expect(
      listChips(at('not.browser=Firefox&hostnames=a.example&odd=x&period=7d&hostnames=b.example&toString=x')),
    ).toEqual([
      { param: 'not.browser', name: 'browser', label: 'browser', value: 'Firefox', isNot: true },
      { param: 'hostnames', name: 'hostnames', label: 'host', value: 'a.example', isNot: false },
      { param: 'hostnames', name: 'hostnames', label: 'host', value: 'b.example', isNot: false },
    ]);
  });

  it.each([
    ['csp', 'browser=Odd&hostnames=a.example&domainReputationScore=100&not.action=enforced', []],
    [
      'csp',
      'domainReputationScore=0&account=a&split=by+directive&order=KEY&noise=hidden&compare=before&sort=x',
      [],
    ],
    ['csp', 'domainReputationScore=101', ['domainReputationScore']],
    ['csp', 'domainReputationScore=05', ['domainReputationScore']],
    ['csp', 'action=odd', ['action']],
    ['csp', 'not.action=odd', ['not.action']],
    ['csp', 'suspicious=yes', ['suspicious']],
    ['csp', 'suspicious=false', []],
    ['csp', 'reporter=x', ['reporter']],
    ['dmarc', 'reporter=x&aligned=true', []],
    ['dmarc', 'not.blockedHostnames=x', ['not.blockedHostnames']],
    ['csp', 'split=by+reporter', ['split']],
    ['csp', 'order=count', ['order']],
    ['csp', 'noise=shown', ['noise']],
    ['csp', 'compare=after', ['compare']],
    ['csp', 'period=8d&toString=x', ['period', 'toString']],
  ])('of %s %j have the wrong ones %j', (type, query, names) => {
    expect(wrongIn(at(query), view(type)).map(({ name }) => name)).toEqual(names);
  });

  it('become the filters of a query, by kind', () => {
    const query =
      'unit=months&date=2026-02&hostnames=a.example&hostnames=b.example&suspicious=false&ioc=true&domainReputationScore=20&not.browser=Firefox&not.sourceClass=inline&not.blockedHostnames=c.example';
    expect(toQuestion(at(query), view('csp'))).toEqual({
      unit: 'months',
      date: '2026-02',
      where: {
        hostnames: ['a.example', 'b.example'],
        suspicious: false,
        ioc: true,
        domainReputationScore: 20,
      },
      not: { browser: 'Firefox', sourceClass: ['inline'], blockedHostnames: ['c.example'] },
      notNoise: { browser: 'Firefox', sourceClass: ['inline'], blockedHostnames: ['c.example'] },
    });
  });

  it('exclude noise if it is hidden, of types that have it', () => {
    const hidden = at('noise=hidden&not.sourceClass=inline&not.sourceClass=browser');
    const { not, notNoise } = toQuestion(hidden, view('csp'));
    expect(not.sourceClass).toEqual(['inline', 'browser', 'extension', 'impossible']);
    expect(notNoise.sourceClass).toEqual(['inline', 'browser']);
    expect(toQuestion(at('noise=hidden'), view('nel')).not).toEqual({});
    expect(toQuestion(at('noise=no'), view('csp')).not).toEqual({});
  });

  it('become the parameters of an export, with lists and their commas', () => {
    const query = 'unit=days&date=2026-03-08&paths=/a,b&paths=/c\\d&not.browser=Firefox&suspicious=true';
    expect([...exportQuery(at(query), view('csp'))]).toEqual([
      ['from', '2026-03-08T00:00:00.000Z'],
      ['to', '2026-03-09T00:00:00.000Z'],
      ['paths', '/a\\,b,/c\\\\d'],
      ['suspicious', 'true'],
      ['not.browser', 'Firefox'],
    ]);
    expect([...exportQuery(at('period=1d'), view('csp'))]).toEqual([['from', '2026-03-10T00:00:00.000Z']]);
  });

  it('include the order of groups, which is by count unless the address names one', () => {
    const names = ['', 'order=KEY', 'order=RISE', 'order=odd'].map(query => orderIn(at(query))[0]);
    expect(names).toEqual(['COUNT', 'KEY', 'RISE', 'COUNT']);
  });
});
