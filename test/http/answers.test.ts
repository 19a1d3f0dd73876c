import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { expect, it, vi } from 'vitest';
import { BodyCache, CachedAnswer, onlyReply, streamReply } from '../../src/http/answers.ts';
import { compress, WELL } from '../../src/http/compress.ts';
import type { HttpConnection } from '../../src/http/connections.ts';
import { letWait, NoRoom } from '../../src/http/room.ts';
import { StaticFile } from '../../src/http/static-files.ts';

const create = () => {
  const release = vi.fn();
  const answer = new CachedAnswer({ pieces: [Buffer.from('{"a":1}')], release } as never);
  return { answer, release };
};

it('the buffer of a cached answer is released after the cache and every reply have dropped it', async () => {
  const { answer, release } = create();
  const [first, second] = [await answer.reply({}, undefined), await answer.reply({}, undefined)];
  expect([first.body, second.body]).toEqual([[Buffer.from('{"a":1}')], [Buffer.from('{"a":1}')]]);
  first.onSent!();
  answer.drop();
  expect(release).not.toHaveBeenCalled();
  second.onSent!();
  expect(release).toHaveBeenCalledTimes(1);
});

it('the buffer of a cached answer is kept between replies while it is in the cache', async () => {
  const { answer, release } = create();
  for (let times = 0; times < 2; times++) (await answer.reply({}, undefined)).onSent!();
  expect(release).not.toHaveBeenCalled();
  answer.drop();
  expect(release).toHaveBeenCalledTimes(1);
});

const bytes = (length: number, release = () => {}) =>
  ({ pieces: [Buffer.alloc(length, 'a')], release }) as never;
const codingOf = async (reply: Promise<{ headers: object }> | { headers: object }) =>
  (await reply).headers as Record<string, string | undefined>;

it.each([
  [1024, undefined],
  [1025, 'gzip'],
])('an answer or file of %i characters or bytes is compressed: %s', async (length, coding) => {
  for (const body of ['a'.repeat(length), bytes(length)]) {
    const answers = [
      new CachedAnswer(body).reply({}, 'gzip'),
      onlyReply({ status: 200, headers: {}, body }, 'gzip'),
    ];
    for (const answer of answers) expect((await codingOf(answer))['Content-Encoding']).toBe(coding);
  }
  const file = new StaticFile({ contentType: 'text/plain', headers: {}, read: () => 'a'.repeat(length) });
  const sent = file.reply({ method: 'GET', headers: { 'accept-encoding': 'gzip' } });
  expect((await codingOf(sent))['Content-Encoding']).toBe(coding);
  // The length of a stream is unknown.
  expect(streamReply((async function* () {})(), {}, 'gzip').headers['Content-Encoding']).toBe('gzip');
});

it.each(['gzip', 'br'])('a stream in %s ends its source with its reader, and fails with it', async coding => {
  const ended = vi.fn();
  async function* endless() {
    try {
      for (;;) yield randomBytes(64 * 1024);
    } finally {
      ended();
    }
  }
  const { body } = streamReply(endless(), {}, coding);
  for await (const piece of body as AsyncIterable<Buffer>) if (piece.length > 0) break;
  await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
  async function* failing() {
    yield Buffer.from('[1,');
    throw new Error('lost');
  }
  const read = buffer(streamReply(failing(), {}, coding).body as AsyncIterable<Buffer>);
  await expect(read).rejects.toThrow('lost');
});

it.each(['br', 'gzip'] as const)(
  'what is compressed once is shorter in %s than what is compressed often',
  async coding => {
    const text = readFileSync('openapi.yaml', 'utf8').slice(0, 100_000);
    const [often, once] = [await compress(text, coding), await compress(text, coding, WELL)];
    expect(once.length).toBeLessThan(0.9 * often.length);
    expect(often.length).toBeLessThan(text.length / 4);
  },
);

it('an answer is compressed once for each coding', async () => {
  const answer = new CachedAnswer('a'.repeat(2000));
  const ask = async (coding: string) => (await answer.reply({}, coding)).body;
  expect(await ask('gzip')).toBe(await ask('gzip'));
  expect(await ask('br')).not.toBe(await ask('gzip'));
  expect(await ask('identity')).toBe('a'.repeat(2000));
});

it('an answer that is not cached keeps its status and headers, and releases its buffer once it is sent', async () => {
  const release = vi.fn();
  const headers = { 'Content-Type': 'text/csv', Vary: 'Accept' };
  const reply = await onlyReply({ status: 400, headers, body: bytes(10, release) }, undefined);
  expect(reply).toMatchObject({ status: 400, headers });
  expect(release).not.toHaveBeenCalled();
  reply.onSent!();
  expect(release).toHaveBeenCalledTimes(1);
  const stream = await onlyReply({ status: 400, headers, body: (async function* () {})() }, 'br');
  expect([stream.status, stream.headers]).toEqual([400, { ...headers, 'Content-Encoding': 'br' }]);
});

it('a cache keeps answers of up to an eighth of its size, and evicts those that were used longest ago', async () => {
  const cache = new BodyCache(8000);
  const release = vi.fn();
  const first = async (tag: string, length: number) =>
    (await cache.first(tag, bytes(length, release), {}, '')).onSent!();
  await first('too long', 245);
  expect(release).toHaveBeenCalledTimes(1);
  expect(cache.get('too long')).toBeUndefined();
  for (let tag = 0; tag < 8; tag++) await first(`${tag}`, 244);
  expect(cache.get('0')?.length).toBe(244);
  expect(cache.counters).toEqual({ hits: 1, misses: 1, answers: 8, bytes: 8000 });
  await first('8', 1);
  expect(release).toHaveBeenCalledTimes(2);
  expect([cache.get('1'), cache.get('0')?.length, cache.get('8')?.length]).toEqual([undefined, 244, 1]);
  expect(cache.counters).toEqual({ hits: 3, misses: 2, answers: 8, bytes: 7514 });
});

it('a cache of no size keeps nothing', async () => {
  const cache = new BodyCache(0);
  const release = vi.fn();
  (await cache.first('a', bytes(10, release), {}, undefined)).onSent!();
  expect(release).toHaveBeenCalledTimes(1);
  expect(cache.get('a')).toBeUndefined();
  expect(cache.counters).toEqual({ hits: 0, misses: 1, answers: 0, bytes: 0 });
});

it('the replies of an account can wait for their readers up to 128 MiB', () => {
  const PIECE = 64 * 1024;
  const MOST = 128 * 1024 * 1024;
  const wait = (body: never, account: string | undefined, others: Partial<HttpConnection>[]) => {
    const connection: { account?: string } = {};
    const connections = Object.assign([...others], { onWaiting: vi.fn() });
    const onSent = vi.fn();
    const reply = { status: 200, headers: {}, body, onSent };
    try {
      expect(letWait(reply, connection as never, account, connections as never)).toBe(reply);
      return [connection.account, connections.onWaiting.mock.calls.length, onSent.mock.calls.length];
    } catch (error) {
      expect(error).toBeInstanceOf(NoRoom);
      return [String(error), connection.account, onSent.mock.calls.length];
    }
  };
  const long = Buffer.alloc(PIECE + 1) as never;
  const rest = MOST - PIECE - 1;
  const waiting = (one: number, account = 'ada') => [
    { account, waiting: one - 10 },
    { account, waiting: 10 },
  ];
  const refused = "NoRoom: the account's clients have not read 128 MiB of earlier responses yet";
  expect(wait(long, 'ada', waiting(rest))).toEqual(['ada', 1, 0]);
  expect(wait(long, 'ada', waiting(rest + 1))).toEqual([refused, undefined, 1]);
  expect(wait([long] as never, 'ada', waiting(rest + 1))).toEqual([refused, undefined, 1]);
  expect(wait(long, 'ada', waiting(rest + 1, 'bob'))).toEqual(['ada', 1, 0]);
  expect(wait(long, undefined, waiting(rest + 1))).toEqual([undefined, 0, 0]);
  expect(wait(Buffer.alloc(PIECE) as never, 'ada', waiting(MOST))).toEqual([undefined, 0, 0]);
  expect(wait('a'.repeat(PIECE + 1) as never, 'ada', waiting(MOST))).toEqual([undefined, 0, 0]);
});
