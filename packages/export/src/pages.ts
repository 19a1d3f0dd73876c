import { setTimeout as pause } from 'node:timers/promises';
import { CommandFailed } from '@sightline/terminal/failure';
import { onOneLine } from '@sightline/terminal/one-line';
import { say } from '@sightline/terminal/output';

/** A request for an export, page by page. */
export interface Question {
  /** With everything but the cursor. */
  url: URL;
  key: string;
  /** A cursor, '' for what is oldest, or `now`. */
  after: string;
  /** True asks again where nothing has come. */
  follow: boolean;
  /** Milliseconds from one such question to the next; as long as the service says, where it is left out. */
  every?: number | undefined;
  /** Milliseconds before the first try after one that failed; later ones wait longer. */
  retry: number;
  signal: AbortSignal;
}

export interface Page {
  body: Buffer;
  /** Leads on behind the page. */
  cursor: string;
  /** True if reports were removed before they could be exported. */
  isGap: boolean;
}

/** Tries of one page, where it is not followed for ever. */
const MOST_TRIES = 8;
const LONGEST_PAUSE = 60_000;

/** The statuses of a service or a proxy that cannot answer at the moment. */
const PASSING = [408, 425, 429, 500, 502, 503, 504];

/**
 * Every page from a cursor on. A broken connection begins its page anew.
 * @throws {CommandFailed} where the service refuses, or is not there for too long
 */
export async function* pages(question: Question): AsyncGenerator<Page> {
  let { after } = question;
  for (;;) {
    const { body, headers } = await ask(question, after);
    const cursor = headers.get('sightline-cursor');
    if (!cursor)
      throw new CommandFailed(`${question.url.origin} answers without a cursor: is it this service?`);
    yield { body, cursor, isGap: headers.get('sightline-gap') === 'true' };
    after = cursor;
    const wait = retryAfter(headers);
    if (wait === undefined) continue;
    if (!question.follow) return;
    await pause(question.every ?? wait, undefined, { signal: question.signal });
  }
}

interface Answer {
  body: Buffer;
  headers: Headers;
}

/** Asks for a page until the whole of it is there. */
async function ask(question: Question, after: string): Promise<Answer> {
  const { follow, retry, signal, url } = question;
  for (let tried = 1; ; tried++) {
    const outcome = await once(question, after);
    if ('body' in outcome) return outcome;
    if (!follow && tried === MOST_TRIES)
      throw new CommandFailed(`${url.origin} does not answer: ${outcome.problem}`);
    if (tried === 1) say(onOneLine(`${url.origin} does not answer: ${outcome.problem}. Trying again.`));
    const wait = Math.min(LONGEST_PAUSE, retry * 2 ** (tried - 1));
    await pause(Math.max(outcome.wait ?? 0, wait), undefined, { signal });
  }
}

/** @returns what is wrong for the moment, and the milliseconds that the service asks for */
async function once(
  { url, key, signal }: Question,
  after: string,
): Promise<Answer | { problem: string; wait: number | undefined }> {
  const asked = new URL(url);
  asked.searchParams.set('after', after);
  try {
    // A key goes nowhere else.
    const answer = await fetch(asked, {
      headers: { authorization: `Bearer ${key}` },
      redirect: 'manual',
      signal,
    });
    const { status, headers } = answer;
    const body = Buffer.from(await answer.arrayBuffer());
    if (status === 200) return { body, headers };
    if (!PASSING.includes(status))
      throw new CommandFailed(onOneLine(`${url.origin} answers ${status}${reason(body)}`));
    return { problem: `it answers ${status}`, wait: retryAfter(headers) };
  } catch (error) {
    if (error instanceof CommandFailed || signal.aborted) throw error;
    const { cause, message } = error as Error;
    return { problem: cause instanceof Error ? cause.message : message, wait: undefined };
  }
}

/** Characters of a text that a stranger may have sent. */
const LONGEST_REASON = 200;

function reason(body: Buffer): string {
  try {
    return `: ${String(JSON.parse(body.toString()).error).slice(0, LONGEST_REASON)}`;
  } catch {
    return '';
  }
}

/** Milliseconds (RFC 9110, section 10.2.3); undefined where it is not said in seconds. */
function retryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) * 1000 : undefined;
}
