import { HttpResponse, http, type RequestHandler } from 'msw';
import { paths as documented, responses } from './answers.generated.ts';
import type { Body, Path } from './types.ts';

export interface MockOptions {
  /** As that of the client; `*`, which stands for any, when left out. */
  baseUrl?: string;
}

interface Described {
  headers: Readonly<Record<string, string>>;
  /** By the names of the examples; none where the answer has no body. */
  bodies: Readonly<Record<string, unknown>>;
}

const statuses = (path: Path) => documented[path] as Readonly<Record<string, string>>;

function described(path: Path, status: number): Described {
  const name = statuses(path)[status];
  if (!name)
    throw new Error(`${path} answers with ${Object.keys(statuses(path)).join(', ')}, not with ${status}`);
  return (responses as Readonly<Record<string, Described>>)[name]!;
}

/**
 * The whole service: a `GET` with a key gets the first example of its path, a 304 where `If-None-Match` has its entity
 * tag. Without a key it gets 401, with another method 405, and below `/v1` nothing else is there.
 */
export function handlers({ baseUrl = '*' }: MockOptions = {}): RequestHandler[] {
  const paths = Object.keys(documented) as Path[];
  return [
    ...paths.map(path =>
      http.all(pattern(path, baseUrl), ({ request }) => reply(path, usualStatus(path, request), request)),
    ),
    http.all(`${baseUrl}/v1/*`, () => HttpResponse.json({ error: 'Not found' }, { status: 404 })),
  ];
}

/** Answers a path with a body of the test's own, and the documented headers. */
export function answer<P extends Path>(
  path: P,
  body: Body<P>,
  { baseUrl = '*' }: MockOptions = {},
): RequestHandler {
  const { headers } = described(path, 200);
  return http.get(pattern(path, baseUrl), () =>
    HttpResponse.json(body as object, { headers: typed(headers) }),
  );
}

/**
 * Answers a path with an error of the description, or with another of its examples.
 * @param example its name in the description; the first when left out
 * @throws where the description has no such status or example
 */
export function respond(
  path: Path,
  status: number,
  { baseUrl = '*', example }: MockOptions & { example?: string } = {},
): RequestHandler {
  const { bodies } = described(path, status);
  if (example !== undefined && !(example in bodies)) {
    throw new Error(`${path} ${status} has the examples ${Object.keys(bodies).join(', ')}, not ${example}`);
  }
  return http.get(pattern(path, baseUrl), ({ request }) => reply(path, status, request, example));
}

type ReportPath = Extract<Path, `/v1/reports/${string}`>;

/** Types of reports that have a path of their own: all. */
export type ReportType = Exclude<ReportPath extends `/v1/reports/${infer Type}` ? Type : never, '{type}'>;

export type ReportRecord<T extends ReportType> = Body<`/v1/reports/${T}`>['reports'][number];

let built = 0;

/** A record of a type: that of the description, with the fields of the test, and an id of its own where it has one. */
export function record<T extends ReportType>(
  type: T,
  fields: Partial<ReportRecord<T>> = {},
): ReportRecord<T> {
  const [example] = Object.values(described(`/v1/reports/${type}` as Path, 200).bodies);
  const [first] = (example as { reports: [ReportRecord<T>] }).reports;
  const own = 'id' in first ? { id: `${type}-${++built}` } : {};
  return { ...structuredClone(first), ...own, ...fields };
}

/** For a path that the concrete ones before it fit, too, what is left is a type that is none. */
function usualStatus(path: Path, { method, headers }: Request): number {
  if (method !== 'GET') return 405;
  if (!/^Bearer svc_/i.test(headers.get('authorization') ?? '')) return 401;
  if (path === '/v1/reports/{type}') return 404;
  return headers.get('if-none-match') === described(path, 200).headers.ETag ? 304 : 200;
}

function reply(path: Path, status: number, { method }: Request, example?: string): Response {
  const { headers, bodies } = described(path, status);
  const body = example === undefined ? Object.values(bodies)[0] : bodies[example];
  if (body === undefined) return new HttpResponse(null, { status, headers: { ...headers } });
  const text = method === 'HEAD' ? null : JSON.stringify(body);
  return new HttpResponse(text, { status, headers: typed(headers) });
}

const typed = (headers: Described['headers']) => ({
  ...headers,
  'Content-Type': 'application/json; charset=utf-8',
});

const pattern = (path: Path, baseUrl: string) =>
  baseUrl.replace(/\/$/, '') + path.replace(/\{(\w+)\}/g, ':$1');
