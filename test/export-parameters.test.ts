import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { createExport } from '../src/export/handler.ts';
import {
  accountNamed,
  checkAccount,
  checkNames,
  checkOwn,
  readFilters,
  readParameters,
  readQuery,
} from '../src/export/parameters.ts';
import { ExportSlots, openSnapshot, SlotTakenOver } from '../src/export/places.ts';

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return 'none';
}

/** Waits until the clock, whose resolution is below a millisecond, has moved on by one. */
async function nextMillisecond(): Promise<void> {
  const start = performance.now();
  while (performance.now() - start < 1) await new Promise(resolve => setImmediate(resolve));
}

const filtersOf = (query: string) => readFilters('csp', readQuery(query));
const invalid = (name: string) => `Invalid value for parameter: ${name}`;

describe('a list in a filter of an export', () => {
  it.each([
    ['paths=/a,/b', ['/a', '/b']],
    ['paths=/a&paths=/b,/c', ['/a', '/b', '/c']],
    ['paths=/a%5C,b', ['/a,b']],
    ['paths=/a%5C%5C,/b', ['/a\\', '/b']],
    ['paths=/a%5Cb', ['/a\\b']],
    ['paths=/a%5C', ['/a\\']],
    ['paths= /a , /b ', ['/a', '/b']],
    ['paths=/a%2C/b', ['/a', '/b']],
  ])('%s is read', (query, paths) => {
    expect(filtersOf(query)).toEqual({ filters: { paths }, not: {} });
    expect(filtersOf(`not.${query.replace('&', '&not.')}`)).toEqual({ filters: {}, not: { paths } });
  });

  it.each(['paths=', 'paths=/a,', 'paths=,/a', 'paths=%ff', 'paths'])('%s is refused', query => {
    expect(refusal(() => filtersOf(query))).toBe(invalid('paths'));
    expect(refusal(() => filtersOf(`not.${query}`))).toBe(invalid('not.paths'));
  });
});

it.each([
  ['false', false],
  ['False', false],
  ['TRUE', true],
])('a filter of an export can be %s', (text, aligned) => {
  const read = (query: string) => readFilters('dmarc', readQuery(query));
  expect(read(`aligned=${text}`)).toEqual({ filters: { aligned }, not: {} });
  expect(read(`not.aligned=${text}`)).toEqual({ filters: {}, not: { aligned } });
});

it('a filter of another type of report does not apply', () => {
  expect(refusal(() => filtersOf('aligned=true'))).toBe(
    'Parameter aligned does not apply to report type csp',
  );
  expect(refusal(() => filtersOf('not.aligned=true'))).toBe(
    'Parameter not.aligned does not apply to report type csp',
  );
});

describe('the parameters of an export', () => {
  const read = (query: string) => readParameters(readQuery(query));

  it('have defaults', () => {
    expect(read('')).toEqual({
      from: undefined,
      to: undefined,
      format: undefined,
      after: undefined,
      limit: 1000,
      cursors: false,
      account: undefined,
    });
  });

  it.each([
    ['after=&limit=1', { after: '', limit: 1 }],
    ['after=now&limit=10000', { after: 'now', limit: 10_000 }],
    ['after=&limit=00007', { limit: 7 }],
    ['after=&cursors=TRUE', { cursors: true }],
    ['cursors=False', { cursors: false }],
    [
      'from=2026-05-20&to=2026-05-21T01:00%2B01:00',
      {
        from: '2026-05-20T00:00:00.000Z',
        to: '2026-05-21T00:00:00.000Z',
      },
    ],
    ['account=a%20b', { account: 'a b' }],
  ])('can be %s', (query, values) => {
    expect(read(query)).toMatchObject(values);
  });

  it.each([
    ['after=&limit=0', invalid('limit')],
    ['after=&limit=10001', invalid('limit')],
    ['after=&limit=000001', invalid('limit')],
    ['after=&limit=', invalid('limit')],
    ['after=&limit=1&limit=1', invalid('limit')],
    ['after=&cursors=1', invalid('cursors')],
    ['after=a&after=a', invalid('after')],
    ['after=%ff', invalid('after')],
    ['from=yesterday', invalid('from')],
    ['to=2026-02-30', invalid('to')],
    ['to=2026-05-20&to=2026-05-20', invalid('to')],
    ['format=csv&format=csv', invalid('format')],
    ['limit=5', 'Parameter limit requires after'],
    ['cursors=true', 'Parameter cursors requires after'],
  ])('cannot be %s', (query, message) => {
    expect(refusal(() => read(query))).toBe(message);
  });

  it('have a cursor of at most 2048 characters', () => {
    const [longest, longer] = [2048, 2049].map(length => 'a'.repeat(length));
    expect(read(`after=${longest}`).after).toBe(longest);
    expect(refusal(() => read(`after=${longer}`))).toBe(invalid('after'));
  });

  it.each([
    ['hostname=a', 'hostname'],
    ['not.from=2026-05-20', 'not.from'],
    ['From=2026-05-20', 'From'],
    ['a%20b=1', 'a b'],
    ['a%00b=1', 'a%00b'],
    ['%e2%80%ae=1', '%E2%80%AE'],
    ['a%e2%80%a8b=1', 'a%E2%80%A8b'],
    ['a%cc%81b=1', 'a%CC%81b'],
    ['%zz=1', '%zz'],
    [`${'n'.repeat(65)}=1`, 'n'.repeat(64)],
  ])('cannot have an unknown name: %s', (query, shown) => {
    expect(refusal(() => checkNames(readQuery(query), true))).toBe(`Unknown parameter: ${shown}`);
  });

  it('can have the names of filters only for reports', () => {
    const query = readQuery('hostnames=a&not.hostnames=b&after=');
    expect(refusal(() => checkNames(query, true))).toBe('none');
    expect(refusal(() => checkNames(query, false))).toBe('Unknown parameter: hostnames');
  });
});

describe('the account of a request', () => {
  it.each([
    ['', undefined],
    ['account=a-1', 'a-1'],
    ['account=a%20b', 'a b'],
    ['account=', ''],
    ['account=a&account=a', undefined],
    ['account=%ff', undefined],
  ])('is named by %s: %s', (query, name) => {
    expect(accountNamed(readQuery(query))).toBe(name);
  });

  it('can be named if it is the own one', () => {
    const FOREIGN = 'An internal token is required';
    expect([undefined, 'own', 'other', ''].map(name => refusal(() => checkOwn(name, 'own')))).toEqual([
      'none',
      'none',
      FOREIGN,
      FOREIGN,
    ]);
    const check = (query: string) => refusal(() => checkAccount(readQuery(query), 'own'));
    expect([check(''), check('account=own'), check('account=other'), check('after=1')]).toEqual([
      'none',
      'none',
      FOREIGN,
      'Unknown parameter: after',
    ]);
  });
});

describe('an export', () => {
  const request = { path: '/export/findings', query: '', headers: {}, notes: {} } as never;
  const scopeWith = (snapshot: () => unknown) =>
    ({ account: { id: 'a' }, now: new Date(), snapshot }) as never;

  it('without a free slot can be requested again after five seconds', async () => {
    const answer = createExport(0, '')(
      request,
      scopeWith(() => expect.unreachable()),
    );
    await expect(answer).rejects.toMatchObject({
      refusal: 'tooManyRequests',
      headers: { 'Retry-After': '5' },
    });
  });

  it('whose first rows cannot be read leaves its slot and closes its snapshot', async () => {
    const exported = createExport(2, '');
    const close = vi.fn();
    for (let requests = 1; requests <= 2; requests++) {
      const answer = exported(
        request,
        scopeWith(() => ({ close })),
      );
      await expect(answer).rejects.toThrow(TypeError);
      expect(close).toHaveBeenCalledTimes(requests);
    }
  });
});

describe('the slots of exports', () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 3],
  ])('%d can be taken by one account up to %d', (count, most) => {
    const slots = new ExportSlots(count);
    const taken = Array.from({ length: count + 1 }, () => slots.enter('a' as never));
    expect(taken.filter(slot => slot !== undefined)).toHaveLength(most);
  });

  it('are free again after their streams have ended', () => {
    const slots = new ExportSlots(2);
    const slot = slots.enter('a' as never)!;
    expect(slots.enter('a' as never)).toBeUndefined();
    slot.leave();
    slot.leave();
    expect(slots.enter('a' as never)).toBeDefined();
  });

  it('are taken over from the stream of another account that has stalled longest', async () => {
    const slots = new ExportSlots(4, 0);
    const lost: string[] = [];
    const stall = async (account: string, name: string) => {
      const slot = slots.enter(account as never)!;
      slot.onLost = () => {
        lost.push(name);
        slot.leave();
      };
      const body = slot.watchBody(Readable.from([Buffer.from(name), Buffer.from('rest')]));
      await body.next();
      await nextMillisecond();
      return body;
    };
    const own = await stall('a', 'own');
    const [longest, shorter] = [await stall('b', 'longest'), await stall('c', 'shorter')];
    slots.enter('d' as never);
    expect(slots.enter('a' as never)).toBeDefined();
    expect(lost).toEqual(['longest']);
    await expect(longest.next()).rejects.toEqual(
      new SlotTakenOver('its client stalled while others were waiting'),
    );
    expect([await own.next(), await shorter.next()]).toEqual([
      { done: false, value: Buffer.from('rest') },
      { done: false, value: Buffer.from('rest') },
    ]);
    await Promise.all([own.return(undefined), shorter.return(undefined)]);
  });

  it('close their snapshot when they are lost, and are free when it is closed', () => {
    const slots = new ExportSlots(2, 0);
    const closed: string[] = [];
    const open = (account: string) => {
      const snapshot = () => ({ close: () => closed.push(account) });
      return openSnapshot({ snapshot } as never, slots.enter(account as never)!);
    };
    open('a');
    open('b');
    const last = open('c');
    expect(closed).toHaveLength(1);
    last.close();
    expect(closed[1]).toBe('c');
    open('c');
    expect(closed).toHaveLength(2);
  });

  it('measure how long their clients stall in all, and not how long their rows take', async () => {
    let now = 1000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    async function* rows() {
      for (const name of ['one', 'two', 'three']) {
        now += 500;
        yield Buffer.from(name);
      }
    }
    const slot = new ExportSlots(2).enter('a' as never)!;
    const waited: number[] = [];
    for await (const _ of slot.watchBody(rows())) {
      now += 2000;
      waited.push(slot.waited);
    }
    now += 10_000;
    expect([...waited, slot.waited]).toEqual([2000, 4000, 6000, 6000]);
    clock.mockRestore();
  });

  it('are taken over only from another account whose client has stalled for long enough', () => {
    for (const [patience, isTaken] of [
      [0, true],
      [60_000, false],
    ] as const) {
      const slots = new ExportSlots(2, patience);
      const lost: string[] = [];
      for (const account of ['a', 'b']) {
        slots.enter(account as never)!.onLost = () => lost.push(account);
      }
      expect(slots.enter('b' as never)).toBeUndefined();
      expect(slots.enter('c' as never) !== undefined).toBe(isTaken);
      expect(lost).toHaveLength(isTaken ? 1 : 0);
    }
  });
});
