import type { DatabaseCounters } from '@sightline/pg-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sumOfCounters } from '../sql/servers/servers.ts';
import { WalHistory } from '../sql/servers/wal-history.ts';
import { WatchedServer } from '../sql/servers/watched-server.ts';
import { createReplicatedServers, type ReplicatedServers } from './support/replicated.ts';

describe('the positions of a primary', () => {
  const history = () => {
    const marks = new WalHistory();
    for (const [at, bytes] of [
      [1000, 100],
      [2000, 200],
      [3000, 200],
      [4000, 300],
    ] as const)
      marks.add(at, bytes);
    return marks;
  };

  it.each([
    [99, undefined],
    [100, 1000],
    [199, 1000],
    [200, 3000],
    [299, 3000],
    [300, 4000],
    [1000, 4000],
  ])('show up to when a server that has replayed %i bytes has everything', (bytes, at) => {
    expect(history().coveredBy(bytes)).toBe(at);
  });

  it('are remembered for a minute, and forgotten for another primary', () => {
    const marks = history();
    expect(marks.end).toBe(4000);
    marks.add(61_000, 400);
    expect(marks.coveredBy(150)).toBe(1000);
    marks.add(61_001, 400);
    expect([marks.coveredBy(150), marks.coveredBy(200), marks.end]).toEqual([undefined, 3000, 61_001]);
    marks.clear();
    expect([marks.coveredBy(1000), marks.end]).toEqual([undefined, Number.NEGATIVE_INFINITY]);
  });
});

describe('the counters of several servers', () => {
  /** Each number has another factor, so that every sum differs. */
  const toCounters = (one: number, isAway: boolean): DatabaseCounters => ({
    ...{ poolSize: one, running: 2 * one, waiting: 3 * one, failed: 5 * one, replacements: 7 * one },
    ...{ connections: 11 * one, attempts: 13 * one, isAway },
    ended: { count: 17 * one, milliseconds: 19 * one },
    waited: { count: 23 * one, milliseconds: 29 * one },
    refused: { full: 31 * one, late: 37 * one, slow: 41 * one, lost: 43 * one },
  });

  it.each([
    [[false], false],
    [[true], true],
    [[true, false, true], false],
    [[false, true, true], false],
    [[true, true, true], true],
  ])('are added, and the database is away if all of them are: %j', (away, isAway) => {
    const sum = away.reduce((total, _, index) => total + 100 ** index, 0);
    const counters = away.map((one, index) => toCounters(100 ** index, one));
    expect(sumOfCounters(counters)).toEqual(toCounters(sum, isAway));
  });
});

describe('a server', () => {
  let servers: ReplicatedServers;
  const refused: string[] = [];
  const watch = (name: string) =>
    new WatchedServer({
      name,
      settings: servers.read(name),
      away: () => {},
      back: () => {},
      refused: (server, { message }) => refused.push(`${server}: ${message}`),
    });

  beforeAll(async () => {
    servers = await createReplicatedServers(['first', 'second']);
  });
  afterAll(() => servers[Symbol.asyncDispose]());

  it('has the position of its last answer, and a failure until it answers again', async () => {
    const server = watch('first');
    expect([server.isUp, server.isLate, server.roundTrip]).toEqual([false, false, Number.POSITIVE_INFINITY]);
    await server.check();
    const database = expect.stringMatching(/^one\/\d+$/);
    const position = { system: database, isStandby: false, bytes: 100, timeline: '00000001' };
    expect(server).toMatchObject({ isUp: true, position, failure: undefined });
    expect(server.roundTrip).toBeGreaterThan(0);
    const { checkedAt, roundTrip } = server;
    await servers.set('first', { failure: 'no answer' });
    await server.check();
    expect([server.isUp, server.position, server.failure?.message]).toEqual([
      false,
      undefined,
      expect.stringContaining('no answer'),
    ]);
    expect([server.checkedAt, server.roundTrip]).toEqual([checkedAt, roundTrip]);
    await servers.set('first', { failure: '', isStandby: true, wal: '1/2', system: 'two' });
    await server.check();
    expect(server.position).toEqual({
      system: expect.stringMatching(/^two\//),
      isStandby: true,
      bytes: 2 ** 32 + 2,
      timeline: '',
    });
    expect(server.failure).toBeUndefined();
    expect(server.checkedAt).toBeGreaterThan(checkedAt);
    await server.end();
  });

  it('has the shortest round trip of its last eight answers', async () => {
    const server = watch('second');
    await server.check();
    const { roundTrip } = server;
    const delay = 0.03;
    await servers.set('second', { delay });
    for (let checks = 0; checks < 7; checks++) await server.check();
    expect(server.roundTrip).toBeLessThanOrEqual(roundTrip);
    await server.check();
    expect(server.roundTrip).toBeGreaterThanOrEqual(1000 * delay);
    await servers.set('second', { delay: 0 });
    await server.end();
  });

  it('is validated once, and not again soon after it was refused', async () => {
    const server = watch('second');
    let calls = 0;
    const validate = (reason?: string) => () => {
      calls++;
      return reason === undefined ? Promise.resolve() : Promise.reject(new Error(reason));
    };
    await server.validate(validate('too old'));
    await server.validate(validate());
    expect([calls, server.isValidated, refused]).toEqual([1, false, ['second: too old']]);
    const other = watch('first');
    await Promise.all([other.validate(validate()), other.validate(validate('late'))]);
    await other.validate(validate('later'));
    expect([calls, other.isValidated, refused]).toEqual([2, true, ['second: too old']]);
    await Promise.all([server.end(), other.end()]);
  });

  it('is refused once per reason, and for the same reason again after it was validated', async () => {
    refused.length = 0;
    const server = watch('first');
    for (const reason of ['one', 'one', 'two', 'two', 'one']) server.refuse(new Error(reason));
    expect(refused).toEqual(['first: one', 'first: two', 'first: one']);
    await server.validate(async () => {});
    server.refuse(new Error('one'));
    expect(refused).toHaveLength(4);
    await server.end();
  });
});
