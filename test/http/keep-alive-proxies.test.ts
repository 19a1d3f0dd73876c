import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { listen } from '../../src/http/listen.ts';
import { json } from '../../src/http/reply.ts';
import { createServer } from '../../src/http/server.ts';
import { IN_EARNEST } from '../faults/scale.ts';
import { hasProgram } from '../support/programs.ts';
import { Proxies, proxyRecipe } from '../support/proxies.ts';

const POSTS = IN_EARNEST ? 600 : 40;
const CLIENTS = 20;

/** Each POST is sent within this many milliseconds before or after an idle connection is closed. */
const AROUND = 20;

/** @param idle milliseconds after which an idle connection is closed */
async function postAll(url: string, idle: number): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  const post = (agent: Agent) =>
    new Promise<number>((resolve, reject) => {
      const sent = request(`${url}/graphql`, { method: 'POST', agent }, answer => {
        answer.resume().on('end', () => resolve(answer.statusCode!));
      });
      sent.on('error', reject).end('{}');
    });
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let sent = 0; sent < POSTS / CLIENTS; sent++) {
        const status = await post(agent);
        statuses[status] = (statuses[status] ?? 0) + 1;
        // After the first one, the connection has definitely been closed.
        await sleep(sent === 0 ? idle + 300 : idle - AROUND / 2 + ((client * 7 + sent * 3) % AROUND));
      }
      agent.destroy();
    }),
  );
  return statuses;
}

/** Idle timeouts in milliseconds of the proxy and of the service. In the recipes, they are 60 and 75 seconds. */
const [POOL, SERVICE] = [600, 750];

/** Starts a proxy with the recipe, whose idle timeout is shortened. */
const PROXIES: Record<string, (proxies: Proxies) => Promise<string>> = {
  nginx(proxies) {
    const recipe = proxyRecipe('nginx');
    expect(recipe).toContain('keepalive 16;');
    return proxies.nginx(
      recipe.replace('keepalive 16;', `keepalive ${CLIENTS}; keepalive_timeout ${POOL}ms;`),
    );
  },
  caddy(proxies) {
    const recipe = proxyRecipe('caddyfile');
    expect(recipe).toContain('keepalive 60s');
    return proxies.caddy(recipe.replace('keepalive 60s', `keepalive ${POOL}ms`));
  },
};

describe.each(Object.entries(PROXIES))('%s with the connection pool of the recipe', (name, start) => {
  it.skipIf(!hasProgram(name))(
    `loses none of ${POSTS} POST requests while idle connections are closed`,
    { tags: 'slow', timeout: 120_000 },
    async () => {
      const connections = new Set();
      const server = createServer({
        app: async () => json('{}'),
        logger: pino({ enabled: false }),
        answerLimit: 60_000,
        keepAlive: SERVICE,
      });
      server.on('connection', socket => connections.add(socket));
      // Simulates a busy process, in which requests arrive while timers are overdue.
      const work = setInterval(
        () => {
          for (const end = performance.now() + 10; performance.now() < end; );
        },
        IN_EARNEST ? 15 : 30,
      );
      const port = await listen(server, { host: '127.0.0.1', port: 0 });
      try {
        await using proxies = await Proxies.before(port);
        expect(await postAll(await start(proxies), POOL)).toEqual({ 200: POSTS });
        expect(connections.size).toBeGreaterThan(CLIENTS);
      } finally {
        clearInterval(work);
        server.closeAllConnections();
        server.close();
      }
    },
  );
});
