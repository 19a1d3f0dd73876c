import { retryAfter, SightlineError } from './error.ts';
import type { ResponsePart } from './parts.ts';
import { pause } from './retry.ts';
import type { Options } from './types.ts';

export interface PageOptions extends Options {
  /** A cursor; `now` for only future records; by default from the oldest. */
  after?: string;
  /** The number of records per page, 1 to 10,000. By default, pages have about a megabyte, in a single response. */
  pageSize?: number;
  /** True to wait for further records. */
  follow?: boolean;
  /** Milliseconds between two requests while nothing arrives; by default the service's interval. */
  every?: number | undefined;
}

/** Records after a cursor as the service wrote them, oldest first. A page can be without records. */
export interface ExportPage {
  /** The text in chunks, which can end within a character. */
  chunks: readonly Uint8Array[];
  /** The cursor after these records, to store for the next run. */
  cursor: string;
  /** True if records after the last cursor are missing because their retention has ended. */
  gap: boolean;
}

/** Requests the pages after a cursor. A response can end early; it has at least one page. */
export type LoadPages = (after: string, signal: AbortSignal) => AsyncGenerator<ResponsePart, void>;

/** Returns the pages after a cursor. `Retry-After` marks the last page. */
export async function* readPages(
  load: LoadPages,
  { after = '', follow = false, every, signal }: PageOptions,
): AsyncGenerator<ExportPage, void> {
  const left = new AbortController();
  const ending = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
  try {
    for (let cursor = after; ; ) {
      let wait: number | undefined;
      for await (const part of load(cursor, ending)) {
        const page = toPage(part);
        ({ cursor } = page);
        wait = retryAfter(part.headers);
        yield page;
      }
      if (wait === undefined) continue;
      if (!follow) return;
      await pause(every ?? wait, ending);
    }
  } finally {
    left.abort();
  }
}

/** @throws {SightlineError} if there is no cursor */
function toPage({ headers, chunks }: ResponsePart): ExportPage {
  const cursor = headers.get('sightline-cursor');
  if (cursor === null)
    throw new SightlineError('The response has no cursor: check the URL of the service', 200);
  return { chunks, cursor, gap: headers.get('sightline-gap') === 'true' };
}
