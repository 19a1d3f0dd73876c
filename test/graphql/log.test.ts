import { GraphQLError, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Context } from '../../schema/context.ts';
import { forbidden, tooLong } from '../../schema/errors.ts';
import { gatheringLoaders } from '../../schema/loaders.ts';
import { connect, type DatabaseClient, type ServerClient } from '../../sql/client.ts';
import { Documents } from '../../src/graphql/documents.ts';
import { firstOfEachNull, publicErrors } from '../../src/graphql/errors.ts';
import type { InTime } from '../../src/graphql/exchange.ts';
import { frameResult } from '../../src/graphql/framing.ts';
import { createGraphQLHandler, type GraphQLRequest } from '../../src/graphql/handler.ts';
import { Deadlines } from '../../src/http/deadlines.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { connectOperator, type Operator } from '../support/operator.ts';
import { serviceConnection } from '../support/pooler.ts';
import { simulateTimers } from '../support/simulated-timers.ts';

const limits = { poolSize: 1, statementTimeout: 2000, queueTimeout: 1000, queueLimit: 10 };

function post(query: string, accept = 'application/json'): GraphQLRequest {
  return {
    method: 'POST',
    target: '/graphql',
    headers: { accept, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ query })),
  };
}

function createContext(database: DatabaseClient): Context {
  return { account: null, database, load: gatheringLoaders(database), now: new Date(), reportsResultCap: 10 };
}

it('logs an unexpected error with its details, once for all fields that it affects', async () => {
  const { url, drop } = await createDatabase();
  const operator = connectOperator(url);
  await operator`insert into account (id, type, email, created_at) values ('a', 'personal', 'a@example.com', now())`;
  await operator`drop table csp_wizard`;
  await operator.end();
  const database = connect({ ...serviceConnection(url), ...limits });
  const logged: unknown[] = [];
  const handle = createGraphQLHandler({ logError: error => logged.push(error), documents: 'any' });

  const reply = await handle(
    post('{ a: account(id: "a") { wizard { active } b: wizard { policy } } }'),
    createContext(database),
  );

  await database.end();
  await drop();
  expect(logged).toMatchObject([{ message: expect.stringContaining('csp_wizard') }]);
  expect(reply.body).toContain('Internal server error');
  expect(reply.body).not.toContain('csp_wizard');
});

it('what answers requests is loaded ten seconds after the start, before an upgrade replaces its files', () => {
  const countPending = simulateTimers();
  createGraphQLHandler({ logError: () => {}, documents: 'any' });
  expect(countPending(10_000)).toBe(1);
});

it('a failure outside of an operation is logged, and answered without its message', async () => {
  const broken = new TypeError('secret');
  const documents = vi.spyOn(Documents.prototype, 'get').mockImplementation(() => {
    throw broken;
  });
  onTestFinished(() => documents.mockRestore());
  const logged: unknown[] = [];
  const handle = createGraphQLHandler({ logError: error => logged.push(error), documents: 'any' });
  const { status, body } = await handle(post('{ __typename }'), createContext({} as never));
  expect([status, JSON.parse(String(body))]).toEqual([
    500,
    { errors: [{ message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] },
  ]);
  expect(logged).toEqual([broken]);
});

describe('an operation that exceeds the time of a request', () => {
  let database: TestDatabase;
  let operator: Operator;
  let client: ServerClient;
  beforeAll(async () => {
    database = await createDatabase();
    operator = connectOperator(database.url);
    client = connect({ ...serviceConnection(database.url), ...limits });
  });
  afterAll(async () => {
    await client?.end();
    await operator?.end();
    await database?.drop();
  });

  it.each(['application/json', 'application/graphql-response+json'])(
    'is logged, and answered with TIME_LIMIT_EXCEEDED as %s',
    async accept => {
      const logged: unknown[] = [];
      const handle = createGraphQLHandler({ logError: error => logged.push(error), documents: 'any' });
      const deadlines = new Deadlines(1);
      const inTime: InTime = work => deadlines.bound(performance.now(), work);
      const reply = await operator.transaction(async locked => {
        await locked.query('lock table account in access exclusive mode');
        return handle(post('{ account(id: "a") { email } }', accept), createContext(client), inTime);
      });
      expect(reply.status).toBe(503);
      expect(reply.headers['Content-Type']).toContain(accept);
      expect(JSON.parse(String(reply.body))).toEqual({
        errors: [
          {
            message: expect.stringContaining('choose a shorter period or fewer filters'),
            extensions: { code: 'TIME_LIMIT_EXCEEDED' },
          },
        ],
      });
      expect(reply.outcome).toMatchObject({ code: 'TIME_LIMIT_EXCEEDED' });
      expect(logged).toMatchObject([{ name: 'Overdue' }]);
    },
  );
});

it('each error of an execution is shown without details, and the hidden ones are logged once', () => {
  const { definitions } = parse('{ a }');
  const nodes = [definitions[0]!] as never;
  const located = (originalError: Error, ...path: (string | number)[]) =>
    new GraphQLError(originalError.message, { originalError, path, nodes });
  const broken = new TypeError('secret');
  const slow = tooLong();
  const key = `svc_t_${'a'.repeat(43)}`;
  const errors = [
    located(broken, 'a'),
    located(broken, 'b', 1),
    located(slow, 'c'),
    located(new Error('wrapped', { cause: slow }), 'd'),
    located(forbidden(`not with ${key}`), 'e'),
    located(new GraphQLError('Argument "x" must not be null.', { nodes }), 'f'),
    located(new GraphQLError('without a place'), 'g'),
    new GraphQLError('Cannot return null', { path: ['h'] }),
  ];
  const log = vi.fn();
  const shown = publicErrors(errors, log).map(({ message, path, extensions, locations }) => [
    message,
    path?.join('.'),
    extensions.code,
    locations?.length,
  ]);
  const internal = 'Internal server error';
  expect(shown).toEqual([
    [internal, 'a', 'INTERNAL_SERVER_ERROR', 1],
    [internal, 'b.1', 'INTERNAL_SERVER_ERROR', 1],
    [slow.message, 'c', 'TIME_LIMIT_EXCEEDED', 1],
    [slow.message, 'd', 'TIME_LIMIT_EXCEEDED', 1],
    ['not with svc_t_[redacted]', 'e', 'FORBIDDEN', 1],
    ['Argument "x" must not be null.', 'f', 'BAD_USER_INPUT', 1],
    [internal, 'g', 'INTERNAL_SERVER_ERROR', 1],
    [internal, 'h', 'INTERNAL_SERVER_ERROR', undefined],
  ]);
  expect(log.mock.calls.map(([{ message }]) => message)).toEqual([
    'secret',
    slow.message,
    'wrapped',
    'without a place',
    'Cannot return null',
  ]);
});

it('of several errors of one null, the first is shown', () => {
  const at = (...path: (string | number)[]) => new GraphQLError(path.join('.'), { path });
  const data = { a: null, b: { c: null, d: [1, null] } };
  const errors = [
    at('a', 'x'),
    at('a', 'y', 0),
    at('b', 'c'),
    at('b', 'd', 1, 'z'),
    at('b', 'd', 1),
    at('b', 'd', 0),
  ];
  expect(firstOfEachNull(errors, data).map(({ message }) => message)).toEqual([
    'a.x',
    'b.c',
    'b.d.1.z',
    'b.d.0',
  ]);
  expect(firstOfEachNull([at('a'), at('b')], null).map(({ message }) => message)).toEqual(['a']);
  expect(firstOfEachNull([new GraphQLError('no path')], null)).toHaveLength(1);
});

it('a result is framed with its length in bytes, and its memory is released', () => {
  const release = vi.fn();
  const pieces = [Buffer.from('{"é'), Buffer.from('":1}')];
  const part =
    '\r\n---\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: 8\r\n\r\n{"é":1}\r\n-----\r\n';
  const event = 'event: next\ndata: {"é":1}\n\nevent: complete\ndata:\n\n';
  for (const [type, contentType, text] of [
    ['multipart/mixed', 'multipart/mixed; boundary="-"', part],
    ['text/event-stream', 'text/event-stream', event],
  ] as const) {
    expect(frameResult(type, '{"é":1}')).toEqual({ contentType, body: text });
    const framed = frameResult(type, { pieces, release });
    const { body } = framed as { body: Exclude<typeof framed.body, string> };
    expect([framed.contentType, Buffer.concat(body.pieces).toString()]).toEqual([contentType, text]);
    body.release();
  }
  expect(release).toHaveBeenCalledTimes(2);
});
