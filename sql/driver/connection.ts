import { Socket } from 'node:net';
import postgres from 'postgres';
import type { Parameter, ReadSettings } from '../client.ts';
import type { Attempts } from './attempts.ts';
import type { JsonRows, Writing } from './json-rows.ts';
import { arrayText, parseArray } from './parameters.ts';
import { ServerMessages } from './server-messages.ts';
import { verification } from './tls.ts';
import { Wire } from './wire.ts';

/** Of the values that the driver reads. Timestamps and dates stay PostgreSQL's own text: the schema's scalars format it. */
const types = {
  bigint: { to: 20, from: [20], parse: Number, serialize: String },
  texts: { to: 1009, from: [1009], parse: parseArray, serialize: arrayText },
  temporal: {
    to: 1184,
    from: [1082, 1114, 1184],
    parse: (text: string) => text,
    serialize: (text: string) => text,
  },
};

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

/** As complete as the driver would make them: what it adds gives each object a shape of its own. */
const PREPARED = { prepare: true, simple: false };
const UNPREPARED = { prepare: false, simple: false };

/**
 * One connection, and the one place that knows postgres.js. That driver can leave a statement pending when its
 * connection is lost, connects again without end, and can stay broken for ever after a bad start. So it gets a
 * single connection, whose socket is made here: the statement fails with the socket, and the driver is not used again.
 * It is left to the driver to go on to the next host, where the address names several, and to authenticate. What comes
 * then is between the socket and its `Wire`, except with TLS, where the driver goes on.
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
  #isOpen = false;
  #isLost = false;
  #opening: Promise<void> | undefined;
  /** Undefined until it is open, and with TLS. */
  #wire: Wire | undefined;
  /** What fails those who wait for the driver. */
  #waiting: ((error: Error) => void)[] = [];

  /** Connects with its first statement. */
  constructor(settings: ReadSettings, attempts: Attempts) {
    this.#attempts = attempts;
    const { url, prepare, role, statementTimeout } = settings;
    this.#sql = postgres(url, {
      ...verification(url),
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
   * A single statement. Several are answered one after the other.
   * @param writing how to write the rows as JSON; they are objects all the same where the driver reads them, with TLS
   * @throws {ConnectionLost} or what the driver or the server says
   */
  run(
    text: string,
    parameters: readonly Parameter[],
    prepare: boolean,
    writing?: Writing,
  ): Promise<object[] | JsonRows> {
    if (this.#isLost) return Promise.reject(new ConnectionLost('the connection was lost'));
    if (this.#wire) return this.#wire.run(text, parameters, prepare, writing);
    if (this.#isOpen) return this.#drive(text, parameters, prepare);
    this.#opening ??= this.#begin();
    return this.#opening.then(() => this.run(text, parameters, prepare, writing));
  }

  /** Ends it at once, whatever is under way on it. */
  discard(): void {
    this.#lose(new ConnectionLost('the connection was given up'));
    this.#socket?.destroy();
  }

  /** The driver connects and authenticates itself; then the socket is ours. */
  async #begin(): Promise<void> {
    await this.#drive('select', [], false);
    this.#isOpen = true;
    const socket = this.#socket;
    if (!socket?.messages) return;
    this.#wire = new Wire(bytes => socket.write(bytes));
    socket.messages.reader = this.#wire;
  }

  /** Through the driver, which may never answer when the connection is lost. */
  #drive(text: string, parameters: readonly Parameter[], prepare: boolean): Promise<object[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(reject);
      this.#sql
        .unsafe(text, [...parameters] as never[], prepare ? PREPARED : UNPREPARED)
        .then(resolve, reject)
        .finally(() => {
          this.#waiting = this.#waiting.filter(fail => fail !== reject);
        });
    });
  }

  #lose(error: Error): void {
    this.#isLost = true;
    for (const fail of this.#waiting.splice(0)) fail(error);
    this.#wire?.fail(error);
  }

  async #open({ path, host, port, ssl }: Target): Promise<Socket> {
    const hosts = path ? 1 : host.length;
    if (!this.#isLost) await this.#attempts.permit();
    if (this.#isLost || this.#tried >= hosts) throw new ConnectionLost('the connection was lost');
    const next = this.#tried++;
    const messages = ssl ? undefined : new ServerMessages();
    const socket = new ServerSocket(messages, error => {
      const hasNextHost = !this.#isOpen && this.#tried < hosts;
      if (this.#socket === socket && !hasNextHost) this.#lose(error);
    });
    this.#socket = socket;
    if (path) socket.connect(path);
    else socket.connect(port[next]!, host[next]!);
    // With TLS the driver asks for this one, and compares it with the names in the certificate.
    return Object.assign(socket, { host: host[next], port: port[next] });
  }
}

/** Bytes that are read from a server at once: as JSON they are 64 KiB at most, as a rule. */
const READ = 48 * 1024;

/** A socket that fails, rather than ends or says what PostgreSQL does not say. */
class ServerSocket extends Socket {
  readonly messages: ServerMessages | undefined;
  #onLost: (error: Error) => void;

  /** @param messages undefined with TLS, which vouches for what comes, and reads for itself */
  constructor(messages: ServerMessages | undefined, onLost: (error: Error) => void) {
    // Into one and the same memory each time: what Node makes for each read is more than an answer leaves otherwise.
    const callback = (size: number, bytes: Uint8Array) => this.push(bytes.subarray(0, size) as Buffer);
    const onread = { buffer: Buffer.allocUnsafeSlow(READ), callback };
    super((messages && { onread }) as object);
    this.messages = messages;
    this.#onLost = onLost;
  }

  override push(chunk: Buffer | null): boolean {
    const passed = chunk && this.#passed(chunk);
    if (passed) return passed.length === 0 || super.push(passed);
    const reason = chunk
      ? 'the server says what PostgreSQL does not say'
      : 'the server closed the connection';
    this.destroy(new ConnectionLost(reason));
    return false;
  }

  #passed(chunk: Buffer): Buffer | undefined {
    if (!this.messages) return chunk;
    try {
      return this.messages.take(chunk);
    } catch {
      return undefined;
    }
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    super._destroy(error, callback);
    // After the driver has had its say, which is more exact.
    setImmediate(this.#onLost, error ?? new ConnectionLost('the connection was lost'));
  }
}
