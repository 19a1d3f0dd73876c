import { DatabaseLost } from '@sightline/pg-client';
import { expect, it } from 'vitest';
import type { ReadServer } from '../../sql/servers/servers.ts';
import { createPipeline } from '../../src/pipeline/pipeline.ts';

const [primary, replica] = ['primary', 'replica-1'].map(name => ({ name, timeline: '1' })) as [
  ReadServer,
  ReadServer,
];

/** Answers a request with servers of which these are down. Returns what happened and the counted keys. */
async function answer(down: readonly ReadServer[]) {
  const [asked, counted]: [string[], string[]] = [[], []];
  const dependencies = {
    servers: {
      areSeveral: true,
      states: [],
      choose: () => replica,
      replacementFor: (lost: ReadServer) => (lost === replica ? primary : undefined),
    },
    clock: { now: () => new Date('2026-05-20T12:00:00Z') },
    rateLimit(keyId: string) {
      counted.push(keyId);
      return { RateLimit: `r=${120 - counted.length}` };
    },
    logger: { error() {} },
    authenticateOn: () => ({ getLeased: () => ({ keyId: 'k-1', account: undefined }) }),
  };
  const pipeline = createPipeline(dependencies as never, {
    methods: ['GET'],
    authorize: caller => ({ isRated: true, caller }),
    answer({ server }) {
      asked.push(server.name);
      if (down.includes(server)) throw new DatabaseLost('it is down');
      return { status: 200, headers: {}, body: '{}' };
    },
  });
  const request = {
    method: 'GET',
    path: '/v1/me',
    isGone: () => false,
    headers: {},
    notes: {},
    inTime: <Result>(result: Result) => result,
    letWait: <Result>(result: Result) => result,
  };
  const { status, headers } = await pipeline(request as never);
  return { status, limit: headers.RateLimit, asked, counted };
}

it.each([
  ['none', [], 200, ['replica-1']],
  ['the replica', [replica], 200, ['replica-1', 'primary']],
  ['every server', [replica, primary], 500, ['replica-1', 'primary']],
])('a request counts once towards the rate limit when %s is down', async (_, down, status, asked) => {
  expect(await answer(down)).toEqual({ status, limit: 'r=119', asked, counted: ['k-1'] });
});
