import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { Sql } from 'postgres';
import * as answers from './answers.ts';
import { connectByHand, createLimit, type KeyHolder, Keys } from './connect.ts';

/**
 * The yardstick: the same routes written by hand with only Fastify and the driver. It sends the same statements and
 * returns the same bytes, and checks the key, the rate limit and the plan. It has no entity tags, request ids, logging,
 * compression or circuit breaker.
 */
const [databaseUrl = '', port = ''] = process.argv.slice(2);
const sql = connectByHand(databaseUrl);
const keys = new Keys(sql);
const limit = createLimit();
const app = Fastify({ logger: false });

declare module 'fastify' {
  interface FastifyRequest {
    holder: KeyHolder;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';
const noHolder = undefined as unknown as KeyHolder;
app.decorateRequest('holder', noHolder);

app.addHook('onRequest', async (request, reply) => {
  const holder = await keys.find(request.headers.authorization);
  if (!holder?.account_id) return reply.code(401).type(JSON_TYPE).send('{"error":"Unauthorized"}');
  const { policy, state } = await limit(holder.key_id);
  reply.header('RateLimit-Policy', policy).header('RateLimit', state).type(JSON_TYPE);
  if (!answers.mayAsk(holder)) {
    return reply.code(403).send('{"error":"API access requires a Business plan or higher"}');
  }
  request.holder = holder;
  return undefined;
});

type Answer = (sql: Sql, holder: KeyHolder, request: FastifyRequest) => unknown;

function route(path: string, answer: Answer): void {
  app.get(path, async (request, reply) => {
    const body = await answer(sql, request.holder, request);
    return body === undefined
      ? reply.code(400).send('{"error":"Bad request"}')
      : reply.send(JSON.stringify(body));
  });
}

route('/v1/me', (_sql, holder) => answers.me(holder));
route('/v1/plan', (_sql, holder) => answers.plan(holder));
route('/v1/last-seven-days', answers.week);
route('/v1/graphs/csp/:unit/:amount', (_, holder, { params }) => answers.graph(sql, holder, params as never));
route('/v1/reports/:type', (_, holder, { params, query }) =>
  answers.reports(sql, holder, (params as { type: string }).type, query as never),
);
route('/v1/watches/:product', (_, holder, { params }) => answers.watched(sql, holder, params as never));
route('/v1/watches/:product/:domain', (_, holder, { params }) =>
  answers.findings(sql, holder, params as never),
);

app.get('/v1/audit-log', async (request, reply) => {
  const query = request.query as answers.AuditQuery;
  if (query.limit === undefined && query.cursor === undefined) return wholeTrail(request, reply);
  const page = await answers.audit(sql, request.holder, query);
  return reply.send(JSON.stringify(page));
});

async function wholeTrail({ holder }: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), 'content-type': JSON_TYPE });
  let separator = '{"events":[';
  try {
    for await (const events of answers.trail(sql, holder)) {
      await write(raw, separator + JSON.stringify(events).slice(1, -1));
      separator = ',';
    }
    raw.end('],"nextCursor":null,"truncated":false}');
  } catch (error) {
    raw.destroy(error as Error);
  }
}

async function write(response: ServerResponse, text: string): Promise<void> {
  if (!response.write(text)) await once(response, 'drain');
}

await app.listen({ port: Number(port), host: '127.0.0.1' });
