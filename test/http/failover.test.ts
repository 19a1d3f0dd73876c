import { DatabaseLost } from '@sightline/pg-client';
import { GraphQLError } from 'graphql';
import { expect, it } from 'vitest';
import { notFound } from '../../schema/errors.ts';
import type { ReadServer } from '../../sql/servers/servers.ts';
import { createApp } from '../../src/app.ts';
import { Overdue } from '../../src/http/deadlines.ts';
import { Refusal } from '../../src/http/respond.ts';
import { createPipeline, type Endpoint } from '../../src/pipeline/pipeline.ts';
import { groupOutcomes, type Outcome } from '../support/group-outcomes.ts';

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

it('an answer with an error of its server is repeated on another one, which decides by itself', async () => {
  const answers: [string, boolean[]][] = [];
  const errors = [new TypeError('no'), new DatabaseLost('down'), new Error('later')];
  const wrapped = new GraphQLError('a field failed', { originalError: new DatabaseLost('down') });
  const ask = async (...failures: Error[]) => {
    const dependencies = {
      servers: { choose: () => replica, replacementFor: () => primary },
      clock: { now: () => new Date() },
      rateLimit: () => ({}),
      authenticateOn: () => ({ getLeased: () => ({ keyId: 'k-1', account: null }) }),
    };
    const pipeline = createPipeline(dependencies as never, {
      methods: ['GET'],
      authorize: caller => ({ isRated: true, caller }),
      answer({ server, shouldFailOver }) {
        answers.push([server.name, failures.map(shouldFailOver)]);
        return { status: 200, headers: {}, body: server.name };
      },
    });
    const letWait = <Result>(reply: Result) => reply;
    const { body } = await pipeline({ method: 'GET', headers: {}, notes: {}, letWait } as never);
    return [body, answers.splice(0)];
  };
  expect(await ask(...errors)).toEqual([
    'primary',
    [
      ['replica-1', [false, true, true]],
      ['primary', [false, false, false]],
    ],
  ]);
  expect(await ask(wrapped)).toEqual([
    'primary',
    [
      ['replica-1', [true]],
      ['primary', [false]],
    ],
  ]);
  expect(await ask(new TypeError('no'))).toEqual(['replica-1', [['replica-1', [false]]]]);
});

it('/readyz names the server that is read from if there are several, and is 503 until the service is ready', async () => {
  const ask = async (areSeveral: boolean, isReady: boolean) => {
    const app = await createApp({
      servers: { areSeveral, choose: () => replica },
      config: { answerCacheSize: 0, exportConcurrency: 1, graphqlDocuments: 'any' },
      isReady: async () => isReady,
      files: new Map(),
    } as never);
    const notes = { route: '' };
    const { status, headers, body } = await app({
      method: 'GET',
      path: '/readyz',
      headers: {},
      notes,
    } as never);
    return [status, body, headers['Cache-Control'], notes.route];
  };
  expect(await ask(true, true)).toEqual([
    200,
    '{"status":"ready","server":"replica-1"}',
    'no-store',
    '/readyz',
  ]);
  expect(await ask(false, true)).toEqual([200, '{"status":"ready"}', 'no-store', '/readyz']);
  const away = [503, '{"error":"Service unavailable"}', 'no-store', '/readyz'];
  expect([await ask(true, false), await ask(false, false)]).toEqual([away, away]);
});

/** A request's way through the pipeline. Steps that are not given succeed. */
interface Way extends Partial<Pick<Endpoint<never>, 'authorize' | 'answer'>> {
  method?: string;
  path?: string;
  /** Set if the key was looked up recently. */
  isLeased?: boolean;
  lookUp?: () => Promise<unknown>;
  plan?: object | null;
  rateLimit?: () => unknown;
  isGone?: boolean;
  identify?: () => Promise<unknown>;
  letWait?: () => never;
}

const fail = (error: unknown) => () => {
  throw error;
};
const failLater = (error: unknown) => async () => {
  throw error;
};
const BUSINESS = { tier: 'business', status: 'active' };

/** Describes the response, the stages that the request passed, and what was logged. */
async function describeWay(way: Way): Promise<string> {
  const passed: string[] = [];
  const account = { id: 'ada', plan: way.plan === undefined ? BUSINESS : way.plan, createdAt: '2020-01-01' };
  const caller = { keyId: 'k-1', account };
  const pass = <Result>(stage: string, work: () => Result) => {
    passed.push(stage);
    return work();
  };
  const lookUp = async () => pass('look-up', way.lookUp ?? (async () => caller));
  const [server] = [{ name: 'primary', timeline: '' } as ReadServer];
  const dependencies = {
    servers: { areSeveral: false, states: [], choose: () => server, replacementFor: () => undefined },
    clock: { now: () => new Date('2026-05-20T12:00:00Z') },
    rateLimit: (keyId: string) => pass(`rate of ${keyId}`, way.rateLimit ?? (() => ({ RateLimit: 'r=1' }))),
    logger: { error: ({ requestId }: never, text: string) => passed.push(`log "${text}" of ${requestId}`) },
    authenticateOn: () => Object.assign(lookUp, { getLeased: () => (way.isLeased ? caller : undefined) }),
  };
  const pipeline = createPipeline<never>(dependencies as never, {
    methods: ['GET', 'PUT'],
    authorize: (found, request) =>
      pass('authorize', () => way.authorize?.(found, request) ?? { isRated: true, caller: found as never }),
    answer: request =>
      pass('answer', () => way.answer?.(request) ?? { status: 200, headers: { ETag: '"a"' }, body: '{}' }),
  });
  const notes: { account?: string } = {};
  const { method = 'GET', path = '/v1/me', letWait = <Result>(reply: Result) => reply } = way;
  const inTime = (work: unknown) => pass('in time', () => work);
  const request = {
    method,
    path,
    id: 'r-1',
    headers: {},
    notes,
    isGone: () => way.isGone ?? false,
    inTime,
    letWait,
  };
  const describeReply = async () => {
    const { status, headers, body } = await pipeline(request as never, way.identify as never);
    const { 'Content-Type': _, 'Cache-Control': _cache, ...rest } = headers;
    return `${status} ${JSON.stringify(rest)} ${body}`;
  };
  const reply = await describeReply().catch(
    ({ name, message, headers }) => `${name} ${message} ${JSON.stringify(headers)}`,
  );
  return `${reply}\n    ${passed.join(', ')} (${notes.account})`;
}

it('each way of a request through the pipeline has the outcome that is recorded', async () => {
  const broken = new TypeError('secret');
  const slow = new Overdue('late');
  const missing = notFound('No such thing');
  const refused = new Refusal('tooManyRequests', { 'Retry-After': '7' });
  const internal = { keyId: 'k-2', account: null };
  const ways: Record<string, Way> = {
    usual: {},
    'with a cached key': { isLeased: true },
    'with another method': { method: 'POST' },
    'with the second method': { method: 'PUT' },
    'with another method in lower case': { method: 'get' },
    'with an unknown key': { lookUp: failLater(new Refusal('unauthorized')) },
    'while keys cannot be looked up': { lookUp: failLater(broken) },
    'without authorization': { authorize: fail(new Refusal('unauthorized')) },
    'that is not counted': { authorize: caller => ({ isRated: false, caller: caller as never }) },
    'counted by another process': { rateLimit: async () => ({ RateLimit: 'r=2' }) },
    'over its limit': { rateLimit: fail(refused) },
    'over the limit of another process': { rateLimit: failLater(refused) },
    'without a plan': { plan: null },
    'without a plan and over its limit': { plan: null, rateLimit: fail(refused) },
    'with a canceled plan': { plan: { ...BUSINESS, status: 'canceled' } },
    'for an account in the query': {
      lookUp: async () => internal,
      authorize: caller => ({
        isRated: true,
        caller: async () => ({ ...caller, account: { id: 'named' } }) as never,
      }),
    },
    'for a missing account in the query': {
      lookUp: async () => internal,
      authorize: () => ({ isRated: true, caller: failLater(missing) as never }),
    },
    'with an internal token': { lookUp: async () => internal },
    'of a person': { identify: async () => ({ keyId: 'p-1', account: { id: 'of-ann', plan: BUSINESS } }) },
    'of an unknown person': { identify: failLater(new Refusal('foreignAccount')) },
    'refused by the answer': { answer: fail(missing) },
    'refused later': { answer: failLater(missing) },
    'refused by a resolver': { answer: fail(new GraphQLError('no', { originalError: missing })) },
    'that fails': { answer: fail(broken) },
    'that fails later': { answer: failLater(broken) },
    'that fails after the client left': { answer: fail(broken), isGone: true },
    'that is too slow': { answer: failLater(slow) },
    'to /v1 that is too slow': { answer: failLater(slow), path: '/v1' },
    'elsewhere that is too slow': { answer: failLater(slow), path: '/export/findings' },
    'to /v10 that is too slow': { answer: failLater(slow), path: '/v10' },
    'that cannot wait for its reader': { letWait: fail(broken) },
  };
  const outcomes: Outcome[] = [];
  for (const [what, way] of Object.entries(ways)) outcomes.push([what, await describeWay(way)]);
  await expect(groupOutcomes(outcomes)).toMatchFileSnapshot('./recorded/pipeline.txt');
});
