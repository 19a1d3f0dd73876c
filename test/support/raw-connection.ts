import { connect, type Socket } from 'node:net';

/** A raw response. */
export interface RawAnswer {
  status: number;
  /** Headers by their names in lower case. */
  headers: ReadonlyMap<string, string>;
  body: string;
}

/** A response whose chunked body is incomplete. */
interface IncompleteResponse {
  answer: Omit<RawAnswer, 'body'>;
  chunks: Buffer[];
}

/** A connection that sends any bytes and reads responses one by one. */
export class RawConnection {
  readonly socket: Socket;
  /** Bytes that were received but not read yet. */
  #buffer = Buffer.alloc(0);
  #unfinished: IncompleteResponse | undefined;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.on('data', chunk => {
      this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
      this.#wake?.();
    });
    const end = () => {
      this.#ended = true;
      this.#wake?.();
    };
    // A connection reset is normal here; only the data before it matters.
    this.socket.on('end', end).on('close', end).on('error', end);
  }

  write(text: string | Uint8Array): void {
    this.socket.write(text);
  }

  /**
   * Reads the next response; undefined if the connection was closed.
   * @throws {Error} for an incomplete response
   */
  async read(): Promise<RawAnswer | undefined> {
    for (;;) {
      const answer = this.#take();
      if (answer) return answer;
      if (this.#ended) {
        if (this.#unfinished || this.#buffer.length > 0)
          throw new Error(`half an answer: ${this.#buffer.subarray(0, 200)}`);
        return undefined;
      }
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
    }
  }

  /** Reads all responses until the connection is closed. */
  async readAll(): Promise<RawAnswer[]> {
    const answers: RawAnswer[] = [];
    for (let next = await this.read(); next; next = await this.read()) answers.push(next);
    return answers;
  }

  close(): void {
    this.socket.destroy();
  }

  #take(): RawAnswer | undefined {
    this.#unfinished ??= this.#takeHead();
    if (!this.#unfinished) return undefined;
    const { answer, chunks } = this.#unfinished;
    const { status, headers } = answer;
    if (headers.get('transfer-encoding') === 'chunked') {
      if (!this.#takeChunks(chunks)) return undefined;
    } else if (status !== 304 && status >= 200) {
      const length = Number(headers.get('content-length'));
      if (!Number.isInteger(length)) throw new Error('an answer without a length');
      if (this.#buffer.length < length) return undefined;
      chunks.push(this.#skip(length));
    }
    this.#unfinished = undefined;
    return { ...answer, body: Buffer.concat(chunks).toString() };
  }

  #takeHead(): IncompleteResponse | undefined {
    const end = this.#buffer.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const [statusLine = '', ...lines] = this.#skip(end + 4)
      .toString('latin1', 0, end)
      .split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (!status) throw new Error(`no status line: ${statusLine.slice(0, 200)}`);
    const headers = lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    });
    return { answer: { status, headers: new Map(headers) }, chunks: [] };
  }

  /** Returns true after the last chunk. */
  #takeChunks(chunks: Buffer[]): boolean {
    for (;;) {
      const line = this.#buffer.indexOf('\r\n');
      if (line < 0) return false;
      const size = Number.parseInt(this.#buffer.toString('latin1', 0, line), 16);
      if (this.#buffer.length < line + 2 + size + 2) return false;
      this.#skip(line + 2);
      chunks.push(this.#skip(size));
      this.#skip(2);
      if (size === 0) return true;
    }
  }

  #skip(length: number): Buffer {
    const skipped = this.#buffer.subarray(0, length);
    this.#buffer = this.#buffer.subarray(length);
    return skipped;
  }
}

/** Sends one request on a separate connection, and returns all responses. */
export async function exchangeRaw(url: string, request: string | Uint8Array): Promise<RawAnswer[]> {
  const connection = new RawConnection(url);
  connection.write(request);
  try {
    return await connection.readAll();
  } finally {
    connection.close();
  }
}
