import { messageType } from '../driver/message-type.ts';

/** Protocol 3.0, and the codes that stand in its place (PostgreSQL manual, 53.7). */
const PROTOCOL = 3 << 16;
const SSL_REQUEST = (1234 << 16) | 5679;

const PASSWORD = messageType('p');

/** Asks whether the server speaks TLS. It answers with one byte. */
export function sslRequest(): Buffer {
  return withLength(int32(SSL_REQUEST));
}

/** @param parameters names and values, in pairs */
export function startupMessage(parameters: Readonly<Record<string, string>>): Buffer {
  const texts = Object.entries(parameters).flat();
  return withLength(int32(PROTOCOL), ...texts.map(cString), Buffer.of(0));
}

export function passwordMessage(password: string): Buffer {
  return Buffer.concat([Buffer.of(PASSWORD), withLength(cString(password))]);
}

/** @param mechanism with the first one alone */
export function saslResponse(text: string, mechanism?: string): Buffer {
  const data = Buffer.from(text);
  const content = mechanism === undefined ? [data] : [cString(mechanism), int32(data.length), data];
  return Buffer.concat([Buffer.of(PASSWORD), withLength(...content)]);
}

function withLength(...parts: Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  return Buffer.concat([int32(length), ...parts]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}
