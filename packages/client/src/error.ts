/** Whatever keeps the service from answering: it refused, it failed, or it could not be reached. */
export class SightlineError extends Error {
  override name = 'SightlineError';
  /** The HTTP status; 0 where no answer came, or none that could be read to its end. */
  readonly status: number;
  /** Names the request in the log of the service. */
  readonly requestId: string | undefined;

  constructor(message: string, status: number, requestId?: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.requestId = requestId;
  }
}

/** @param body what the answer holds: `{"error": "…"}` of the service, anything of a proxy */
export function refusal({ status, statusText, headers }: Response, body: unknown): SightlineError {
  const text = (body as { error?: unknown } | null | undefined)?.error;
  const message = typeof text === 'string' ? text : `HTTP ${status} ${statusText}`.trim();
  return new SightlineError(message, status, headers.get('x-request-id') ?? undefined);
}

/** For what `fetch` or a body threw. An abort stays what it is: the caller asked for it. */
export function lost(cause: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || cause instanceof SightlineError) return cause;
  return new SightlineError('No whole answer came from the service', 0, undefined, { cause });
}
