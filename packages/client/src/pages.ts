import { refusal, retryAfter, SightlineError } from './error.ts';
import { pause } from './retry.ts';
import type { Options } from './types.ts';

export interface PageOptions extends Options {
  /** A cursor; `now` for only future records; by default from the oldest. */
  after?: string;
  /** The number of records per page, 1 to 10,000; 1000 by default. */
  pageSize?: number;
  /** True to wait for further records. */
  follow?: boolean;
  /** Milliseconds between two requests while nothing arrives; by default the service's interval. */
  every?: number | undefined;
}

/** Records after a cursor as the service wrote them, oldest first. */
export interface ExportPage {
  body: Uint8Array;
  /** The cursor after these records, to store for the next run. */
  cursor: string;
  /** True if records after the last cursor are missing because their retention has ended. */
  gap: boolean;
}

/** Requests the page after a cursor, and returns the complete response. */
export type LoadPage = (after: string, signal: AbortSignal) => Promise<Response>;

/**
 * Returns the pages after a cursor. The next page is requested while the caller reads the current one; `Retry-After`
 * marks the last page.
 */
export async function* readPages(
  load: LoadPage,
  { after = '', follow = false, every, signal }: PageOptions,
): AsyncGenerator<ExportPage, void> {
  const left = new AbortController();
  const ending = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
  const request = (cursor: string) => {
    const answer = load(cursor, ending);
    // The request can fail before it is awaited. This prevents an unhandled rejection.
    answer.catch(() => {});
    return answer;
  };
  try {
    for (let answer = request(after); ; ) {
      const { page, wait } = await readPage(await answer);
      if (wait === undefined) answer = request(page.cursor);
      yield page;
      if (wait === undefined) continue;
      if (!follow) return;
      await pause(every ?? wait, ending);
      answer = request(page.cursor);
    }
  } finally {
    left.abort();
  }
}

async function readPage(response: Response): Promise<{ page: ExportPage; wait: number | undefined }> {
  if (!response.ok) throw refusal(response, await response.json().catch(() => undefined));
  const cursor = response.headers.get('sightline-cursor');
  if (cursor === null)
    throw new SightlineError('The response has no cursor: check the URL of the service', response.status);
  const gap = response.headers.get('sightline-gap') === 'true';
  const body = new Uint8Array(await response.arrayBuffer());
  return { page: { body, cursor, gap }, wait: retryAfter(response.headers) };
}
