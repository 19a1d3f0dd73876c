import type { Body, Json } from '@sightline/json';
import { type Soon, thenIfPromise } from '@sightline/json/then-if-promise';
import { LRUCache } from 'lru-cache';
import type { AnswerCounters } from '../observability/readings.ts';
import { type Coding, codingFor, compress, compressStream, SMALLEST } from './compress.ts';
import { type Header, JSON_TYPE, type Reply } from './reply.ts';

/** Characters up to which Node writes a text in one piece with its headers. */
const SHORT = 16 * 1024;

/** The body of a 200: a text, with each compressed form of it once somebody asked for that. */
export class Answer {
  /** The size of the plain text, in characters or bytes. */
  readonly length: number;
  readonly #text: Json;
  readonly #plain: string | readonly Buffer[];
  #compressed = new Map<Coding, Promise<Buffer>>();
  /** The number of those who may look at its memory: replies that are not sent yet, and the one who keeps it. */
  #users = 1;

  constructor(text: Json) {
    this.#text = text;
    this.#plain = plainOf(text);
    this.length = lengthOf(this.#plain);
  }

  /** In the coding that the client prefers, where compressing pays. */
  reply(headers: Record<string, string>, acceptEncoding: Header): Soon<Reply> {
    const coding = this.length > SMALLEST ? codingFor(acceptEncoding) : undefined;
    if (coding) return this.#in(coding).then(body => ok(body, headers, coding));
    const reply = ok(this.#plain, headers, coding);
    if (typeof this.#plain === 'string') return reply;
    this.#users++;
    // One that is never sent keeps the memory, which is collected with it.
    reply.onSent = () => this.drop();
    return reply;
  }

  /** One of its users looks at it no more: to be called once for a reply, and once by the one who keeps it. */
  drop(): void {
    this.#users--;
    if (this.#users === 0 && typeof this.#text !== 'string') this.#text.release();
  }

  #in(coding: Coding): Promise<Buffer> {
    const plain = this.#plain;
    const known =
      this.#compressed.get(coding) ??
      compress(typeof plain === 'string' ? Buffer.from(plain) : Buffer.concat(plain), coding);
    this.#compressed.set(coding, known);
    return known;
  }
}

function plainOf(text: Json): string | readonly Buffer[] {
  if (typeof text !== 'string') return text.pieces;
  return text.length <= SHORT ? text : [Buffer.from(text)];
}

function lengthOf(text: string | readonly Buffer[]): number {
  return typeof text === 'string' ? text.length : text.reduce((sum, { length }) => sum + length, 0);
}

/** A 200 whose body is written as it is read, and kept nowhere. */
export function streamReply(
  body: AsyncIterable<Buffer>,
  headers: Record<string, string>,
  acceptEncoding: Header,
): Reply {
  const coding = codingFor(acceptEncoding);
  return ok(coding ? compressStream(body, coding) : body, headers, coding);
}

function isWhole(body: Body): body is Json {
  return typeof body === 'string' || 'pieces' in body;
}

/** A reply of any status with a text that is kept nowhere, in the coding that the client prefers. */
export function onlyReply(
  { status, headers, body }: Omit<Reply, 'body'> & { body: Body },
  acceptEncoding: Header,
): Soon<Reply> {
  if (!isWhole(body)) return Object.assign(streamReply(body, headers, acceptEncoding), { status });
  const answer = new Answer(body);
  return thenIfPromise(answer.reply(headers, acceptEncoding), reply => {
    answer.drop();
    return Object.assign(reply, { status });
  });
}

function ok(body: Reply['body'], headers: Record<string, string>, coding: Coding | undefined): Reply {
  const encoding = coding ? { 'Content-Encoding': coding } : {};
  return { status: 200, headers: { 'Content-Type': JSON_TYPE, ...headers, ...encoding }, body };
}

/**
 * Earlier answers, by their entity tags. A tag names all that an answer depends on, so an answer that is found is
 * right. No request asks for an outdated one again, and it makes room in time.
 */
export class AnswerCache {
  #answers: LRUCache<string, Answer> | undefined;
  #hits = 0;
  #misses = 0;

  /** @param size bytes held at most; 0 keeps nothing */
  constructor(size: number) {
    if (size === 0) return;
    this.#answers = new LRUCache({
      maxSize: size,
      // So that no single answer pushes out most of the others.
      maxEntrySize: Math.ceil(size / 8),
      // The compressed forms are smaller together than the plain one.
      sizeCalculation: ({ length }) => 2 * length + 512,
      dispose: answer => answer.drop(),
    });
  }

  get counters(): AnswerCounters {
    const { size = 0, calculatedSize = 0 } = this.#answers ?? {};
    return { hits: this.#hits, misses: this.#misses, answers: size, bytes: calculatedSize };
  }

  get(tag: string): Answer | undefined {
    const answer = this.#answers?.get(tag);
    if (answer) this.#hits++;
    else this.#misses++;
    return answer;
  }

  /**
   * The first reply with a body. Unless that is written as it is read, it is kept for further ones: after it was made,
   * as it may be too large.
   */
  first(tag: string, body: Body, headers: Record<string, string>, acceptEncoding: Header): Soon<Reply> {
    if (!isWhole(body)) return streamReply(body, headers, acceptEncoding);
    const answer = new Answer(body);
    const reply = answer.reply(headers, acceptEncoding);
    this.#answers?.set(tag, answer);
    if (!this.#answers?.has(tag)) answer.drop();
    return reply;
  }
}
