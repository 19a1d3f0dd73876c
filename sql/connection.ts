import { Socket } from 'node:net';
import postgres from 'postgres';
import type { Attempts } from './attempts.ts';
import type { Parameter, ReadSettings } from './client.ts';
import { ServerMessages } from './server-messages.ts';

/** PostgreSQL's own text for timestamps and dates is passed on: the schema's scalars format it. */
const types = {
  bigint: { to: 20, from: [20], parse: Number, serialize: String },
  texts: { to: 1009, from: [1009], parse: parseArray, serialize: toArray },
  byteas: { to: 1001, from: [1001], parse: parseArray, serialize: toArray },
  temporal: {
    to: 1184,
    from: [1082, 1114, 1184],
    parse: (text: string) => text,
    serialize: (text: string) => text,
  },
};

/** An array literal; the driver would ask the catalogue for each array type at every connection instead. */
function toArray(items: readonly (string | Uint8Array)[]): string {
  return `{${items.map(item => `"${toElement(item).replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

function toElement(item: string | Uint8Array): string {
  return typeof item === 'string' ? item : `\\x${Buffer.from(item).toString('hex')}`;
}

/** Arrays of one dimension, and without nulls: others are not stored. */
function parseArray(text: string): string[] {
  if (text === '{}') return [];
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|[^{},]+/gs)].map(([item, quoted]) =>
    quoted === undefined ? item : quoted.replace(/\\(.)/gs, '$1'),
  );
}

/** What the driver asks of whoever makes its sockets. */
interface Target {
  host: string[];
  port: number[];
  /** Of a Unix socket. */
  path: string | false;
  ssl: unknown;
}

/** A connection ended, or never came about. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
}

/**
 * One connection, and the one place that knows postgres.js. That driver can leave a statement pending when its
 * connection is lost, connects again without end, and can stay broken for ever after a bad start. So it gets a
 * single connection, whose socket is made here: the statement fails with the socket, and the driver is not used again.
 * It is left to the driver to go on to the next host, where the address names several.
 */
export class Connection {
  /** When it was made and last used, in milliseconds of the monotonic clock. */
  readonly madeAt = performance.now();
  usedAt = this.madeAt;
  #sql: ReturnType<typeof postgres>;
  #attempts: Attempts;
  #socket: ServerSocket | undefined;
  /** Hosts, of those that the address names. */
  #tried = 0;
  #hasAnswered = false;
  #isLost = false;
  #fail: (error: Error) => void = () => {};

  /** Connects with its first statement. */
  constructor(settings: ReadSettings, attempts: Attempts) {
    this.#attempts = attempts;
    const { url, prepare, role, statementTimeout } = settings;
    this.#sql = postgres(url, {
      max: 1,
      prepare,
      types: types as never,
      fetch_types: false,
      onnotice: () => {},
      // How long a connection may take, and how long it lives, is for whoever holds it.
      connect_timeout: 0,
      idle_timeout: 0,
      max_lifetime: 0,
      backoff: () => 0,
      // A pooler refuses start-up parameters; there the login's own settings hold (docs/operations.md).
      connection: prepare
        ? {
            application_name: 'sightline',
            TimeZone: 'UTC',
            statement_timeout: statementTimeout,
            // A generic plan does not see which filters are absent, and reads the whole month.
            plan_cache_mode: 'force_custom_plan',
            // Compiling a statement takes longer than any of ours runs.
            jit: 'off',
            ...(role && { role }),
          }
        : { application_name: 'sightline' },
      ...{ socket: (target: Target) => this.#open(target) },
    });
  }

  /** Whether it is of no use any more. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /**
   * A single statement; one at a time.
   * @throws {ConnectionLost} or what the driver or the server says
   */
  run(text: string, parameters: readonly Parameter[], prepare: boolean): Promise<object[]> {
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      this.#sql.unsafe(text, parameters as never[], { prepare }).then(rows => {
        this.#hasAnswered = true;
        resolve(rows);
      }, reject);
    });
  }

  /** Ends it at once, whatever is under way on it. */
  discard(): void {
    this.#lose(new ConnectionLost('the connection was given up'));
    this.#socket?.destroy();
  }

  #lose(error: Error): void {
    this.#isLost = true;
    this.#fail(error);
  }

  async #open({ path, host, port, ssl }: Target): Promise<Socket> {
    const hosts = path ? 1 : host.length;
    if (!this.#isLost) await this.#attempts.permit();
    if (this.#isLost || this.#tried >= hosts) throw new ConnectionLost('the connection was lost');
    const next = this.#tried++;
    const socket = new ServerSocket(!ssl, error => {
      const hasNextHost = !this.#hasAnswered && this.#tried < hosts;
      if (this.#socket === socket && !hasNextHost) this.#lose(error);
    });
    this.#socket = socket;
    if (path) socket.connect(path);
    else socket.connect(port[next]!, host[next]!);
    // The driver checks the certificate's name against this one.
    return Object.assign(socket, { host: host[next], port: port[next] });
  }
}

/** A socket that fails, rather than ends or says what PostgreSQL does not say. */
class ServerSocket extends Socket {
  #messages: ServerMessages | undefined;
  #onLost: (error: Error) => void;

  /** @param isPlain without TLS, which would vouch for what comes */
  constructor(isPlain: boolean, onLost: (error: Error) => void) {
    super();
    this.#messages = isPlain ? new ServerMessages() : undefined;
    this.#onLost = onLost;
  }

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (chunk && this.#messages?.accept(chunk) !== false) return super.push(chunk, encoding);
    const reason = chunk
      ? 'the server says what PostgreSQL does not say'
      : 'the server closed the connection';
    this.destroy(new ConnectionLost(reason));
    return false;
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    super._destroy(error, callback);
    // After the driver has had its say, which is more exact.
    setImmediate(this.#onLost, error ?? new ConnectionLost('the connection was lost'));
  }
}
