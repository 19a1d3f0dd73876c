import { Socket } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { ConnectionLost } from '../driver/errors.ts';
import { Outgoing } from '../driver/outgoing.ts';
import type { Host } from './address.ts';
import { Gathering } from './gathering.ts';
import { PROTOCOL_NAME, tls } from './tls.ts';

/** Bytes that are read from a server at once: as JSON they are 64 KiB at most, as a rule. */
const READ = 48 * 1024;

const YES = 'S'.charCodeAt(0);
const NO = 'N'.charCodeAt(0);

/**
 * A connection's bytes, over TCP or a Unix socket, encrypted or not. It is lost once, for one reason. All is read into
 * one buffer, which spares Node one for each read: the next read overwrites the bytes.
 */
export class Transport {
  /** The consumer of the bytes; an error of it ends the connection. */
  take: (bytes: Buffer) => void = refuse;
  /** Told when the connection is lost. */
  onLost: (error: Error) => void = () => {};
  #host: Host;
  #raw: Socket;
  /** Around the raw one. */
  #encrypted: TLSSocket | undefined;
  #memory = Buffer.allocUnsafeSlow(READ);
  #gathering: Gathering | undefined;
  #lost: Error | undefined;

  /** @param keepAlive milliseconds; undefined for none */
  constructor(host: Host, keepAlive: number | undefined) {
    this.#host = host;
    const callback = (size: number, bytes: Uint8Array) => {
      this.#take(bytes.subarray(0, size) as Buffer);
      return true;
    };
    const options = { noDelay: true, keepAlive: keepAlive !== undefined, keepAliveInitialDelay: keepAlive };
    this.#raw = new Socket({ ...options, onread: { buffer: this.#memory, callback } } as object);
    this.#listen(this.#raw);
  }

  /** Why it is of no use any more. */
  get lost(): Error | undefined {
    return this.#lost;
  }

  /** The server's certificate in DER; undefined where nothing is encrypted. */
  get certificate(): Buffer | undefined {
    return this.#encrypted?.getPeerX509Certificate()?.raw;
  }

  async connect(): Promise<void> {
    const { path, port, address } = this.#host;
    await this.until<void>(resolve => {
      this.#raw.once('connect', resolve);
      if (path) this.#raw.connect(path);
      else this.#raw.connect(port, address);
    });
  }

  /** Tells whether the server would speak TLS. @throws {ConnectionLost} for any other answer than yes and no */
  async offersTls(): Promise<boolean> {
    const answer = this.until<Buffer>(resolve => {
      // A copy: where it lies, more may come.
      this.take = bytes => resolve(Buffer.from(bytes));
    });
    this.write(new Outgoing().sslRequest().take());
    const bytes = await answer;
    this.take = refuse;
    // The server never sent bytes in the clear behind it (CVE-2021-23222).
    if (bytes.length === 1 && (bytes[0] === YES || bytes[0] === NO)) return bytes[0] === YES;
    throw this.lose(new ConnectionLost('it does not answer whether it speaks TLS'));
  }

  /** From now on all is encrypted. @throws {Error} of Node, where that cannot be, or the certificate is not trusted */
  async encrypt(options: ConnectionOptions, isDirect: boolean): Promise<void> {
    const socket: TLSSocket = tls.connect({ ...options, socket: this.#raw });
    this.#encrypted = socket;
    this.#listen(socket);
    await this.until<void>(resolve => socket.once('secureConnect', resolve));
    const gathering = new Gathering(this.#take, this.#memory);
    this.#gathering = gathering;
    socket.on('data', piece => gathering.add(piece));
    if (isDirect && socket.alpnProtocol !== PROTOCOL_NAME)
      throw this.lose(new ConnectionLost('it does not speak PostgreSQL within TLS (sslnegotiation=direct)'));
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  /** Sends both in one. Answers when the system has them, or the connection is lost; until then they must stay. */
  send(head: Buffer, bytes: Buffer): Promise<void> {
    const socket = this.#socket;
    return new Promise(resolve => {
      socket.cork();
      socket.write(head);
      socket.write(bytes, () => resolve());
      socket.uncork();
    });
  }

  /** Reads no more until it is resumed, and so hears of no loss either. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** The value that `begin` resolves with, unless the connection is lost before. */
  until<Result>(begin: (resolve: (result: Result) => void) => void): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#lost) throw this.#lost;
      this.onLost = reject;
      begin(resolve);
    });
  }

  /** Ends it at once, for this reason or an earlier one, which is answered. */
  lose(error: Error): Error {
    if (this.#lost) return this.#lost;
    this.#lost = error;
    this.#socket.destroy();
    this.#raw.destroy();
    this.onLost(error);
    return error;
  }

  /** That which is read from and written to. */
  get #socket(): Socket {
    return this.#encrypted ?? this.#raw;
  }

  #listen(socket: Socket): void {
    socket.on('error', error => this.lose(inWords(error)));
    socket.on('end', () => {
      this.#gathering?.flush();
      this.lose(new ConnectionLost('the server closed the connection'));
    });
    socket.on('close', () => this.lose(new ConnectionLost('the connection was lost')));
  }

  #take = (bytes: Buffer): void => {
    if (this.#lost) return;
    try {
      this.take(bytes);
    } catch (cause) {
      this.lose(new ConnectionLost('the server says what PostgreSQL does not say', { cause }));
    }
  };
}

/** OpenSSL's own texts name its source files; what is wrong stands in one of their parts. */
function inWords(error: Error & { library?: string; reason?: string }): Error {
  if (error.library === undefined || error.reason === undefined) return error;
  return new ConnectionLost(`TLS: ${error.reason}`, { cause: error });
}

function refuse(): void {
  throw new Error('nothing is expected');
}
