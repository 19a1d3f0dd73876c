import type { Call } from './operation.ts';

/** Maximum number of bytes of a response that are read, because an export can be too long to show. */
const MOST = 200_000;

export interface ReceivedAnswer {
  status: number;
  /** The status line, such as `200 OK`. */
  title: string;
  milliseconds: number;
  /** The number of bytes that were read. */
  bytes: number;
  /** True if only the beginning of the response was read. */
  isCut: boolean;
  body: string;
  headers: [name: string, value: string][];
}

/** The request failed. The message contains the reason. */
export class SendFailed extends Error {}

/** The visitor cancelled the request. */
export class RequestCancelled extends Error {}

/**
 * Sends a request to the service that serves this page.
 * @param root URL of the service as the browser reaches it, without a trailing slash
 * @param signal aborts the request
 * @throws {SendFailed}
 * @throws {RequestCancelled}
 */
export async function send(
  { target, body }: Call,
  root: string,
  key: string,
  signal: AbortSignal,
): Promise<ReceivedAnswer> {
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
    if (signal.aborted) throw new RequestCancelled();
    throw new SendFailed('The service cannot be reached, or its response was cut off.');
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

/** Indents JSON. Other texts are returned unchanged. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
