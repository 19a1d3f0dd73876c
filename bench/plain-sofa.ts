import { createServer, type IncomingMessage } from 'node:http';
import { execute } from 'graphql';
import { directLoaders } from '../schema/loaders.ts';
import { toAccount } from '../sql/account.ts';
import { connect } from '../sql/guard.ts';
import { createSofa } from '../src/rest/operations.ts';
import { connectByHand, createLimit, Keys } from './doors.ts';

/** The same schema behind SOFA as it comes: its router, its server, graphql-js. The doors are the yardstick's. */
const [databaseUrl = '', port = ''] = process.argv.slice(2);
const database = connect({
  url: databaseUrl,
  poolSize: 4,
  statementTimeout: 10_000,
  queueTimeout: 10_000,
  queueLimit: 1000,
  prepare: true,
  role: 'sightline_reader',
});
const load = directLoaders(database);
const keys = new Keys(connectByHand(databaseUrl));
const limit = createLimit();

const contextOf = async ({ req }: { req: IncomingMessage }) => {
  const holder = await keys.find(req.headers.authorization);
  if (!holder) throw new Error('Unauthorized');
  await limit(holder.key_id);
  return { account: toAccount(holder), database, load, now: new Date(), reportsResultCap: 1000 };
};

const sofa = createSofa(call => execute(call as never), contextOf);
createServer(sofa as never).listen(Number(port), '127.0.0.1');
