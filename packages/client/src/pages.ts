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

/** A response, and its complete body if it is not a refusal. */
interface PageResponse {
  answer: Response;
  body: Uint8Array;
}

/**
 * Requests the page after a cursor.
 * @param onHeaders called with the headers of each attempt, before its body is read
 */
export type LoadPage = (
  after: string,
  signal: AbortSignal,
  onHeaders: (answer: Response) => void,
) => Promise<PageResponse>;

/** A request for a page, and the one for the page after it. */
interface PageRequest {
  after: string;
  response: Promise<PageResponse>;
  /** The cursor of the next page, set when the headers arrive; undefined for the last page. */
  cursor?: string | undefined;
  next?: PageRequest;
}

/**
 * Returns the pages after a cursor. The next page is requested as soon as the headers of the current one have arrived;
 * `Retry-After` marks the last page.
 */
export async function* readPages(
  load: LoadPage,
  { after = '', follow = false, every, signal }: PageOptions,
): AsyncGenerator<ExportPage, void> {
  const left = new AbortController();
  const ending = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
  const request = (after: string): PageRequest => {
    const response = load(after, ending, ({ ok, headers }) => {
      const isLast = !ok || retryAfter(headers) !== undefined;
      page.cursor = isLast ? undefined : (headers.get('sightline-cursor') ?? undefined);
      if (page === current) requestNext(page);
    });
    // The request can fail before it is awaited. This prevents an unhandled rejection.
    response.catch(() => {});
    const page: PageRequest = { after, response };
    return page;
  };
  const requestNext = (page: PageRequest) => {
    if (page.cursor !== undefined && page.next?.after !== page.cursor) page.next = request(page.cursor);
  };
  let current = request(after);
  try {
    for (;;) {
      const { page, wait } = await readPage(await current.response);
      yield page;
      if (wait !== undefined) {
        if (!follow) return;
        await pause(every ?? wait, ending);
      }
      current = current.next ?? request(page.cursor);
      requestNext(current);
    }
  } finally {
    left.abort();
  }
}

async function readPage({
  answer,
  body,
}: PageResponse): Promise<{ page: ExportPage; wait: number | undefined }> {
  if (!answer.ok) throw refusal(answer, await answer.json().catch(() => undefined));
  const cursor = answer.headers.get('sightline-cursor');
  if (cursor === null)
    throw new SightlineError('The response has no cursor: check the URL of the service', answer.status);
  const gap = answer.headers.get('sightline-gap') === 'true';
  return { page: { body, cursor, gap }, wait: retryAfter(answer.headers) };
}
