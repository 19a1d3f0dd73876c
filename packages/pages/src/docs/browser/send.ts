import type { Call } from './operation.ts';

/** Bytes of an answer that are read: an export has no end that a page could show. */
const MOST = 200_000;

export interface Answer {
  status: number;
  /** `200 OK`. */
  title: string;
  milliseconds: number;
  /** The part of the body that was read. */
  bytes: number;
  /** True if there is more than was read. */
  isCut: boolean;
  body: string;
  headers: [name: string, value: string][];
}

/** There is no answer, for the reason of the message. */
export class NoAnswer extends Error {}

/** The visitor did not want to wait any longer. */
export class Stopped extends Error {}

/**
 * Asks the service that this page is of.
 * @param root of the service, as the browser reaches it, without a slash at its end
 * @param signal ends the wait
 * @throws {NoAnswer}
 * @throws {Stopped}
 */
export async function send(
  { target, body }: Call,
  root: string,
  key: string,
  signal: AbortSignal,
): Promise<Answer> {
  const begin = performance.now();
  const headers: Record<string, string> = { Authorization: `Bearer ${key}` };
  if (body) headers['Content-Type'] = 'application/json';
  try {
    const response = await fetch(root + target, {
      ...(body && { method: 'POST', body }),
      headers,
      credentials: 'omit',
      cache: 'no-store',
      signal,
    });
    const { text, bytes, isCut } = await read(response);
    return {
      status: response.status,
      title: `${response.status} ${response.statusText}`.trimEnd(),
      milliseconds: performance.now() - begin,
      bytes,
      isCut,
      body: isCut ? text : pretty(text),
      headers: [...response.headers],
    };
  } catch {
    if (signal.aborted) throw new Stopped();
    throw new NoAnswer('The service cannot be reached, or its answer broke off.');
  }
}

async function read(response: Response): Promise<{ text: string; bytes: number; isCut: boolean }> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let text = '';
  let bytes = 0;
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    bytes += part.value.length;
    text += decoder.decode(part.value, { stream: true });
    if (bytes <= MOST) continue;
    await reader!.cancel();
    return { text: text.slice(0, MOST), bytes, isCut: true };
  }
  return { text: text + decoder.decode(), bytes, isCut: false };
}

/** JSON with a line for each value; all else as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
