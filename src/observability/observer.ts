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

/** Sees requests from outside, and tells of them in the log, the metrics and the spans. */
export interface Observer {
  /** Follows a request until its answer is out, or its connection gone. */
  follow(request: ObservedRequest, response: ServerResponse): void;
  /** Something came that never became a request. @param reason Node's code */
  unreadable(status: number, reason: string | undefined): void;
}

/** Somebody asks these every few seconds. */
const PROBES = new Set(['/healthz', '/readyz']);

/** @param metrics undefined where no port serves them */
export function createObserver(logger: Logger, metrics: Metrics | undefined): Observer {
  // Its fields are known, and none of them is a secret's: looking for those would cost four times the rest.
  const log = logger.child({}, { redact: [] });
  const tracer = findTracer();

  function end(request: ObservedRequest, response: ServerResponse, started: number): void {
    const { id, method, notes } = request;
    const { route, account, statements, bytes } = notes;
    const milliseconds = performance.now() - started;
    const aborted = !response.writableFinished;
    const status = response.headersSent ? response.statusCode : undefined;
    const ms = Math.round(milliseconds * 100) / 100;
    const line = { requestId: id, method, route, status, account, ms, statements, bytes };
    if (aborted) log.warn(line, 'the connection ended before the answer did');
    else log[levelOf(route, response.statusCode)](line, 'request');
    metrics?.ended(route, aborted || status === undefined ? 'aborted' : status, milliseconds / 1000);
    if (notes.trace) endRequestSpan(notes.trace, { route, method, requestId: id, status, aborted, account });
  }

  return {
    follow(request, response) {
      const started = performance.now();
      metrics?.begun();
      if (tracer) request.notes.trace = startRequestSpan(tracer, request.method, request.headers);
      // It comes once, and a listener that takes itself away costs more than the rest of this.
      response.on('close', () => end(request, response, started));
    },
    unreadable(status, reason) {
      log.info({ status, reason }, 'a request that cannot be read');
      metrics?.begun();
      metrics?.ended('(unreadable)', status, 0);
    },
  };
}

function levelOf(route: string, status: number): 'error' | 'info' | 'debug' {
  if (PROBES.has(route)) return 'debug';
  return status >= 500 ? 'error' : 'info';
}
