import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Event } from './events.ts';
import { FORMATS, type Format } from './messages.ts';

/** Delivers an event, or says why it could not. */
export type Deliver = (event: Event, link: string, signal: AbortSignal) => Promise<string | undefined>;

/** The outcome of an attempt: undefined where the receiver accepted it. */
type Attempt = { problem: string; isLasting: boolean } | undefined;

/** Milliseconds: for one attempt, between two at most, and from the first to the last. */
const LIMIT = 15_000;
const LONGEST_PAUSE = 5 * 60_000;
export const TRIED_FOR = 3_600_000;

export interface Webhook {
  url: URL;
  format: Format;
  /** The secret that signs each request; undefined for none. */
  secret: string | undefined;
  /** Milliseconds before the second attempt; later ones wait longer. */
  retry: number;
  /** Milliseconds after which no attempt is made. */
  triedFor: number;
}

/** Tells whether a receiver can be spoken to without others reading along. */
export function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** As the receiver checks it: seconds since 1970, and HMAC-SHA256 of these, a dot and the body. */
export function signature(secret: string, body: string, now: Date): string {
  const time = Math.floor(now.getTime() / 1000);
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}

export function toWebhook(webhook: Webhook): Deliver {
  return (event, link, signal) => again(webhook, signal, () => post(webhook, event, link, signal));
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
      // Signs go to the given address alone, wherever the receiver leads.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT)]),
    });
    await answer.body?.cancel();
    if (answer.ok) return undefined;
    return { problem: `the receiver answers ${answer.status}`, isLasting: isLasting(answer.status) };
  } catch {
    return { problem: 'the receiver does not answer', isLasting: false };
  }
}

/** A status that another attempt would not change. */
const isLasting = (status: number) => status < 500 && status !== 408 && status !== 425 && status !== 429;

async function again(
  { retry, triedFor }: Pick<Webhook, 'retry' | 'triedFor'>,
  signal: AbortSignal,
  attempt: () => Promise<Attempt>,
): Promise<string | undefined> {
  const begin = Date.now();
  for (let tried = 0; ; tried++) {
    const failed = await attempt();
    if (!failed) return undefined;
    const wait = Math.min(LONGEST_PAUSE, retry * 2 ** tried);
    if (failed.isLasting || signal.aborted || Date.now() + wait - begin > triedFor) return failed.problem;
    await pause(wait, undefined, { signal }).catch(() => {});
  }
}

/** A command of the operator's; the event is on its standard input, and nothing of it in its arguments. */
export function toCommand(command: string, retry: number, triedFor: number): Deliver {
  return (event, link, signal) => again({ retry, triedFor }, signal, () => call(command, event, link));
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

/** Lines of JSON. */
export function toStream(stream: NodeJS.WritableStream): Deliver {
  return (event, link) =>
    new Promise(resolve =>
      stream.write(`${FORMATS.json(event, link).body}\n`, error =>
        resolve(error ? `standard output cannot be written: ${error.message}` : undefined),
      ),
    );
}
