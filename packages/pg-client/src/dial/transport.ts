import { Socket } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { ConnectionLost } from '../driver/errors.ts';
import { MessageBuffer } from '../driver/outgoing.ts';
import type { Host } from './address.ts';
import { RecordJoiner } from './gathering.ts';
import { PROTOCOL_NAME, tls } from './tls.ts';

/** Size of the read buffer in bytes. As JSON, its rows usually take at most 64 KiB. */
const READ = 48 * 1024;

const YES = 'S'.charCodeAt(0);
const NO = 'N'.charCodeAt(0);

/**
 * A byte stream to a server over TCP or a Unix socket, with or without TLS. All reads share one buffer, so the next
 * read overwrites the bytes.
 */
export class Transport {
  /** Receives the bytes. If it throws, the connection is closed. */
  take: (bytes: Buffer) => void = refuse;
  /** Called when the connection is lost. */
  onLost: (error: Error) => void = () => {};
  #host: Host;
  #raw: Socket;
  /** The TLS socket around the raw one. */
  #encrypted: TLSSocket | undefined;
  #memory = Buffer.allocUnsafeSlow(READ);
  #gathering: RecordJoiner | undefined;
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

  /** Why the connection was lost; undefined while it works. */
  get lost(): Error | undefined {
    return this.#lost;
  }

  /** The server's certificate in DER; undefined without encryption. */
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

  /**
   * Asks whether the server supports TLS.
   * @throws {ConnectionLost} for an invalid answer
   */
  async offersTls(): Promise<boolean> {
    const answer = this.until<Buffer>(resolve => {
      // Copied because the next read overwrites the buffer.
      this.take = bytes => resolve(Buffer.from(bytes));
    });
    this.write(new MessageBuffer().sslRequest().take());
    const bytes = await answer;
    this.take = refuse;
    // A valid server sends no plaintext after its answer (CVE-2021-23222).
    if (bytes.length === 1 && (bytes[0] === YES || bytes[0] === NO)) return bytes[0] === YES;
    throw this.lose(new ConnectionLost('it does not answer whether it speaks TLS'));
  }

  /**
   * Starts TLS.
   * @throws {Error} if the handshake fails, or the certificate is not trusted
   */
  async encrypt(options: ConnectionOptions, isDirect: boolean): Promise<void> {
    const socket: TLSSocket = tls.connect({ ...options, socket: this.#raw });
    this.#encrypted = socket;
    this.#listen(socket);
    await this.until<void>(resolve => socket.once('secureConnect', resolve));
    const gathering = new RecordJoiner(this.#take, this.#memory);
    this.#gathering = gathering;
    socket.on('data', piece => gathering.add(piece));
    if (isDirect && socket.alpnProtocol !== PROTOCOL_NAME)
      throw this.lose(new ConnectionLost('it does not speak PostgreSQL within TLS (sslnegotiation=direct)'));
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  /**
   * Sends both buffers in one write. Resolves once the system has accepted them or the connection is lost; until then,
   * the bytes must not change.
   */
  send(head: Buffer, bytes: Buffer): Promise<void> {
    const socket = this.#socket;
    return new Promise(resolve => {
      socket.cork();
      socket.write(head);
      socket.write(bytes, () => resolve());
      socket.uncork();
    });
  }

  /** Stops reading until `resume` is called. Until then, a lost connection is not detected. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Returns the value that `begin` resolves with; rejects if the connection is lost first. */
  until<Result>(begin: (resolve: (result: Result) => void) => void): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#lost) throw this.#lost;
      this.onLost = reject;
      begin(resolve);
    });
  }

  /**
   * Closes the connection immediately. Returns the reason of the loss, which is an earlier error if it was already
   * lost.
   */
  lose(error: Error): Error {
    if (this.#lost) return this.#lost;
    this.#lost = error;
    this.#socket.destroy();
    this.#raw.destroy();
    this.onLost(error);
    return error;
  }

  /** The stream for reading and writing. */
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
      this.lose(
        new ConnectionLost('the server sent something other than the PostgreSQL protocol', { cause }),
      );
    }
  };
}

/** Shortens an error of OpenSSL to the part of the message that describes the problem. */
function inWords(error: Error & { library?: string; reason?: string }): Error {
  if (error.library === undefined || error.reason === undefined) return error;
  return new ConnectionLost(`TLS: ${error.reason}`, { cause: error });
}

function refuse(): void {
  throw new Error('nothing is expected');
}
