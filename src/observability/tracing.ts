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

/** A span, and where those within it hang. */
export interface Trace {
  tracer: Tracer;
  span: Span;
  context: Context;
}

/** The tracer of the SDK that was registered before the service started; undefined where there is none. */
export function findTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider();
  return provider instanceof ProxyTracerProvider
    ? provider.getDelegateTracer('sightline', serviceVersion())
    : provider.getTracer('sightline', serviceVersion());
}

/** The span of a request, within the one that the client names in `traceparent` (W3C Trace Context). */
export function startRequestSpan(tracer: Tracer, method: string, headers: IncomingHttpHeaders): Trace {
  const outer = propagation.extract(ROOT_CONTEXT, headers, HEADERS);
  const attributes = { 'http.request.method': method };
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, outer);
  return { tracer, span, context: trace.setSpan(outer, span) };
}

/** A client's headers become part of the span: `tracestate` may hold anything. */
const HEADERS = {
  keys: (headers: IncomingHttpHeaders) => Object.keys(headers),
  get: (headers: IncomingHttpHeaders, name: string) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? undefined : redact(String(value));
  },
};

/** Does the work so that whatever records spans by itself, such as the instrumentation of a library, finds this one. */
export function within<Result>(outer: Trace | undefined, work: () => Result): Result {
  return outer ? context.with(outer.context, work) : work();
}

/** The outcome of a request. */
export interface RequestOutcome {
  route: string;
  method: string;
  requestId: string;
  /** Undefined when nothing was answered. */
  status: number | undefined;
  aborted: boolean;
  account: string | undefined;
}

/** The names are those of OpenTelemetry's semantic conventions, but without address and query: they hold ids. */
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
 * Does the work in a span of its own, where spans are recorded; it gets that span as the next one's outer. A span has
 * only the kind of an error: messages of a database can hold data.
 */
export function traced<Result>(
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
    span.setAttribute('error.type', kindOf(error));
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** Names are the client's own: short ones are told, and no key. */
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

/** PostgreSQL's code where there is one. */
function kindOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : String(name);
}
