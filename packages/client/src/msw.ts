import { HttpResponse, http, type RequestHandler } from 'msw';
import { paths as documented, responses } from './answers.generated.ts';
import { exampleRecords, exported, type ResponseExamples } from './msw-exports.ts';
import type { Body, ExportPath, Path as JsonPath } from './types.ts';

export interface MockOptions {
  /** The client's `baseUrl`; by default `*`, which matches any. */
  baseUrl?: string;
}

type Path = JsonPath | ExportPath;

const listStatuses = (path: Path) => documented[path] as Readonly<Record<string, string>>;

function describeAnswer(path: Path, status: number): ResponseExamples {
  const statuses = listStatuses(path);
  const name = statuses[status];
  if (!name) throw new Error(`${path} answers with ${Object.keys(statuses).join(', ')}, not with ${status}`);
  return (responses as Readonly<Record<string, ResponseExamples>>)[name]!;
}

/**
 * Handlers for the entire service: a `GET` with a key gets the first example of its path, or a 304 if `If-None-Match`
 * has its entity tag; 401 without a key, 405 for another method, 404 for another path.
 */
export function handlers({ baseUrl = '*' }: MockOptions = {}): RequestHandler[] {
  const paths = Object.keys(documented) as Path[];
  return [
    ...paths.map(path =>
      http.all(pattern(path, baseUrl), ({ request }) => reply(path, usualStatus(path, request), request)),
    ),
    ...['/v1/*', '/export/*'].map(path =>
      http.all(baseUrl + path, () => HttpResponse.json({ error: 'Not found' }, { status: 404 })),
    ),
  ];
}

/** Answers a path with your own body, an export with records, and with the documented headers. */
export function answer<P extends Path>(
  path: P,
  body: Body<P>,
  { baseUrl = '*' }: MockOptions = {},
): RequestHandler {
  const found = describeAnswer(path, 200);
  return http.get(pattern(path, baseUrl), ({ request }) =>
    isExport(path) ? exported(found, request, body as object[]) : json(found, 200, body),
  );
}

/**
 * Answers a path with an error of the description, or with another of its examples.
 * @param example its name in the description; by default the first
 * @throws if the description has no such status or example
 */
export function respond(
  path: Path,
  status: number,
  { baseUrl = '*', example }: MockOptions & { example?: string } = {},
): RequestHandler {
  const { bodies } = describeAnswer(path, status);
  if (example !== undefined && !(example in bodies)) {
    throw new Error(`${path} ${status} has the examples ${Object.keys(bodies).join(', ')}, not ${example}`);
  }
  return http.get(pattern(path, baseUrl), ({ request }) => reply(path, status, request, example));
}

type ReportPath = Extract<JsonPath, `/v1/reports/${string}`>;

/** Report types with a path of their own. */
export type MockedReportType = Exclude<
  ReportPath extends `/v1/reports/${infer Type}` ? Type : never,
  '{type}'
>;

export type ReportRecord<T extends MockedReportType> = Body<`/v1/reports/${T}`>['reports'][number];

let built = 0;

/** A record of a type: the example of the description with the test's fields, and a unique id if it has one. */
export function record<T extends MockedReportType>(
  type: T,
  fields: Partial<ReportRecord<T>> = {},
): ReportRecord<T> {
  const [example] = Object.values(describeAnswer(`/v1/reports/${type}` as Path, 200).bodies);
  const [first] = (example as { reports: [ReportRecord<T>] }).reports;
  const own = 'id' in first ? { id: `${type}-${++built}` } : {};
  return { ...structuredClone(first), ...own, ...fields };
}

const isExport = (path: string) => path.startsWith('/export/');

function usualStatus(path: Path, request: Request): number {
  const { method, headers } = request;
  if (method !== 'GET') return 405;
  if (!/^Bearer svc_/i.test(headers.get('authorization') ?? '')) return 401;
  // The concrete paths come first, so this one only matches unknown types.
  if (path === '/v1/reports/{type}') return 404;
  const found = describeAnswer(path, 200);
  if (isExport(path)) return exampleRecords(found, request) ? 200 : 404;
  return headers.get('if-none-match') === found.headers.ETag ? 304 : 200;
}

function reply(path: Path, status: number, request: Request, example?: string): Response {
  const found = describeAnswer(path, status);
  const named = example === undefined ? undefined : found.bodies[example];
  if (status === 200 && isExport(path)) {
    return exported(found, request, (named as object[]) ?? exampleRecords(found, request) ?? []);
  }
  const body = named ?? toPage(path, request, Object.values(found.bodies)[0]);
  if (body === undefined) return new HttpResponse(null, { status, headers: { ...found.headers } });
  return json(found, status, request.method === 'HEAD' ? undefined : body);
}

/** The audit log ends after the cursor of its first page, so that clients terminate. */
function toPage(path: Path, { url }: Request, body: unknown): unknown {
  if (path !== '/v1/audit-log' || !new URL(url).searchParams.get('cursor')) return body;
  return { ...(body as Body<'/v1/audit-log'>), nextCursor: null, truncated: false };
}

function json({ headers }: ResponseExamples, status: number, body: unknown): Response {
  const typed = { ...headers, 'Content-Type': 'application/json; charset=utf-8' };
  return new HttpResponse(body === undefined ? null : JSON.stringify(body), { status, headers: typed });
}

const pattern = (path: Path, baseUrl: string) =>
  baseUrl.replace(/\/$/, '') + path.replace(/\{(\w+)\}/g, ':$1');
