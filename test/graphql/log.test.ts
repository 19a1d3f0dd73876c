import { expect, it } from 'vitest';
import { gatheringLoaders } from '../../schema/loaders.ts';
import { connect } from '../../sql/client.ts';
import { createGraphQLHandler } from '../../src/graphql/handler.ts';
import { createDatabase } from '../support/database.ts';
import { connectOperator } from '../support/operator.ts';
import { serviceConnection } from '../support/pooler.ts';

it('an unforeseen error is logged whole, and once for all fields that it fails', async () => {
  const { url, drop } = await createDatabase();
  const operator = connectOperator(url);
  await operator`insert into account (id, type, email, created_at) values ('a', 'personal', 'a@example.com', now())`;
  await operator`drop table csp_wizard`;
  await operator.end();
  const limits = { poolSize: 1, statementTimeout: 2000, queueTimeout: 1000, queueLimit: 10 };
  const database = connect({ ...serviceConnection(url), ...limits });
  const logged: unknown[] = [];
  const handle = createGraphQLHandler({ logError: error => logged.push(error) });

  const query = '{ a: account(id: "a") { wizard { active } b: wizard { policy } } }';
  const reply = await handle(
    {
      method: 'POST',
      target: '/graphql',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ query })),
    },
    { account: null, database, load: gatheringLoaders(database), now: new Date(), reportsResultCap: 10 },
  );

  await database.end();
  await drop();
  expect(logged).toMatchObject([{ message: expect.stringContaining('csp_wizard') }]);
  expect(reply.body).toContain('Internal server error');
  expect(reply.body).not.toContain('csp_wizard');
});
