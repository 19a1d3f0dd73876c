import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listen } from '../../src/http/listen.ts';
import { json } from '../../src/http/reply.ts';
import { createServer } from '../../src/http/server.ts';
import { RawConnection } from '../support/raw-connection.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

let server: Server;
let connection: RawConnection;

async function start(keepAlive?: number): Promise<void> {
  server = createServer({
    app: async () => json('{}'),
    logger: pino({ enabled: false }),
    answerLimit: 60_000,
    ...(keepAlive !== undefined && { keepAlive }),
  });
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  connection = new RawConnection(`http://127.0.0.1:${port}`);
}

async function ask() {
  connection.write(REQUEST);
  return connection.read();
}

afterEach(() => {
  connection.close();
  server.closeAllConnections();
  server.close();
});

describe('an idle connection', () => {
  it('stays open longer than the advertised keep-alive time', async () => {
    await start();
    expect((await ask())!.headers.get('keep-alive')).toBe('timeout=5');
    server.keepAliveTimeout = 20;
    for (let round = 0; round < 3; round++) {
      expect((await ask())!.status).toBe(200);
      await sleep(100);
    }
    expect((await ask())!.status).toBe(200);
  });

  it('has the whole time after each request, and is closed unless it has sent more by then', async () => {
    await start();
    const socket = { bytesRead: 10, setTimeout: vi.fn(), destroy: vi.fn() };
    const expire = (more = 0) => {
      server.emit('timeout', socket);
      socket.bytesRead += more;
      return new Promise(setImmediate);
    };
    await expire(10);
    await expire();
    expect(socket.setTimeout.mock.calls).toEqual([[70_000], [70_000]]);
    expect(socket.destroy).not.toHaveBeenCalled();
    await expire(10);
    expect(socket.destroy).not.toHaveBeenCalled();
    await expire();
    await expire();
    expect(socket.setTimeout).toHaveBeenCalledTimes(3);
    expect(socket.destroy).toHaveBeenCalledOnce();
  });

  it('is closed after the configured time', async () => {
    await start(200);
    expect((await ask())!.headers.get('keep-alive')).toBe('timeout=0');
    await once(connection.socket, 'end');
    expect(await connection.read()).toBeUndefined();
  });

  it('has ten seconds for the headers of a request and twenty for all of it', async () => {
    await start();
    const { headersTimeout, requestTimeout } = server;
    expect([headersTimeout, requestTimeout]).toEqual([10_000, 20_000]);
  });

  it('is closed after the full configured time, although a shorter one is advertised', async () => {
    await start(200);
    server.keepAliveTimeout = 20;
    const begin = performance.now();
    await ask();
    await once(connection.socket, 'end');
    expect(performance.now() - begin).toBeGreaterThan(190);
  });
});
