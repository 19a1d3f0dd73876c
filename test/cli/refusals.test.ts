import { describe, expect, it } from 'vitest';
import { getSubject, RejectedReports } from '../../src/cli/rejected.ts';
import { asRefusal } from '../../src/cli/watch.ts';
import { CountOverflow, LoadRefused } from '../../src/feed/load.ts';

describe('a watched folder', () => {
  it.each(['22001', '22P02', '23505', '23ABC'])('refuses files for the error %s of their data', code => {
    expect(asRefusal(Object.assign(new Error('no'), { code }))).toMatchObject({ reasons: ['no'] });
  });

  it.each([
    [1, []],
    [2, ['… and 1 more']],
    [9, ['… and 8 more']],
  ])('refuses a feed whose number of bad lines is %d, and names the first', (count, more) => {
    const first = [{ source: 'a.ndjson', line: 3, field: 'type', reason: 'is missing' }];
    expect(asRefusal(new LoadRefused({ first, count } as never))).toMatchObject({
      reasons: ['a.ndjson:3: type: is missing', ...more],
    });
  });

  it('refuses files that would make the count of a day too large', () => {
    const day = { accountId: 'acme', type: 'csp', day: '2026-05-10', directive: '', before: '1' };
    expect(asRefusal(new CountOverflow(day))).toMatchObject({
      reasons: ['The csp reports of 2026-05-10 would count more than 2^53-1 for the account "acme"'],
    });
  });

  it.each(['24000', '21000', '2200', '220011', '57P01', 'ECONNREFUSED', undefined])(
    'tries again after the error %s',
    code => {
      const error = Object.assign(new Error('no'), { code });
      expect(asRefusal(error)).toBe(error);
    },
  );
});

describe('the subject of a line', () => {
  const of = (line: string) => getSubject(Buffer.from(line));

  it.each([
    ['{"kind":"report","accountId":"a-1","type":"csp","id":"r-1"}', 'a-1', 'csp', 'r-1'],
    ['{"kind":"report","accountId":"a\\"\\\\\\u00e4","type":"tls_rpt","id":"A_9"', 'a"\\ä', 'tls_rpt', 'A_9'],
    ['{"type":"csp","id":"r-1"}', '', '', ''],
    ['{"accountId":"a-1","id":"r-1","type":"csp"}', '', '', ''],
  ])('of %s', (line, account, type, id) => {
    expect(of(line)).toEqual({ account, type, id });
  });

  it('is within its first 2048 bytes', () => {
    const subject = '"accountId":"a-1","type":"csp","id":"r-1"';
    const at = (length: number) => of(`${' '.repeat(length)}${subject}`).id;
    expect([at(2048 - subject.length), at(2049 - subject.length)]).toEqual(['r-1', '']);
  });
});

it('a rejected report counts once for each of its accounts, or else for that of the import', async () => {
  const rejected = new RejectedReports({ accountId: 'own' } as never);
  const skip = (id: string, accounts?: string[]) =>
    rejected.add({ rejected: { type: 'csp', id, accounts } } as never);
  for (const accounts of [['a-1', 'a-2'], undefined])
    for (const id of ['r-1', 'r-1', 'r-2']) skip(id, accounts);
  const counted: unknown[] = [];
  // The first statement returns the new digests of an account, and the second one adds their number.
  const query = async (_: string, [first, ...others]: string[]) => {
    if (others.length === 1) return first!.match(/[\w+/=]{20,}/g)!.map(digest => ({ digest }));
    return counted.push([first, ...others]);
  };
  await rejected.count({ query, touched: new Set() } as never);
  expect(counted).toEqual([
    ['a-1', 'csp', '2'],
    ['a-2', 'csp', '2'],
    ['own', 'csp', '2'],
  ]);
});

it('the rejected reports of a collector are not counted, because it counts them itself', async () => {
  const line = Buffer.from('{"kind":"report","accountId":"a-1","type":"csp","id":"r-1"}');
  const count = (format: string | undefined) => {
    const rejected = new RejectedReports({ format } as never);
    rejected.addLine(line);
    const session = { statement: undefined };
    return rejected.count(session as never).then(
      () => 'not counted',
      () => 'counted',
    );
  };
  expect([await count('collected'), await count(undefined)]).toEqual(['not counted', 'counted']);
});
