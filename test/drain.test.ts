import { once } from 'node:events';
import { type Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDrain, type Drain, handOverTime } from '../src/http/drain.ts';
import { ListenFailed, listen, requireFreePort } from '../src/http/listen.ts';
import { keepAliveAgent } from './support/keep-alive.ts';

/** In milliseconds: a deadline that no test reaches. */
const NEVER = 1_000_000;

/** How long the server keeps listening, in milliseconds. */
const GRACE = 1500;

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

let server: Server;
let drain: Drain;
let port: number;
let agent: Agent;
let finish: () => void;

/** Answers `/slow` on command, `/never` not at all, and everything else immediately with the readiness. */
beforeEach(async () => {
  agent = keepAliveAgent();
  const finished = new Promise<void>(resolve => {
    finish = resolve;
  });
  server = createServer(async ({ url }, response) => {
    if (url === '/never') return;
    if (url === '/half') response.write('wh');
    if (url === '/slow' || url === '/half') await finished;
    if (url === '/half') return response.end('ole');
    response.statusCode = drain.isDraining && url === '/readyz' ? 503 : 200;
    response.end('whole');
  });
  drain = createDrain(server);
  port = await listen(server, { host: '127.0.0.1', port: 0 });
});

afterEach(() => {
  agent.destroy();
  server.closeAllConnections();
  server.close();
});

async function request(path: string): Promise<IncomingMessage> {
  const [response] = await once(get({ port, path, agent }), 'response');
  return response;
}

describe('a server that shuts down', () => {
  it('finishes running requests and asks the clients to close their connections', async () => {
    const requested = once(server, 'request');
    const slow = request('/slow');
    await requested;
    const closed = drain.close(0, NEVER);
    finish();
    const response = await slow;
    expect(response.headers.connection).toBe('close');
    expect(await text(response)).toBe('whole');
    await closed;
    await expect(request('/')).rejects.toThrow('ECONNREFUSED');
  });

  it('finishes a response that has begun, whose headers it can no longer change', async () => {
    const response = await request('/half');
    const closed = drain.close(0, NEVER);
    finish();
    expect(await text(response)).toBe('whole');
    await closed;
  });

  it('keeps listening during its grace period and reports itself as not ready', async () => {
    // Long enough for a request on a busy machine. Only one test waits this long.
    const closed = drain.close(GRACE, NEVER);
    const response = await request('/readyz');
    expect(response.statusCode).toBe(503);
    expect(response.headers.connection).toBe('close');
    response.resume();
    await closed;
    await expect(request('/readyz')).rejects.toThrow('ECONNREFUSED');
  });

  it('answers a request that arrived while its process was suspended', { tags: 'slow' }, async () => {
    const grace = 100;
    const connection = connect(port, '127.0.0.1');
    connection.write(REQUEST);
    await once(connection, 'data');
    const closed = drain.close(grace, NEVER);
    connection.write(REQUEST);
    // The bytes remain in a system buffer, and the grace period ends before they are read.
    for (const begin = performance.now(); performance.now() - begin < 2 * grace; );
    expect(await text(connection)).toMatch(/^HTTP\/1.1 200 OK\r\nConnection: close\r\n[\s\S]*whole/);
    await closed;
  });

  it('stays ready for the advertised keep-alive time during a hand-over', async () => {
    server.keepAliveTimeout = 60_000;
    (await request('/')).resume();
    const closed = drain.handOver(0, NEVER);
    // Longer than the detection of an idle connection takes.
    await sleep(200);
    const response = await request('/');
    expect(response.headers.connection).toBe('close');
    response.resume();
    await closed;
  });

  it('does not wait for idle connections', async () => {
    (await request('/')).resume();
    const cleared = [vi.spyOn(globalThis, 'clearTimeout'), vi.spyOn(globalThis, 'clearInterval')];
    const made = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')];
    // This must not wait for the deadline, which is out of reach.
    await expect(drain.close(0, NEVER)).resolves.toBeUndefined();
    // No timer is left that would keep the process alive.
    const own = made.map(({ mock }) =>
      mock.results.filter((_, index) => [NEVER, 50].includes(mock.calls[index]![1]!)),
    );
    expect(own.map(({ length }) => length)).toEqual([1, 1]);
    for (const [index, [timer]] of own.entries()) expect(cleared[index]).toHaveBeenCalledWith(timer!.value);
    for (const spy of [...cleared, ...made]) spy.mockRestore();
  });

  it.each([
    ['close', 1, 1 + NEVER],
    ['handOver', 0, 6000 + NEVER],
    ['handOver', 7000, 7000 + NEVER],
  ] as const)('has the deadline of %s after its grace period of %i ms', async (way, grace, deadline) => {
    server.keepAliveTimeout = 5000;
    const made = vi.spyOn(globalThis, 'setTimeout');
    await drain[way](grace, NEVER);
    expect(made.mock.calls.map(([, time]) => time)).toContain(deadline);
    made.mockRestore();
  });

  it('aborts running requests at the deadline', async () => {
    const requested = once(server, 'request');
    const never = request('/never');
    never.catch(() => {});
    await requested;
    await drain.close(0, 100);
    await expect(never).rejects.toThrow('socket hang up');
  });
});

it.each([
  [0, 5000, 6000],
  [5999, 5000, 6000],
  [6001, 5000, 6001],
  [0, 0, 1000],
])(
  'with a grace period of %i ms and an advertised time of %i ms, a hand-over takes %i ms',
  (grace, keepAliveTimeout, time) => {
    expect(handOverTime({ keepAliveTimeout } as Server, grace)).toBe(time);
  },
);

describe('a port', () => {
  it('in use is reported in a sentence that names it', async () => {
    const taken = { host: '127.0.0.1', port };
    await expect(requireFreePort(taken)).rejects.toThrow(ListenFailed);
    await expect(requireFreePort(taken)).rejects.toThrow(`Port ${port} of 127.0.0.1 is in use`);
  });

  it('stays free after it was checked', async () => {
    await drain.close(0, 100);
    for (let round = 0; round < 2; round++)
      await expect(requireFreePort({ host: '127.0.0.1', port })).resolves.toBeUndefined();
  });

  it('on an address of another machine is rejected', async () => {
    await expect(requireFreePort({ host: '192.0.2.1', port: 0 })).rejects.toThrow('HOST');
  });
});
