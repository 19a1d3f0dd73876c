import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CuttingServer, RECORDS, startCuttingServer } from '../support/cutting-server.ts';
import { until } from '../support/until.ts';

let cutting: CuttingServer;
beforeEach(async () => {
  cutting = await startCuttingServer();
});
afterEach(() => cutting[Symbol.asyncDispose]());

/** The bytes that a client received, and how the connection ended. */
interface SeenResponse {
  socket: Socket;
  text: string;
  ended: 'whole' | string | undefined;
}

function ask(request: string): SeenResponse {
  const socket = connect(cutting.port, '127.0.0.1');
  const seen: SeenResponse = { socket, text: '', ended: undefined };
  socket
    .setEncoding('latin1')
    .on('data', data => (seen.text += data))
    .on('end', () => (seen.ended ??= 'whole'))
    .on('error', (error: NodeJS.ErrnoException) => (seen.ended ??= error.code));
  socket.write(request);
  return seen;
}

const head = (path: string, version: string, ...lines: string[]) =>
  [`GET ${path} HTTP/${version}`, 'Host: localhost', 'Connection: close', ...lines, '', ''].join('\r\n');

async function end(seen: SeenResponse): Promise<SeenResponse> {
  await until(() => seen.ended !== undefined);
  return seen;
}

const countRecords = ({ text }: SeenResponse) => text.split('x\n').length - 1;

/** Everything before the failure is read first, because a connection reset discards unread data. */
const hasHalf = (seen: SeenResponse) => until(() => countRecords(seen) === RECORDS / 2);

async function failLate(seen: SeenResponse): Promise<void> {
  await hasHalf(seen);
  cutting.fail();
}

/** Ways in which a response can fail after it has started. */
const BREAKS: readonly [what: string, ask: (version: string) => Promise<SeenResponse>][] = [
  [
    'its stream fails',
    async version => {
      const seen = ask(head('/late-fails', version));
      await failLate(seen);
      return seen;
    },
  ],
  [
    'the shutdown time is over',
    async version => {
      const seen = ask(head('/stalls', version));
      await hasHalf(seen);
      void cutting.drain.close(0, 50);
      return seen;
    },
  ],
  [
    'it began during a shutdown whose time is over',
    async version => {
      cutting.server.keepAliveTimeout = 60_000;
      const seen = ask('');
      await once(cutting.server, 'connection');
      void cutting.drain.close(500, 2000);
      seen.socket.write(head('/stalls', version));
      return seen;
    },
  ],
  [
    'the rest of its request is malformed',
    async version => {
      const seen = ask(head('/stalls', version, 'Transfer-Encoding: chunked'));
      await hasHalf(seen);
      seen.socket.write('no chunk\r\n');
      return seen;
    },
  ],
];

describe.each(BREAKS)('a response that is cut off because %s', (_, begin) => {
  it.each(['1.0', '0.9'])('resets the connection of an HTTP/%s client', async version => {
    expect((await end(await begin(version))).ended).toBe('ECONNRESET');
  });

  it('ends without the last chunk for an HTTP/1.1 client', async () => {
    const seen = await end(await begin('1.1'));
    expect(seen.text).toContain('Transfer-Encoding: chunked');
    expect(seen.text).not.toMatch(/\r\n0\r\n\r\n$/);
    expect(countRecords(seen)).toBeGreaterThan(0);
  });
});

describe('an HTTP/1.0 client', () => {
  it('receives a complete response without length and chunks', async () => {
    const seen = await end(ask(head('/whole', '1.0')));
    expect([seen.ended, countRecords(seen)]).toEqual(['whole', RECORDS]);
    expect(seen.text).not.toMatch(/content-length|transfer-encoding/i);
  });

  it('receives only the first response of two pipelined requests if that fails', async () => {
    const seen = ask(head('/late-fails', '1.0') + head('/whole', '1.0'));
    await failLate(seen);
    expect((await end(seen)).ended).toBe('ECONNRESET');
    expect(countRecords(seen)).toBe(RECORDS / 2);
  });
});
