import { createServer, type IncomingMessage } from 'node:http';
import { type Parameter, Rows } from '@sightline/pg-client';
import { execute } from 'graphql';
import { directLoaders } from '../schema/loaders.ts';
import { toAccount } from '../sql/account.ts';
import type { Database } from '../sql/client.ts';
import { createSofa } from '../src/rest/sofa.ts';
import { connectByHand, createLimit, Keys, literal } from './by-hand.ts';

/**
 * Serves the same schema with unmodified SOFA: its router, its server and graphql-js. Authentication and rate limit are
 * those of the yardstick.
 */
const [databaseUrl = '', port = ''] = process.argv.slice(2);
const sql = connectByHand(databaseUrl);
/** The database driver is unmodified as well. */
const rows = async (text: string, parameters: readonly Parameter[]) =>
  Rows.of(await sql.unsafe<never[]>(text, parameters.map(literal) as never[], { prepare: true }));
const database: Database = {
  rows,
  queryTenant: (_accounts, text, parameters) => rows(text, parameters),
};
const load = directLoaders(database);
const keys = new Keys(sql);
const limit = createLimit();

const toContext = async ({ req }: { req: IncomingMessage }) => {
  const holder = await keys.find(req.headers.authorization);
  if (!holder) throw new Error('Unauthorized');
  await limit(holder.key_id);
  return { account: toAccount(holder), database, load, now: new Date(), reportsResultCap: 1000 };
};

const sofa = createSofa(call => execute(call as never), toContext);
createServer(sofa as never).listen(Number(port), '127.0.0.1');
