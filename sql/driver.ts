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

/**
 * The one place that knows postgres.js. It makes that driver's sockets itself, so that it can count them, space
 * them out, read what comes before the driver does, and close them all at once.
 */
export class Driver {
  #sql: ReturnType<typeof postgres>;
  #attempts: Attempts;
  #sockets = new Set<Socket>();
  #hosts = 0;
  #isDiscarded = false;

  /** Connects lazily. */
  constructor(settings: ReadSettings, attempts: Attempts) {
    this.#attempts = attempts;
    const { url, poolSize, prepare, role, statementTimeout } = settings;
    const options = {
      max: poolSize,
      prepare,
      types: types as never,
      fetch_types: false,
      idle_timeout: 300,
      onnotice: () => {},
      // When to connect, and how long to wait for it, is not left to the driver: a connection that it has given
      // up while connecting can stay broken for ever.
      connect_timeout: 0,
      backoff: () => 0,
      socket: (target: Target) => this.#open(target),
      // A pooler refuses start-up parameters; there the login's own settings hold (docs/operations.md).
      connection: prepare
        ? {
            application_name: 'sightline',
            TimeZone: 'UTC',
            statement_timeout: statementTimeout,
            // A generic plan does not see which filters are absent, and reads the whole month.
            plan_cache_mode: 'force_custom_plan' as const,
            ...(role && { role }),
          }
        : { application_name: 'sightline' },
    };
    this.#sql = postgres(url, options);
  }

  /** Connections that there are, or are being made. */
  get connections(): number {
    for (const socket of this.#sockets) if (socket.destroyed) this.#sockets.delete(socket);
    return this.#sockets.size;
  }

  /** A single statement. What becomes of it may never be known. */
  run(text: string, parameters: readonly Parameter[], prepare: boolean): Promise<object[]> {
    return this.#sql.unsafe(text, parameters as never[], { prepare });
  }

  /** Lets what is under way end, for a moment. */
  async end(): Promise<void> {
    await this.#sql.end({ timeout: 0.2 });
    this.discard();
  }

  /** Closes every connection at once, whatever is under way on it. */
  discard(): void {
    this.#isDiscarded = true;
    for (const socket of this.#sockets) socket.destroy();
    this.#sql.end({ timeout: 0 }).catch(() => {});
  }

  async #open({ path, host, port, ssl }: Target): Promise<Socket> {
    if (!this.#isDiscarded) await this.#attempts.permit();
    if (this.#isDiscarded) throw new Error('the connections were closed');
    const socket = new ServerSocket(!ssl);
    this.#sockets.add(socket);
    const next = this.#hosts++ % host.length;
    if (path) socket.connect(path);
    else socket.connect(port[next]!, host[next]!);
    // The driver checks the certificate's name against this one.
    return Object.assign(socket, { host: host[next], port: port[next] });
  }
}

/** A connection that fails, rather than ends or goes astray: the driver handles nothing else soundly. */
class ServerSocket extends Socket {
  #messages: ServerMessages | undefined;

  /** @param isPlain without TLS, which would vouch for what comes */
  constructor(isPlain: boolean) {
    super();
    this.#messages = isPlain ? new ServerMessages() : undefined;
  }

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (chunk === null) return this.#fail('ECONNRESET', 'the server closed the connection');
    if (this.#messages?.accept(chunk) === false) {
      return this.#fail('EPROTO', 'the server sent what PostgreSQL does not send');
    }
    return super.push(chunk, encoding);
  }

  #fail(code: string, message: string): false {
    this.destroy(Object.assign(new Error(message), { code }));
    return false;
  }
}
