import type { IncomingHttpHeaders } from 'node:http';
import {
  type Attributes,
  type Context,
  context,
  ProxyTracerProvider,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { redact } from './redact.ts';
import { serviceVersion } from './version.ts';

/** A span, and the context for spans within it. */
export interface Trace {
  tracer: Tracer;
  span: Span;
  context: Context;
}

/** Returns the tracer of an SDK that was registered before the service started, if there is one. */
export function findTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider();
  return provider instanceof ProxyTracerProvider
    ? provider.getDelegateTracer('sightline', serviceVersion())
    : provider.getTracer('sightline', serviceVersion());
}

/** Starts the span of a request, within the one that the client names in `traceparent` (W3C Trace Context). */
export function startRequestSpan(tracer: Tracer, method: string, headers: IncomingHttpHeaders): Trace {
  const outer = propagation.extract(ROOT_CONTEXT, headers, HEADERS);
  const attributes = { 'http.request.method': method };
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, outer);
  return { tracer, span, context: trace.setSpan(outer, span) };
}

/** Keys are redacted in the client's headers, which become part of the span: `tracestate` can contain anything. */
const HEADERS = {
  keys: (headers: IncomingHttpHeaders) => Object.keys(headers),
  get: (headers: IncomingHttpHeaders, name: string) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? undefined : redact(String(value));
  },
};

/** Runs work with this span as the active one, for instrumented libraries. */
export function runWithin<Result>(outer: Trace | undefined, work: () => Result): Result {
  return outer ? context.with(outer.context, work) : work();
}

/** The outcome of a request. */
export interface RequestOutcome {
  route: string;
  method: string;
  requestId: string;
  /** Undefined if there was no response. */
  status: number | undefined;
  aborted: boolean;
  account: string | undefined;
}

/** Uses the names of OpenTelemetry's semantic conventions, except for address and query, which contain ids. */
export function endRequestSpan({ span }: Trace, outcome: RequestOutcome): void {
  const { route, method, requestId, status, aborted, account } = outcome;
  span.updateName(`${method} ${route}`);
  span.setAttributes({
    'http.route': route,
    'sightline.request.id': requestId,
    ...(status !== undefined && { 'http.response.status_code': status }),
    ...(account !== undefined && { 'sightline.account.id': account }),
    ...(aborted && { 'error.type': 'aborted' }),
  });
  if (status !== undefined && status >= 500) {
    span.setAttribute('error.type', String(status));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

export interface SpanDescription {
  name: string;
  kind?: SpanKind;
  attributes?: Attributes;
}

/**
 * Runs work in a span, if tracing is enabled, and passes the span on as the parent. Spans contain only the class of an
 * error, because database messages can contain data.
 */
export function traceWork<Result>(
  outer: Trace | undefined,
  describe: () => SpanDescription,
  work: (inner: Trace | undefined) => Promise<Result>,
): Promise<Result> {
  return outer ? inSpan(outer, describe(), work) : work(undefined);
}

async function inSpan<Result>(
  { tracer, context: around }: Trace,
  { name, ...options }: SpanDescription,
  work: (inner: Trace) => Promise<Result>,
): Promise<Result> {
  const span = tracer.startSpan(name, options, around);
  const inner = { tracer, span, context: trace.setSpan(around, span) };
  try {
    return await context.with(inner.context, work, undefined, inner);
  } catch (error) {
    span.setAttribute('error.type', classify(error));
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** The maximum length of a recorded operation name. Names come from clients, so those with keys are not recorded. */
const LONGEST_NAME = 64;

export function nameOperation(
  inner: Trace | undefined,
  { operation, code }: { operation: string | undefined; code: string },
): void {
  if (!inner) return;
  const { span } = inner;
  span.setAttribute('graphql.operation.type', 'query');
  if (code !== 'ok') span.setAttribute('error.type', code);
  if (operation === undefined) return;
  const name = redact(operation).slice(0, LONGEST_NAME);
  span.updateName(`query ${name}`);
  span.setAttribute('graphql.operation.name', name);
}

/** Returns PostgreSQL's code, if there is one. */
function classify(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : String(name);
}
