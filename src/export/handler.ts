import { EXPORT_PATH } from '@sightline/export/path';
import type { Rows } from '@sightline/postgres';
import { isReportType } from '@sightline/reports';
import { hasFeature, retentionStart } from '../../schema/entitlements.ts';
import { invalidParameter, notFound } from '../../schema/errors.ts';
import { checkFilters } from '../../schema/report-query.ts';
import type { Account } from '../../sql/account.ts';
import type { Database, Snapshot } from '../../sql/client.ts';
import { auditSource, findingSource, reportSource } from '../../sql/export-sources.ts';
import {
  type ArrivedRow,
  arrivals,
  type Cursor,
  cursorOf,
  type ExportSource,
  everything,
  isGap,
  lastPosition,
  readCursor,
  START,
} from '../../sql/exports.ts';
import { streamReply } from '../http/answers.ts';
import type { Reply, Request } from '../http/reply.ts';
import { parseQuery, type Query } from '../rest/query-string.ts';
import { AUDIT_FIELDS, FINDING_FIELDS, type Fields, reportFields } from './fields.ts';
import { type Form, formOf } from './forms.ts';
import { checkNames, checkOwn, type ExportParameters, readFilters, readParameters } from './parameters.ts';
import { Places } from './places.ts';
import { streamed } from './stream.ts';

/** The caller, and the source of an export. */
export interface Asked {
  account: Account;
  now: Date;
  /** For single statements, in their turn. */
  database: Database;
  /** One state of the data on a connection of its own. */
  snapshot(): Snapshot;
}

/** Answers a request that passed the doors before the route. @throws {PublicError | Refusal} */
export type Export = (request: Request, asked: Asked) => Promise<Reply>;

interface Exported {
  source: ExportSource;
  fields: Fields;
  /** Reports older than this are not shown; undefined where age is no matter. */
  oldest?: string;
}

/** Seconds after which to ask again, where nothing came. */
const POLL = '60';

/** The bounds by default: no date is older or later. */
const [FIRST, LAST] = ['0001-01-01T00:00:00Z', '9999-01-01T00:00:00Z'];

/**
 * `/export`: everything an account has, in order, for machines.
 * @param concurrency streams at once
 * @param patience milliseconds that the client of a stream may take its time while others want its place
 */
export function createExport(concurrency: number, patience?: number): Export {
  const places = new Places(concurrency, patience);
  return async (request, asked) => {
    const query = parseQuery(request.query);
    const path = request.path.slice(EXPORT_PATH.length);
    const route = routeOf(path);
    request.notes.route = route;
    checkNames(query, path.startsWith(REPORTS));
    const parameters = readParameters(query);
    checkOwn(parameters.account, asked.account.id);
    const form = formOf(parameters.format, request.headers.accept);
    const exported = exportedOf(path, query, parameters, asked);
    const headers = headersOf(exported, form, asked.now);
    const { after } = parameters;
    return after === undefined
      ? whole(request, asked, exported, form, headers, places)
      : behind(request, asked, exported, { ...parameters, after }, form, headers);
  };
}

const REPORTS = '/reports/';

function routeOf(path: string): string {
  if (path === '/audit-log' || path === '/findings') return EXPORT_PATH + path;
  if (!path.startsWith(REPORTS)) throw notFound('Not found');
  if (!isReportType(path.slice(REPORTS.length))) throw notFound('Unknown report type');
  return EXPORT_PATH + path;
}

function exportedOf(
  path: string,
  query: Query,
  { from = FIRST, to: until = LAST }: ExportParameters,
  { account, now }: Asked,
): Exported {
  if (path === '/audit-log')
    return { source: auditSource(account.id, { from, until }), fields: AUDIT_FIELDS };
  if (path === '/findings')
    return { source: findingSource(account.id, { from, until }), fields: FINDING_FIELDS };
  const type = path.slice(REPORTS.length);
  if (!isReportType(type)) throw notFound('Unknown report type');
  const { filters, not } = readFilters(type, query);
  checkFilters(account, type, filters, not);
  const oldest = retentionStart(account, now).toISOString();
  const threatIntelligence = hasFeature(account, 'threatIntelligence');
  const source = reportSource({
    account: account.id,
    type,
    from: from > oldest ? from : oldest,
    until,
    filters,
    not,
    threatIntelligence,
  });
  return { source, fields: reportFields(type), oldest };
}

function headersOf({ source }: Exported, { name, mediaType }: Form, now: Date): Record<string, string> {
  const file = `sightline-${source.name}-${now.toISOString().slice(0, 10)}.${name}`;
  return {
    'Content-Type': mediaType,
    'Content-Disposition': `attachment; filename="${file}"`,
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, Accept, Accept-Encoding',
  };
}

/** All rows as a stream, in one of the few places that there are for streams. */
async function whole(
  request: Request,
  asked: Asked,
  { source, fields }: Exported,
  form: Form,
  headers: Record<string, string>,
  places: Places,
): Promise<Reply> {
  const place = places.enter(asked.account.id);
  const snapshot = asked.snapshot();
  const close = () => {
    snapshot.close();
    place.leave();
  };
  place.onLost = close;
  try {
    const parts = everything(snapshot, source);
    const body = place.watched(streamed(await parts.next(), parts, form, fields.plain, close));
    return streamReply(body, headers, request.headers['accept-encoding']);
  } catch (error) {
    close();
    throw error;
  }
}

/** Reads the records behind a cursor, with the cursor that leads on. */
async function behind(
  request: Request,
  { database, account }: Asked,
  { source, fields, oldest }: Exported,
  { after, limit, cursors }: ExportParameters & { after: string },
  form: Form,
  headers: Record<string, string>,
): Promise<Reply> {
  const from = after === '' || after === 'now' ? START : readCursor(source, after);
  if (!from) throw invalidParameter('after');
  const work = async () => {
    const last = await lastPosition(database, source);
    if (after === 'now') return { next: cursorOf(source, { position: last }), rows: undefined, gap: false };
    const { rows, until } = await arrivals(database, source, from, last, limit);
    const gap =
      oldest !== undefined && after !== '' && (await isGap(database, account.id, source.name, from, oldest));
    return { next: nextCursor(source, after, from, until, rows, limit), rows, gap };
  };
  const { next, rows, gap } = await request.inTime(work());
  const columns = cursors && form.name === 'ndjson' ? fields.withCursor : fields.plain;
  const link = `${request.path}?${withCursor(request.query, next)}`;
  Object.assign(headers, { Link: `<${link}>; rel="next"`, 'Sightline-Cursor': next });
  if (gap) headers['Sightline-Gap'] = 'true';
  if (!rows || rows.length === 0) headers['Retry-After'] = POLL;
  return streamReply(onePage(rows, form, columns), headers, request.headers['accept-encoding']);
}

/** Behind the last row of a page that is full, otherwise behind all that was asked for; the same where nothing came. */
function nextCursor(
  source: ExportSource,
  after: string,
  { position }: Cursor,
  until: string,
  rows: Rows<ArrivedRow>,
  limit: number,
): string {
  const final = rows.last();
  // Rows with large texts end a page before its limit.
  if (final && (rows.length === limit || rows.length < final.found)) return final.cursor;
  if (after !== '' && !final && BigInt(until) <= BigInt(position)) return after;
  return cursorOf(source, { position: maximum(until, position) });
}

const maximum = (one: string, other: string) => (BigInt(one) > BigInt(other) ? one : other);

async function* onePage(
  rows: Rows<ArrivedRow> | undefined,
  form: Form,
  columns: Fields['plain'],
): AsyncGenerator<Buffer> {
  yield Buffer.from(form.start(columns));
  if (rows && rows.length > 0) {
    const written = form.write(rows, columns, true);
    yield* written.pieces;
    written.release();
  }
  yield Buffer.from(form.end);
}

function withCursor(query: string, cursor: string): string {
  const others = query
    // A link ends at the first of them (RFC 8288), and a query is repeated as it came.
    .replace(/[<>"]/g, encodeURIComponent)
    .split('&')
    .filter(pair => pair !== '' && !/^after(=|$)/.test(pair));
  return [...others, `after=${cursor}`].join('&');
}
