import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { simulateTimers } from '../../../test/support/simulated-timers.ts';
import type { Connections } from '../src/client/connections.ts';
import { ownSnapshot } from '../src/client/snapshot.ts';
import { ForeignRow } from '../src/database.ts';
import { Rows } from '../src/driver/rows.ts';

/** How a test answers a statement. */
interface Answer {
  give(rows: Rows): void;
  resolve(rows: Rows): void;
  reject(error: Error): void;
}

const rowsOf = (...owners: string[]) => Rows.of(owners.map(owner => ({ owner })));

/** A snapshot on a connection that a test answers, and what happens to it. */
function open(commit = () => Promise.resolve(rowsOf())) {
  const log: string[] = [];
  const answers: Answer[] = [];
  const connection = {
    run(text: string, _: unknown, _prepare: boolean, give?: Answer['give']): Promise<Rows> {
      log.push(text);
      if (text === 'commit') return commit();
      return new Promise((resolve, reject) => {
        if (give) answers.push({ resolve, reject, give });
        else resolve(rowsOf());
      });
    },
    pause: () => log.push('pause'),
    resume: () => log.push('resume'),
    discard: () => log.push('discard'),
  };
  const connections = {
    openOverflow: () => connection,
    releaseOverflow: (released: unknown) => released === connection && log.push('release'),
  };
  const snapshot = ownSnapshot(connections as unknown as Connections, 'owner');
  const read = (text: string) => snapshot.parts('ada', text, [])[Symbol.asyncIterator]();
  /** Returns what was logged since the last call, without the changes of the flow. */
  const take = () => log.splice(0).filter(line => line !== 'pause' && line !== 'resume');
  /** Returns the answer of the statement that is sent next. */
  const answer = async () => {
    while (answers.length === 0) await nextTurn();
    return answers.shift()!;
  };
  return { snapshot, read, take, answer, log };
}

type Played = ReturnType<typeof open>;

/** Reads a statement that returns a single row. */
async function readWhole({ read, answer }: Played, text: string): Promise<void> {
  const parts = read(text);
  const first = parts.next();
  (await answer()).resolve(rowsOf('ada'));
  expect((await first).value?.objects()).toEqual([{ owner: 'ada' }]);
  expect((await parts.next()).done).toBe(true);
}

it('the statements of a snapshot share one transaction, after which its connection is reused', async () => {
  const played = open();
  await readWhole(played, 'select a');
  await readWhole(played, 'select b');
  played.snapshot.close();
  played.snapshot.close();
  expect(played.take()).toEqual([
    'begin transaction isolation level repeatable read, read only',
    'set local statement_timeout = 0',
    'set local plan_cache_mode = force_custom_plan',
    expect.stringContaining("set_config('client_connection_check_interval', '5s', true)"),
    'select a',
    'select b',
    'commit',
    'release',
  ]);
});

it('a snapshot that is closed before its first statement or the end of any closes its connection', async () => {
  const unused = open();
  unused.snapshot.close();
  expect(unused.take()).toEqual(['discard']);
  const played = open();
  await readWhole(played, 'select a');
  const first = played.read('select b').next();
  const { reject } = await played.answer();
  played.take();
  played.snapshot.close();
  played.snapshot.close();
  expect(played.take()).toEqual(['discard']);
  reject(new Error('abandoned'));
  await expect(first).rejects.toThrow('abandoned');
  expect(played.take()).toEqual([]);
});

it('a connection whose transaction cannot be committed is closed', async () => {
  const played = open(() => Promise.reject(new Error('lost')));
  await readWhole(played, 'select a');
  played.take();
  played.snapshot.close();
  await nextTurn();
  expect(played.take()).toEqual(['commit', 'release', 'discard']);
});

it('a failed statement and a row of another tenant close the connection', async () => {
  for (const [settle, message] of [
    [({ reject }: Answer) => reject(new Error('lost')), 'lost'],
    [({ resolve }: Answer) => resolve(rowsOf('ada', 'bob')), 'a statement returned a row of another tenant'],
  ] as const) {
    const played = open();
    const first = played.read('select a').next();
    settle(await played.answer());
    await expect(first).rejects.toThrow(message);
    if (message !== 'lost') await expect(first).rejects.toBeInstanceOf(ForeignRow);
    expect(played.take().slice(4)).toEqual(['select a', 'discard']);
  }
});

it('a statement without rows for thirty seconds fails, however long the whole one takes', async () => {
  const countPending = simulateTimers();
  const played = open();
  const parts = played.read('select a');
  const first = parts.next();
  const { give } = await played.answer();
  vi.advanceTimersByTime(29_999);
  give(rowsOf('ada'));
  expect((await first).value?.length).toBe(1);
  expect(countPending(30_000)).toBe(0);
  const second = parts.next();
  await nextTurn();
  vi.advanceTimersByTime(29_999);
  await nextTurn();
  expect(played.take()).not.toContain('discard');
  vi.advanceTimersByTime(1);
  await expect(second).rejects.toThrow('no answer in time');
  expect(played.take()).toEqual(['discard']);
});

it('reading pauses while sixteen parts wait, and continues for the consumer or after the last row', async () => {
  const played = open();
  const parts = played.read('select a');
  const first = parts.next();
  const { give, resolve } = await played.answer();
  give(rowsOf('ada'));
  await first;
  await nextTurn();
  played.log.splice(0);
  for (let n = 0; n < 15; n++) give(rowsOf('ada'));
  expect(played.log).toEqual([]);
  give(rowsOf('ada'));
  expect(played.log).toEqual(['pause']);
  await parts.next();
  await nextTurn();
  expect(played.log).toEqual(['pause', 'resume']);
  give(rowsOf('ada'));
  expect(played.log).toEqual(['pause', 'resume', 'pause']);
  resolve(rowsOf('ada'));
  await nextTurn();
  expect(played.log).toEqual(['pause', 'resume', 'pause', 'resume']);
  let left = 0;
  for (let part = await parts.next(); !part.done; part = await parts.next()) left++;
  expect(left).toBe(17);
});
