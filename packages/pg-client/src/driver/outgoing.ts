import { messageType } from './message-type.ts';
import { type Parameter, parameterText } from './parameters.ts';
import { LONGEST_CHARACTER } from './text-writer.ts';

const PARSE = messageType('P');
const DESCRIBE = messageType('D');
const BIND = messageType('B');
const EXECUTE = messageType('E');
const SYNC = messageType('S');
const CLOSE = messageType('C');
const COPY_DATA = messageType('d');

/** The version number of protocol 3.0, and the code that replaces it in a request for TLS (PostgreSQL manual, 53.7). */
const PROTOCOL = 3 << 16;
const SSL_REQUEST = (1234 << 16) | 5679;

/** The target of a Describe or Close for a statement, followed by its name. */
const STATEMENT = 'S';

/** The format codes for all columns. */
export const TEXT = 0;
const BINARY = 1;

/** The message that responds to an authentication request. */
export const PASSWORD = messageType('p');

/** A buffer of messages to the server (PostgreSQL's protocol 3.0). */
export class MessageBuffer {
  #bytes = Buffer.allocUnsafeSlow(4096);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Removes everything after this position, because an incomplete message must not be sent. */
  cut(length: number): void {
    this.#length = length;
  }

  /** Returns the bytes written since the last call. */
  take(): Buffer {
    const bytes = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    return bytes;
  }

  /** Writes the request for TLS. The server responds with a single byte. */
  sslRequest(): this {
    this.#int32(8);
    this.#int32(SSL_REQUEST);
    return this;
  }

  startup(parameters: Readonly<Record<string, string>>): this {
    const startup = this.#length;
    this.#int32(0);
    this.#int32(PROTOCOL);
    for (const text of Object.entries(parameters).flat()) this.#string(text);
    this.#byte(0);
    return this.#end(startup);
  }

  /** Writes a message of zero-terminated texts. */
  message(type: number, ...texts: readonly string[]): this {
    const message = this.#begin(type);
    for (const text of texts) this.#string(text);
    return this.#end(message);
  }

  /**
   * Writes a response of SASL authentication.
   * @param mechanism only for the first response
   */
  sasl(text: string, mechanism?: string): this {
    const response = this.#begin(PASSWORD);
    if (mechanism !== undefined) {
      this.#string(mechanism);
      this.#int32(Buffer.byteLength(text));
    }
    this.#text(text);
    return this.#end(response);
  }

  /** Writes the messages that prepare a statement. The server infers the parameter types and describes the rows. */
  prepare(name: string, text: string): void {
    const parse = this.#begin(PARSE);
    this.#string(name);
    this.#string(text);
    this.#int16(0);
    this.#end(parse);
    this.message(DESCRIBE, STATEMENT + name);
  }

  /** Writes the messages that execute a prepared statement. Parameters are sent as text; rows are binary by default. */
  execute(name: string, parameters: readonly Parameter[], form = BINARY): void {
    const bind = this.#begin(BIND);
    this.#string('');
    this.#string(name);
    this.#int16(0);
    this.#int16(parameters.length);
    for (const parameter of parameters) this.#parameter(parameterText(parameter));
    this.#int16(1);
    this.#int16(form);
    this.#end(bind);
    const execute = this.#begin(EXECUTE);
    this.#string('');
    this.#int32(0);
    this.#end(execute);
    this.message(SYNC);
  }

  forget(name: string): void {
    this.message(CLOSE, STATEMENT + name);
  }

  /**
   * Writes a message with rows of a COPY.
   * @param isComplete false if the caller sends the rows themselves, after the bytes that `take` returns
   */
  rows(piece: Buffer, isComplete: boolean): void {
    this.#byte(COPY_DATA);
    this.#int32(4 + piece.length);
    if (!isComplete) return;
    this.#reserve(piece.length);
    this.#length += piece.copy(this.#bytes, this.#length);
  }

  /** Starts a message; returns the offset of its length. */
  #begin(type: number): number {
    this.#byte(type);
    const at = this.#length;
    this.#int32(0);
    return at;
  }

  #end(at: number): this {
    this.#bytes.writeInt32BE(this.#length - at, at);
    return this;
  }

  #parameter(text: string | null): void {
    const at = this.#length;
    this.#int32(-1);
    if (text === null) return;
    this.#text(text);
    this.#bytes.writeInt32BE(this.#length - at - 4, at);
  }

  #string(text: string): void {
    this.#text(text);
    this.#byte(0);
  }

  #text(text: string): void {
    this.#reserve(text.length * LONGEST_CHARACTER);
    this.#length += this.#bytes.write(text, this.#length);
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  #int16(value: number): void {
    this.#reserve(2);
    this.#length = this.#bytes.writeUInt16BE(value, this.#length);
  }

  #int32(value: number): void {
    this.#reserve(4);
    this.#length = this.#bytes.writeInt32BE(value, this.#length);
  }

  #reserve(size: number): void {
    const wanted = this.#length + size;
    if (wanted <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * wanted);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
