import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import type { Notes } from './notes.ts';
import { endRequestSpan, findTracer, startRequestSpan } from './tracing.ts';

/** The events of a request. */
interface ObservedRequest {
  id: string;
  method: string;
  headers: IncomingHttpHeaders;
  notes: Notes;
}

/** Observes requests from outside, for the log, the metrics and the spans. */
export interface Observer {
  /** Follows a request until its response is complete or its connection is closed. */
  follow(request: ObservedRequest, response: ServerResponse): void;
  /**
   * Called for unreadable requests.
   * @param reason Node's code
   */
  onUnreadable(status: number, reason: string | undefined): void;
}

/** Health checks, which are requested every few seconds. */
const PROBES = new Set(['/healthz', '/readyz']);

/** @param metrics undefined without a metrics port */
export function createObserver(logger: Logger, metrics: Metrics | undefined): Observer {
  // These fields contain no secrets, and redaction would take four times as long as the rest.
  const log = logger.child({}, { redact: [] });
  const tracer = findTracer();

  function end(request: ObservedRequest, response: ServerResponse, started: number): void {
    const { id, method, notes } = request;
    const { route, account, user, statements, bytes } = notes;
    const milliseconds = performance.now() - started;
    const aborted = !response.writableFinished;
    const status = response.headersSent ? response.statusCode : undefined;
    const ms = Math.round(milliseconds * 100) / 100;
    const line = { requestId: id, method, route, status, account, user, ms, statements, bytes };
    if (aborted) log.warn(line, 'the connection ended before the response');
    else log[getLevel(route, response.statusCode)](line, 'request');
    metrics?.ended(route, aborted || status === undefined ? 'aborted' : status, milliseconds / 1000);
    if (notes.trace) endRequestSpan(notes.trace, { route, method, requestId: id, status, aborted, account });
  }

  return {
    follow(request, response) {
      const started = performance.now();
      metrics?.begun();
      if (tracer) request.notes.trace = startRequestSpan(tracer, request.method, request.headers);
      // Emitted only once, so the slower `once` is not needed.
      response.on('close', () => end(request, response, started));
    },
    onUnreadable(status, reason) {
      log.info({ status, reason }, 'a request that cannot be read');
      metrics?.begun();
      metrics?.ended('(unreadable)', status, 0);
    },
  };
}

function getLevel(route: string, status: number): 'error' | 'info' | 'debug' {
  if (PROBES.has(route)) return 'debug';
  return status >= 500 ? 'error' : 'info';
}
