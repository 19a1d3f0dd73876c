import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from './config.ts';
import { KEY_PATTERN } from './keys/format.ts';

export type { Logger };

/** Where secrets travel, should anybody ever log a whole request or a whole configuration. */
const SECRETS = ['authorization', 'cookie', 'password', 'key', 'token'].flatMap(name => [
  name,
  `*.${name}`,
  `*.headers.${name}`,
]);

const KEYS = new RegExp(KEY_PATTERN, 'g');
const URL_PASSWORDS = /(\b(?:postgres(?:ql)?|rediss?):\/\/[^\s:@/]*):[^\s@/]*@/g;

/** One JSON object a line, on standard output if nowhere else. */
export function createLogger(level: Config['logLevel'], destination?: DestinationStream): Logger {
  const options = {
    level,
    redact: { paths: SECRETS, censor: '[redacted]' },
    // Whatever an error's message or stack carries, the line is cleaned as a whole.
    hooks: { streamWrite: redactLine },
  };
  return destination ? pino(options, destination) : pino(options);
}

function redactLine(line: string): string {
  return line.replace(KEYS, key => `${key.slice(0, 6)}[redacted]`).replace(URL_PASSWORDS, '$1:[redacted]@');
}
