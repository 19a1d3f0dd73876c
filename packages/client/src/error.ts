/** The service gave no answer: it refused, it failed, or it could not be reached. */
export class SightlineError extends Error {
  override name = 'SightlineError';
  /** The HTTP status; 0 where no answer came, or none that could be read to its end. */
  readonly status: number;
  /** Names the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Milliseconds until another try is welcome, where the service says so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, status: number, { requestId, retryAfter, ...options }: Details = {}) {
    super(message, options);
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

interface Details extends ErrorOptions {
  requestId?: string | undefined;
  retryAfter?: number | undefined;
}

/** The value of a setting. @throws {SightlineError} with the message, where it is none */
export function sound<Result>(read: () => Result, message: string): Result {
  try {
    return read();
  } catch (cause) {
    throw new SightlineError(message, 0, { cause });
  }
}

/** @param body what the answer holds: `{"error": "…"}` of the service, anything of a proxy */
export function refusal({ status, statusText, headers }: Response, body: unknown): SightlineError {
  const text = (body as { error?: unknown } | null | undefined)?.error;
  const message = typeof text === 'string' ? text : `HTTP ${status} ${statusText}`.trim();
  return new SightlineError(message, status, {
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfter(headers),
  });
}

/** For what `fetch` or a body threw. An abort stays what it is: the caller asked for it. */
export function lost(cause: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || cause instanceof SightlineError) return cause;
  return new SightlineError('No whole answer came from the service', 0, { cause });
}

/** Milliseconds until another try is welcome. */
export function retryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
