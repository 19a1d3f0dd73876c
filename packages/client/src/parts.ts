import { SightlineError } from './error.ts';

/** A part of a multipart response (RFC 2046, section 5.1), or a whole response. */
export interface ResponsePart {
  headers: Headers;
  /** The body as it arrived, without copies. */
  chunks: readonly Uint8Array[];
}

/** Maximum time between two chunks in milliseconds. The service sends a part every second while it finds records. */
const LONGEST_SILENCE = 60_000;

/** Maximum length of the headers of a part, and of its body, in bytes. */
const LONGEST_HEAD = 16 * 1024;
const LONGEST_BODY = 512 * 1024 * 1024;

/**
 * Reads the parts of a response. Each states its length. A response of another type is a single part.
 * @throws {SightlineError} for a malformed part, no part, or an end before the closing delimiter
 */
export async function* readParts(answer: Response): AsyncGenerator<ResponsePart, void> {
  const [, boundary] = BOUNDARY.exec(answer.headers.get('content-type') ?? '') ?? [];
  if (boundary === undefined)
    return yield { headers: answer.headers, chunks: [new Uint8Array(await answer.arrayBuffer())] };
  const bytes = new ByteReader(answer.body!);
  try {
    for (let count = 0; ; count++) {
      if ((await bytes.readLine()) !== '') throw malformed();
      const delimiter = await bytes.readLine();
      if (delimiter === `--${boundary}--` && count > 0) return;
      if (delimiter !== `--${boundary}`) throw malformed();
      const headers = await readHead(bytes);
      yield { headers, chunks: await bytes.read(toLength(headers)) };
    }
  } finally {
    bytes.cancel();
  }
}

const BOUNDARY = /^multipart\/mixed\s*;\s*boundary="?([^";]+)/i;

const malformed = () => new SightlineError('The response ended within a part, or is malformed', 0);

async function readHead(bytes: ByteReader): Promise<Headers> {
  const headers = new Headers();
  for (let length = 0; length < LONGEST_HEAD; ) {
    const line = await bytes.readLine();
    if (line === '') return headers;
    const [, name, value] = /^([\w-]+):(.*)$/.exec(line) ?? [];
    if (name === undefined) break;
    headers.append(name, value!.trim());
    length += line.length;
  }
  throw malformed();
}

function toLength(headers: Headers): number {
  const length = Number(headers.get('content-length') ?? Number.NaN);
  if (!Number.isSafeInteger(length) || length < 0 || length > LONGEST_BODY) throw malformed();
  return length;
}

const LINE_FEED = 10;

/** Reads lines and blocks from a stream. */
class ByteReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  /** The bytes that were received, but not read yet. */
  #rest: Uint8Array = new Uint8Array();

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader();
  }

  /** Reads a line without its end, of at most `LONGEST_HEAD` bytes. */
  async readLine(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(LINE_FEED);
      if (end >= 0) return new TextDecoder().decode(this.#take(end + 1)).trimEnd();
      if (this.#rest.length > LONGEST_HEAD) throw malformed();
      const more = await this.#receive();
      const rest = new Uint8Array(this.#rest.length + more.length);
      rest.set(this.#rest);
      rest.set(more, this.#rest.length);
      this.#rest = rest;
    }
  }

  async read(length: number): Promise<Uint8Array[]> {
    const chunks: Uint8Array[] = [];
    for (let left = length; left > 0; ) {
      if (this.#rest.length === 0) this.#rest = await this.#receive();
      const chunk = this.#take(left);
      left -= chunk.length;
      chunks.push(chunk);
    }
    return chunks;
  }

  /** Removes at most this many bytes of those that were received. */
  #take(length: number): Uint8Array {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }

  /** @throws {SightlineError} at the end, or after a long silence */
  async #receive(): Promise<Uint8Array> {
    const timer = setTimeout(() => this.#reader.cancel().catch(() => {}), LONGEST_SILENCE);
    const { done, value } = await this.#reader.read().finally(() => clearTimeout(timer));
    if (done) throw malformed();
    return value;
  }

  /** Ends the stream. Not awaited, because the cancellation of a teed stream never settles. */
  cancel(): void {
    this.#reader.cancel().catch(() => {});
  }
}
