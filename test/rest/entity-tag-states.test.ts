import { describe, expect, it } from 'vitest';
import { BodyCache } from '../../src/http/answers.ts';
import { createValidated } from '../../src/pipeline/conditional.ts';

describe('a response with an entity tag', () => {
  interface Case {
    cache?: BodyCache;
    ifNoneMatch?: string;
    /** The versions of the account when the request begins, and at each later look-up. */
    versions?: number[];
    id?: string;
    areSeveral?: boolean;
    timeline?: string;
    pending?: boolean;
    /** When the data may have changed. */
    validUntil?: number;
    release?: string;
    period?: string;
    query?: string;
  }
  const answer = async ({
    cache = new BodyCache(100_000),
    versions = [1],
    id = 'ada',
    areSeveral = false,
    timeline = '',
    pending = false,
    validUntil = Number.POSITIVE_INFINITY,
    ...rest
  }: Case = {}) => {
    const { ifNoneMatch, release = 'r', period = '2026-05-20', query = '' } = rest;
    let [reads, lookUps] = [0, 0];
    const caller = () => ({
      account: { id, version: versions[lookUps] ?? versions.at(-1)! },
      invalidationPending: pending,
      validUntil,
    });
    const headers = { 'if-none-match': ifNoneMatch };
    const request = { path: '/v1/me', query, headers, inTime: (work: unknown) => work };
    const reply = await createValidated({ servers: { areSeveral } } as never, cache)(
      { request, server: { timeline }, caller: caller() } as never,
      {
        release,
        period,
        headers: { Vary: 'A' },
        make: ({ caller: { account } }) => `{"version":${account.version},"read":${++reads}}`,
        lookUp: async () => {
          lookUps++;
          return caller() as never;
        },
      },
    );
    const { ETag: tag = '', ...others } = reply.headers;
    expect(others).toMatchObject({ Vary: 'A', 'Cache-Control': 'private, no-cache' });
    return { status: reply.status, body: reply.body, tag, lookUps };
  };
  const first = '{"version":1,"read":1}';

  it('is read once, and afterwards comes from the cache or is a 304', async () => {
    const cache = new BodyCache(100_000);
    const { tag, ...rest } = await answer({ cache });
    expect(rest).toEqual({ status: 200, body: first, lookUps: 0 });
    expect(await answer({ cache })).toEqual({ tag, ...rest });
    expect(cache.counters).toMatchObject({ hits: 1, misses: 1 });
    const unchanged = { status: 304, body: '', tag, lookUps: 0 };
    for (const ifNoneMatch of [tag, '*']) expect(await answer({ cache, ifNoneMatch })).toEqual(unchanged);
    expect(await answer({ ifNoneMatch: '*' })).toEqual(unchanged);
    expect((await answer({ cache, ifNoneMatch: '"other"' })).status).toBe(200);
  });

  it('has a tag of its own for everything that it depends on', async () => {
    const cases: Case[] = [{}, { versions: [2] }, { id: 'bob' }, { timeline: '2' }, { release: 's' }];
    cases.push({ period: '2026-05-21' }, { query: 'a' });
    const tags = await Promise.all(cases.map(async each => (await answer(each)).tag));
    expect(new Set(tags).size).toBe(7);
    expect(tags[0]).toBe((await answer()).tag);
  });

  it('looks up the account again if its data can have changed, or if servers can differ', async () => {
    const { tag } = await answer();
    const past = performance.now();
    for (const doubtful of [{ areSeveral: true }, { validUntil: past }])
      expect(await answer(doubtful)).toEqual({ status: 200, body: first, tag, lookUps: 1 });
    const changed = await answer({ validUntil: past, versions: [1, 2] });
    expect(changed).toMatchObject({ status: 200, body: '{"version":2,"read":2}', lookUps: 2 });
    expect(changed.tag).toBe((await answer({ versions: [2] })).tag);
  });

  it('has a unique tag and is not cached while the account keeps changing', async () => {
    const cache = new BodyCache(100_000);
    const restless = { cache, areSeveral: true, versions: [1, 2, 3, 4, 5, 6] };
    const one = await answer(restless);
    expect(one).toMatchObject({ status: 200, body: '{"version":4,"read":4}', lookUps: 4 });
    const pending = [await answer({ cache, pending: true }), await answer({ cache, pending: true })];
    for (const { body, lookUps } of pending) expect([body, lookUps]).toEqual([first, 0]);
    expect(new Set([one, ...pending].map(({ tag }) => tag)).size).toBe(3);
    expect(cache.counters).toMatchObject({ hits: 0, answers: 0 });
    const settled = await answer({ areSeveral: true, versions: [1, 2, 3, 4, 4] });
    expect(settled).toMatchObject({ body: '{"version":4,"read":4}', lookUps: 4 });
    expect(settled.tag).toBe((await answer({ versions: [4] })).tag);
  });
});
