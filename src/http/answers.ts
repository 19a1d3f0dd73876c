import { LRUCache } from 'lru-cache';
import type { Json, JsonBody } from '../executor/json.ts';
import { type MaybePromise, mapMaybePromise } from '../executor/maybe-promise.ts';
import type { AnswerCounters } from '../observability/readings.ts';
import { type Coding, codingFor, compress, compressStream, SMALLEST } from './compress.ts';
import { type HeaderValue, JSON_TYPE, type Reply } from './reply.ts';

/** Maximum length in characters of a text that Node writes together with its headers. */
const SHORT = 16 * 1024;

/** The body of a 200: a text, and its compressed forms once they were requested. */
export class CachedAnswer {
  /** The length before compression: in characters for strings, in bytes for buffers. */
  readonly length: number;
  readonly #text: Json;
  readonly #plain: string | readonly Buffer[];
  #compressed = new Map<Coding, Promise<Buffer>>();
  /** Number of users of the buffer: replies that are not sent yet, and the cache. */
  #users = 1;

  constructor(text: Json) {
    this.#text = text;
    this.#plain = toPlain(text);
    this.length = measureLength(this.#plain);
  }

  /** Replies in the coding that the client prefers, if compression pays. */
  reply(headers: Record<string, string>, acceptEncoding: HeaderValue): MaybePromise<Reply> {
    const coding = this.length > SMALLEST ? codingFor(acceptEncoding) : undefined;
    if (coding) return this.#in(coding).then(body => ok(body, headers, coding));
    const reply = ok(this.#plain, headers, coding);
    if (typeof this.#plain === 'string') return reply;
    this.#users++;
    // If a reply is never sent, the garbage collector frees the buffer with it.
    reply.onSent = () => this.drop();
    return reply;
  }

  /** Releases one use of the buffer: called once per reply, and once by the cache. */
  drop(): void {
    this.#users--;
    if (this.#users === 0 && typeof this.#text !== 'string') this.#text.release();
  }

  #in(coding: Coding): Promise<Buffer> {
    const plain = this.#plain;
    const existing =
      this.#compressed.get(coding) ??
      compress(typeof plain === 'string' ? Buffer.from(plain) : Buffer.concat(plain), coding);
    this.#compressed.set(coding, existing);
    return existing;
  }
}

function toPlain(text: Json): string | readonly Buffer[] {
  if (typeof text !== 'string') return text.pieces;
  return text.length <= SHORT ? text : [Buffer.from(text)];
}

function measureLength(text: string | readonly Buffer[]): number {
  return typeof text === 'string' ? text.length : text.reduce((sum, { length }) => sum + length, 0);
}

/** A 200 whose body is streamed and not cached. */
export function streamReply(
  body: AsyncIterable<Buffer>,
  headers: Record<string, string>,
  acceptEncoding: HeaderValue,
): Reply {
  const coding = codingFor(acceptEncoding);
  return ok(coding ? compressStream(body, coding) : body, headers, coding);
}

function isWhole(body: JsonBody): body is Json {
  return typeof body === 'string' || 'pieces' in body;
}

/** A reply of any status whose text is not cached, in the coding that the client prefers. */
export function onlyReply(
  { status, headers, body }: Omit<Reply, 'body'> & { body: JsonBody },
  acceptEncoding: HeaderValue,
): MaybePromise<Reply> {
  if (!isWhole(body)) return Object.assign(streamReply(body, headers, acceptEncoding), { status });
  const answer = new CachedAnswer(body);
  return mapMaybePromise(answer.reply(headers, acceptEncoding), reply => {
    answer.drop();
    return Object.assign(reply, { status });
  });
}

function ok(body: Reply['body'], headers: Record<string, string>, coding: Coding | undefined): Reply {
  const encoding = coding ? { 'Content-Encoding': coding } : {};
  return { status: 200, headers: { 'Content-Type': JSON_TYPE, ...headers, ...encoding }, body };
}

/**
 * Cached answers by entity tag. A tag identifies everything that an answer depends on, so a cached answer is never
 * outdated. Answers of older versions are no longer requested, and are evicted in time.
 */
export class BodyCache {
  #answers: LRUCache<string, CachedAnswer> | undefined;
  #hits = 0;
  #misses = 0;

  /** @param size maximum size in bytes; 0 disables the cache */
  constructor(size: number) {
    if (size === 0) return;
    this.#answers = new LRUCache({
      maxSize: size,
      // Keeps a single response from evicting most of the others.
      maxEntrySize: Math.ceil(size / 8),
      // The compressed forms together are smaller than the text.
      sizeCalculation: ({ length }) => 2 * length + 512,
      dispose: answer => answer.drop(),
    });
  }

  get counters(): AnswerCounters {
    const { size = 0, calculatedSize = 0 } = this.#answers ?? {};
    return { hits: this.#hits, misses: this.#misses, answers: size, bytes: calculatedSize };
  }

  get(tag: string): CachedAnswer | undefined {
    const answer = this.#answers?.get(tag);
    if (answer) this.#hits++;
    else this.#misses++;
    return answer;
  }

  /**
   * The first reply with a body. Unless it is a stream, the body is cached only after it has been written, because it
   * can be too large for the cache.
   */
  first(
    tag: string,
    body: JsonBody,
    headers: Record<string, string>,
    acceptEncoding: HeaderValue,
  ): MaybePromise<Reply> {
    if (!isWhole(body)) return streamReply(body, headers, acceptEncoding);
    const answer = new CachedAnswer(body);
    const reply = answer.reply(headers, acceptEncoding);
    this.#answers?.set(tag, answer);
    if (!this.#answers?.has(tag)) answer.drop();
    return reply;
  }
}
