import { Socket } from 'node:net';
import postgres from 'postgres';
import type { Attempts } from './attempts.ts';
import type { Parameter, ReadSettings } from './client.ts';
import { JsonRows, type Writing } from './json-rows.ts';
import { parseArray, type RowDecoder } from './row-decoder.ts';
import type { RowFormat } from './row-format.ts';
import { type RowSink, type RowTaker, ServerMessages } from './server-messages.ts';

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

/** A statement on its way. */
interface Run {
  text: string;
  prepare: boolean;
  writing: Writing | undefined;
  /** Undefined until its rows are described. */
  sink: ObjectRows | JsonRows | undefined;
  fail(error: Error): void;
}

/** Rows as objects. */
class ObjectRows implements RowSink {
  readonly rows: object[] = [];
  #decode: RowDecoder | undefined;

  describe({ decode }: RowFormat): void {
    this.#decode = decode;
  }

  add(bytes: Buffer, at: number, end: number, text: () => string): void {
    this.rows.push(this.#decode!(bytes, text(), at, end));
  }

  flush(): void {}
}

/**
 * One connection, and the one place that knows postgres.js. That driver can leave a statement pending when its
 * connection is lost, connects again without end, and can stay broken for ever after a bad start. So it gets a
 * single connection, whose socket is made here: the statement fails with the socket, and the driver is not used again.
 * It is left to the driver to go on to the next host, where the address names several. Rows are taken from the socket
 * before the driver sees them, except through TLS.
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
  /** Statements that wait for their answers. */
  #runs: Run[] = [];
  #answers = new Answers();

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
   * A single statement. Several are answered one after the other.
   * @param writing how to write the rows as JSON; they are objects all the same where the driver takes them, with TLS
   * @throws {ConnectionLost} or what the driver or the server says
   */
  run(
    text: string,
    parameters: readonly Parameter[],
    prepare: boolean,
    writing?: Writing,
  ): Promise<object[] | JsonRows> {
    return new Promise((resolve, reject) => {
      const run: Run = { text, prepare, writing, sink: undefined, fail: reject };
      let isSent = false;
      const sent = () => {
        isSent = true;
        this.#answers.expect(run);
      };
      this.#runs.push(run);
      this.#sql.unsafe(text, noticing(parameters, sent) as never[], prepare ? PREPARED : UNPREPARED).then(
        rows => {
          this.#hasAnswered = true;
          this.#forget(run);
          const { sink } = run;
          if (isSent) resolve(sink instanceof ObjectRows ? sink.rows : (sink ?? rows));
          else reject(new Error('the driver sends statements otherwise than it did'));
        },
        error => {
          this.#forget(run);
          reject(error);
        },
      );
    });
  }

  /** Ends it at once, whatever is under way on it. */
  discard(): void {
    this.#lose(new ConnectionLost('the connection was given up'));
    this.#socket?.destroy();
  }

  #lose(error: Error): void {
    this.#isLost = true;
    for (const run of this.#runs.splice(0)) run.fail(error);
  }

  /** The first one, as a rule. */
  #forget(run: Run): void {
    const place = this.#runs.indexOf(run);
    if (place >= 0) this.#runs.splice(place, 1);
  }

  async #open({ path, host, port, ssl }: Target): Promise<Socket> {
    const hosts = path ? 1 : host.length;
    if (!this.#isLost) await this.#attempts.permit();
    if (this.#isLost || this.#tried >= hosts) throw new ConnectionLost('the connection was lost');
    const next = this.#tried++;
    const messages = ssl ? undefined : new ServerMessages(this.#answers);
    const socket = new ServerSocket(messages, error => {
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

/**
 * The same parameters; `sent` is called whenever the driver walks over them, which it does each time that it sends
 * their statement, and at no other time. It gives no other sign of that.
 */
function noticing(parameters: readonly Parameter[], sent: () => void): readonly Parameter[] {
  const forEach: Parameter[]['forEach'] = visit => {
    parameters.forEach(visit as never);
    sent();
  };
  return Object.assign([...parameters], { forEach });
}

/** Knows which statement is being answered: the server answers them in the order in which they were sent. */
class Answers implements RowTaker {
  #sent: Run[] = [];
  /** Of prepared statements, which are described once. */
  #formats = new Map<string, RowFormat>();

  get sink(): RowSink | undefined {
    return this.#sent[0]?.sink;
  }

  expect(run: Run): void {
    this.#sent.push(run);
    run.sink = undefined;
    const format = this.#formats.get(run.text);
    if (format) describe(run, format);
  }

  described(format: RowFormat): void {
    const [run] = this.#sent;
    if (!run) return;
    describe(run, format);
    if (run.prepare) this.#formats.set(run.text, format);
  }

  ready(): void {
    this.#sent.shift();
  }
}

function describe(run: Run, format: RowFormat): void {
  run.sink = run.writing ? new JsonRows(run.writing) : new ObjectRows();
  run.sink.describe(format);
}

/** Bytes that are read from a server at once. */
const READ = 64 * 1024;

/** A socket that fails, rather than ends or says what PostgreSQL does not say. */
class ServerSocket extends Socket {
  #messages: ServerMessages | undefined;
  #onLost: (error: Error) => void;

  /** @param messages undefined with TLS, which vouches for what comes, and reads for itself */
  constructor(messages: ServerMessages | undefined, onLost: (error: Error) => void) {
    // Into one and the same memory each time: what Node makes for each read is more than an answer leaves otherwise.
    const callback = (size: number, bytes: Uint8Array) => this.push(bytes.subarray(0, size) as Buffer);
    const onread = { buffer: Buffer.allocUnsafeSlow(READ), callback };
    super((messages && { onread }) as object);
    this.#messages = messages;
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
    if (!this.#messages) return chunk;
    try {
      return this.#messages.take(chunk);
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
