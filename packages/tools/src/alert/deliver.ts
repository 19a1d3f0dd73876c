import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import type { Event } from './events.ts';
import { FORMATS, type MessageFormat } from './messages.ts';

/** Makes one attempt to deliver an event. */
export type Deliver = (event: Event, link: string, signal: AbortSignal) => Promise<Attempt>;

/** The result of an attempt; undefined if the receiver accepted the event. */
export type Attempt = { problem: string; isLasting: boolean } | undefined;

/** Time limit of an attempt, in milliseconds. */
const LIMIT = 15_000;

export interface Webhook {
  url: URL;
  format: MessageFormat;
  /** The secret that signs each request; undefined to send unsigned requests. */
  secret: string | undefined;
}

/** Checks whether the connection to a receiver is encrypted or local. */
export function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Signs a request: the time in seconds since 1970, and the HMAC-SHA256 of that time, a dot and the body. */
export function signature(secret: string, body: string, now: Date): string {
  const time = Math.floor(now.getTime() / 1000);
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}

export function toWebhook(webhook: Webhook): Deliver {
  return (event, link, signal) => post(webhook, event, link, signal);
}

async function post(
  { url, format, secret }: Webhook,
  event: Event,
  link: string,
  signal: AbortSignal,
): Promise<Attempt> {
  const { headers, body } = FORMATS[format](event, link);
  const signed = secret ? { 'sightline-signature': signature(secret, body, new Date()) } : {};
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'sightline-delivery': event.id, ...signed },
      body,
      // Redirects are not followed, so insights reach only the configured URL.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT)]),
    });
    await answer.body?.cancel();
    if (answer.ok) return undefined;
    return { problem: `the receiver responded with ${answer.status}`, isLasting: isLasting(answer.status) };
  } catch {
    return { problem: 'the receiver does not respond', isLasting: false };
  }
}

/** Checks whether a status is permanent, so that another attempt would fail as well. */
const isLasting = (status: number) => status < 500 && status !== 408 && status !== 425 && status !== 429;

/** Creates a delivery that runs a command for each event. The event is passed on standard input, never in arguments. */
export function toCommand(command: string): Deliver {
  return (event, link) => call(command, event, link);
}

function call(command: string, event: Event, link: string): Promise<Attempt> {
  return new Promise(resolve => {
    const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], timeout: LIMIT });
    child.stdin.on('error', () => {});
    child.stdin.end(`${FORMATS.json(event, link).body}\n`);
    child.on('error', error =>
      resolve({ problem: `the command cannot be started: ${error.message}`, isLasting: true }),
    );
    child.on('close', code =>
      resolve(
        code === 0
          ? undefined
          : { problem: `the command ended with ${code ?? 'a signal'}`, isLasting: false },
      ),
    );
  });
}

/** Creates a delivery that writes events as NDJSON. */
export function toStream(stream: NodeJS.WritableStream): Deliver {
  return (event, link) =>
    new Promise(resolve =>
      stream.write(`${FORMATS.json(event, link).body}\n`, error =>
        resolve(
          error
            ? { problem: `standard output cannot be written: ${error.message}`, isLasting: true }
            : undefined,
        ),
      ),
    );
}
