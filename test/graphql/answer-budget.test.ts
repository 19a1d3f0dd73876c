import { describe, expect, it } from 'vitest';
import { AnswerBudget } from '../../schema/answer-budget.ts';
import { createAnswerCache, ofTimeline } from '../../schema/answer-cache.ts';
import { createGroupCache } from '../../schema/group-cache.ts';
import type { AccountId } from '../../sql/account-id.ts';
import type { Database } from '../../sql/client.ts';
import type { ReportGroups } from '../../sql/report-groups.ts';

const MIB = 1024 * 1024;

/** A database in which the text of a statement is the size of its result. */
function createDatabase() {
  const sent: string[] = [];
  const send = async (text: string) => {
    sent.push(text);
    return { bytes: Number(text) };
  };
  const database = {
    rows: send,
    queryTenant: (_accounts: AccountId, text: string) => send(text),
  } as unknown as Database;
  return { sent, database };
}

const exceeds = (subject: string, mebibytes: number) => ({
  message: `${subject} longer than ${mebibytes} MiB: ask for less at once.`,
  extensions: { code: 'LIMIT_EXCEEDED', limit: 'bytes', max: mebibytes * MIB },
});

describe('the statements of an answer', () => {
  it('can read twice as much as its lists, and are not sent afterwards', async () => {
    const budget = new AnswerBudget(MIB);
    const { sent, database } = createDatabase();
    const { rows, queryTenant } = budget.of(database);
    await rows(String(MIB), []);
    await queryTenant('a' as AccountId, String(MIB), []);
    expect(budget.read).toBe(2 * MIB);
    await expect(rows('1', [])).rejects.toMatchObject(exceeds('The answer is', 2));
    await expect(queryTenant('a' as AccountId, '0', [])).rejects.toMatchObject(exceeds('The answer is', 2));
    expect(sent).toEqual([String(MIB), String(MIB), '1']);
  });

  it('count together with what is written', () => {
    const budget = new AnswerBudget(MIB);
    expect(() => budget.check(2 * MIB)).not.toThrow();
    expect(() => budget.check(2 * MIB + 1)).toThrow('The answer is longer than 2 MiB');
  });

  it('have 32 MiB for lists by default', async () => {
    expect(await new AnswerBudget().inTurn(async left => left)).toBe(32 * MIB);
  });
});

describe('the lists of an answer', () => {
  it('are read one after the other, each with what the previous ones have left', async () => {
    const budget = new AnswerBudget(MIB);
    const { rows } = budget.of(createDatabase().database);
    const events: string[] = [];
    const read = (bytes: number) =>
      budget.inTurn(async left => {
        events.push(`${left} are left`);
        await rows(String(bytes), []);
        events.push(`${bytes} are read`);
      });
    const lists = await Promise.allSettled([read(MIB - 1), read(1), read(5)]);
    expect(lists).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
      { status: 'rejected', reason: exceeds('The lists of the answer are', 1) },
    ]);
    expect(events).toEqual([`${MIB} are left`, `${MIB - 1} are read`, '1 are left', '1 are read']);
  });

  it('are read although a previous one failed', async () => {
    const budget = new AnswerBudget(MIB);
    const failing = budget.inTurn(() => Promise.reject(new Error('no connection')));
    const next = budget.inTurn(async left => left);
    await expect(failing).rejects.toThrow('no connection');
    expect(await next).toBe(MIB);
  });
});

describe('a cache of answers', () => {
  it('has those used last, of its size together with two bytes per character of their names', () => {
    const cache = createAnswerCache<{ size: number }>(100, ({ size }) => size);
    for (const name of ['a', 'b']) cache.keep(name, { size: 48 });
    expect(cache.get('a')).toEqual({ size: 48 });
    cache.keep('c', { size: 48 });
    expect(['a', 'b', 'c'].map(name => cache.get(name)?.size)).toEqual([48, undefined, 48]);
    cache.keep('d', { size: 99 });
    expect(cache.get('d')).toBeUndefined();
    cache.keep('e', { size: 98 });
    expect(['a', 'c', 'e'].map(name => cache.get(name)?.size)).toEqual([undefined, undefined, 98]);
  });

  it('has none if its size is 0', () => {
    const cache = createAnswerCache<object>(0, () => 0);
    cache.keep('', {});
    expect(cache.get('')).toBeUndefined();
  });

  it('has those of each timeline apart', () => {
    const cache = createAnswerCache<{ of: string }>(1000, () => 1);
    const [one, other] = ['1', '2'].map(timeline => ofTimeline(cache, timeline));
    one!.keep('name', { of: 'one' });
    expect([one!.get('name'), other!.get('name')]).toEqual([{ of: 'one' }, undefined]);
    other!.keep('name', { of: 'other' });
    expect([one!.get('name'), other!.get('name')]).toEqual([{ of: 'one' }, { of: 'other' }]);
  });

  it('with groups counts their texts', () => {
    const found = { groups: [{ values: ['abc', ''] }, { values: ['de'] }] } as unknown as ReportGroups;
    // For the answer, for each group, for their five characters, and for the name.
    const size = 200 + 2 * 200 + 2 * 5 + 2 * 4;
    const isKept = (bytes: number) => {
      const cache = createGroupCache(bytes);
      cache.keep('name', found);
      return cache.get('name') === found;
    };
    expect([isKept(size), isKept(size - 1)]).toEqual([true, false]);
  });
});
