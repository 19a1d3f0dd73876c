import { expect, it } from 'vitest';
import type { Connection } from '../src/client/connection.ts';
import { IdleConnections } from '../src/client/idle-connections.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];

function connection(name: string, madeAt = 0) {
  const made = {
    ...{ name, madeAt, usedAt: 0, isLost: false },
    discard() {
      made.isLost = true;
    },
  };
  return made as typeof made & Connection;
}

it('the most recently used connection is reused first, and lost ones are skipped', () => {
  const idle = new IdleConnections();
  const [one, two, three] = ['one', 'two', 'three'].map(name => connection(name)) as [
    ReturnType<typeof connection>,
    ReturnType<typeof connection>,
    ReturnType<typeof connection>,
  ];
  for (const each of [one, two, three]) idle.keep(each, 1);
  expect(idle.count).toBe(3);
  three.discard();
  expect([idle.count, idle.take(), idle.take(), idle.take()]).toEqual([2, two, one, undefined]);
});

it('connections are closed after five idle minutes, the oldest first', () => {
  const idle = new IdleConnections();
  const [one, two] = [connection('one'), connection('two')];
  idle.keep(one, 0);
  idle.keep(two, MINUTE);
  idle.trim(5 * MINUTE);
  expect([one.isLost, two.isLost]).toEqual([false, false]);
  idle.trim(5 * MINUTE + 1);
  expect([one.isLost, two.isLost, idle.count]).toEqual([true, false, 1]);
  idle.trim(6 * MINUTE);
  expect(two.isLost).toBe(false);
  idle.trim(6 * MINUTE + 1);
  expect([two.isLost, idle.count]).toEqual([true, 0]);
  idle.trim(HOUR);
});

it('a returned connection that is more than an hour old is closed', () => {
  const idle = new IdleConnections();
  const [young, old] = [connection('young', 1), connection('old', 0)];
  idle.keep(old, HOUR);
  expect([old.isLost, idle.take()]).toEqual([false, old]);
  idle.keep(old, HOUR + 1);
  idle.keep(young, HOUR + 1);
  expect([old.isLost, young.isLost, idle.count]).toEqual([true, false, 1]);
});

it('all connections are closed at the end, including those returned later', () => {
  const idle = new IdleConnections();
  const [one, two] = [connection('one'), connection('two')];
  idle.keep(one, 0);
  idle.end();
  idle.keep(two, 0);
  expect([one.isLost, two.isLost, idle.count, idle.take()]).toEqual([true, true, 0, undefined]);
});
