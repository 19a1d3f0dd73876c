import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../schema/context.ts';
import { gatheringLoaders } from '../../schema/loaders.ts';
import { connect, type DatabaseClient, type ServerClient } from '../../sql/client.ts';
import type { InTime } from '../../src/graphql/exchange.ts';
import { createGraphQLHandler, type GraphQLRequest } from '../../src/graphql/handler.ts';
import { Deadlines } from '../../src/http/deadlines.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { connectOperator, type Operator } from '../support/operator.ts';
import { serviceConnection } from '../support/pooler.ts';

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
