/** There is no valid response: the service refused, failed, or could not be reached. */
export class SightlineError extends Error {
  override name = 'SightlineError';
  /** The HTTP status; 0 without a complete response. */
  readonly status: number;
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Milliseconds until a retry is allowed, if the service says so. */
  readonly retryAfter: number | undefined;
  /** `extensions.code` of an error of `/graphql`. */
  readonly code: string | undefined;

  constructor(message: string, status: number, { requestId, retryAfter, code, ...options }: Details = {}) {
    super(message, options);
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.code = code;
  }
}

interface Details extends ErrorOptions {
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  code?: string | undefined;
}

/** Reads a setting. @throws {SightlineError} with the message if it is invalid */
export function sound<Result>(read: () => Result, message: string): Result {
  try {
    return read();
  } catch (cause) {
    throw new SightlineError(message, 0, { cause });
  }
}

/**
 * @param body of the answer: `{"error": "…"}` of the service, anything of a proxy
 * @param code of an error of `/graphql`
 */
export function refusal(response: Response, body: unknown, code?: string): SightlineError {
  const { status, headers } = response;
  const text = (body as { error?: unknown } | null | undefined)?.error;
  return new SightlineError(typeof text === 'string' ? text : describeStatus(response), status, {
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfter(headers),
    code,
  });
}

function describeStatus({ ok, status, statusText, type, headers }: Response): string {
  const heading = `HTTP ${status} ${statusText}`.trim();
  if (ok) return `The response is not JSON: check the URL of the service (${heading})`;
  // The redirect is not followed, because the key must be sent only to the configured service.
  if (type !== 'opaqueredirect' && (status < 300 || status > 399)) return heading;
  const target = headers.get('location') ?? 'another address';
  return `The service redirects to ${target}: use that URL (${heading})`;
}

/**
 * Returns the error of a failed `fetch` or body; after an abort the reason of the signal.
 * @param url of the request
 */
export function lost(cause: unknown, signal: AbortSignal, url: string): unknown {
  if (signal.aborted) return signal.reason;
  if (cause instanceof SightlineError) return cause;
  return new SightlineError(`${getOrigin(url)} cannot be reached: ${describeCause(cause)}`, 0, { cause });
}

/** Omits path and query, which can contain names. */
const getOrigin = (url: string) => /^\w+:\/\/[^/?#]*/.exec(url)?.[0] ?? 'The service';

/** The system's reason, such as `connect ECONNREFUSED`, is the cause of the error from `fetch`. */
function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message ? error.cause.message : error.message;
}

/** Returns the milliseconds until a retry is allowed. */
export function retryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
