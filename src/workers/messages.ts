/** The version of the messages between a parent process and its workers. Increment it when a message changes. */
const MESSAGE_VERSION = 1;

/** The environment variable that tells a worker the version of its parent. */
const VARIABLE = 'SIGHTLINE_MESSAGE_VERSION';

/** The environment of a worker, because a reload can start workers of a newer release. */
export const VERSION_OF_PARENT = { [VARIABLE]: String(MESSAGE_VERSION) };

/** True if the parent of this worker uses the same version of the messages. */
export function canExchangeMessages(): boolean {
  return process.env[VARIABLE] === String(MESSAGE_VERSION);
}

/** A message with its version. */
export function writeMessage<Content extends object>(content: Content): Content & { version: number } {
  return { version: MESSAGE_VERSION, ...content };
}

/** The content of a message; undefined for messages of other versions or senders, such as Node. */
export function readMessage<Content extends object>(message: unknown): Partial<Content> | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  return (message as { version?: unknown }).version === MESSAGE_VERSION ? message : undefined;
}
