import { LRUCache } from 'lru-cache';
import { type Coding, codingFor, compress, compressStream, SMALLEST } from './compress.ts';
import { JSON_TYPE, type Reply } from './reply.ts';

type Header = string | string[] | undefined;

/** Characters up to which Node writes a text in one piece with its headers. */
const SHORT = 16 * 1024;

/** The body of a 200: a text, with each compressed form of it once somebody asked for that. */
export class Answer {
  readonly plain: string | Buffer;
  #compressed = new Map<Coding, Promise<Buffer>>();

  constructor(text: string) {
    this.plain = text.length <= SHORT ? text : Buffer.from(text);
  }

  /** In the coding that the client prefers, where compressing pays. */
  async reply(headers: Record<string, string>, acceptEncoding: Header): Promise<Reply> {
    const coding = this.plain.length > SMALLEST ? codingFor(acceptEncoding) : undefined;
    return ok(coding ? await this.#in(coding) : this.plain, headers, coding);
  }

  #in(coding: Coding): Promise<Buffer> {
    const known = this.#compressed.get(coding) ?? compress(Buffer.from(this.plain as string), coding);
    this.#compressed.set(coding, known);
    return known;
  }
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

/** A reply of any status with a text, in the coding that the client prefers. */
export async function compressReply(reply: Reply & { body: string }, acceptEncoding: Header): Promise<Reply> {
  const body = Buffer.from(reply.body);
  const coding = body.length > SMALLEST ? codingFor(acceptEncoding) : undefined;
  if (!coding) return reply;
  return {
    ...reply,
    headers: { ...reply.headers, 'Content-Encoding': coding },
    body: await compress(body, coding),
  };
}

function ok(body: Reply['body'], headers: Record<string, string>, coding: Coding | undefined): Reply {
  const encoding = coding ? { 'Content-Encoding': coding } : {};
  return { status: 200, headers: { 'Content-Type': JSON_TYPE, ...headers, ...encoding }, body };
}

/** How the cache has done since the start, and what it holds. */
export interface AnswerCounters {
  hits: number;
  misses: number;
  answers: number;
  bytes: number;
}

/**
 * Answers that were given, by their entity tags. A tag names all that an answer depends on, so one that is found
 * is right; one that has passed is never asked for again, and makes room in time.
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
      sizeCalculation: ({ plain }) => 2 * plain.length + 512,
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

  keep(tag: string, answer: Answer): Answer {
    this.#answers?.set(tag, answer);
    return answer;
  }
}
