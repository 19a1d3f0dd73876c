import type { Rows } from '@sightline/pg-client';
import { isReportType } from '@sightline/reports';
import { EXPORT_PATH, FURTHER_EXPORTS } from '@sightline/tools';
import { hasFeature, retentionStart } from '../../schema/entitlements.ts';
import { invalidParameter, notFound } from '../../schema/errors.ts';
import { checkFilters } from '../../schema/report-query.ts';
import type { Account } from '../../sql/account.ts';
import type { Database, Snapshot } from '../../sql/client.ts';
import { auditSource, findingSource, reportSource, verdictSource } from '../../sql/export-sources.ts';
import {
  type ArrivedRow,
  arrivals,
  type Cursor,
  type ExportSource,
  everything,
  isGap,
  lastPosition,
  readCursor,
  START,
  toCursorText,
} from '../../sql/exports.ts';
import { streamReply } from '../http/answers.ts';
import type { Reply, Request } from '../http/reply.ts';
import { parseQuery, type QueryString } from '../rest/query-string.ts';
import { AUDIT_FIELDS, type ExportFields, FINDING_FIELDS, reportFields, VERDICT_FIELDS } from './fields.ts';
import { detectForm, type ExportForm } from './forms.ts';
import {
  checkNames,
  checkOwn,
  type ExportQuery,
  readFilters,
  readParameters,
  readQuery,
} from './parameters.ts';
import { ExportSlots } from './places.ts';
import { streamExport, written } from './stream.ts';

/** The caller, and the source of an export. */
export interface ExportRequest {
  account: Account;
  now: Date;
  /** For single statements, through the queue. */
  database: Database;
  /** A snapshot of the data on a dedicated connection. */
  snapshot(): Snapshot;
}

/**
 * Responds to a request that has passed the pipeline.
 * @throws {PublicError | Refusal}
 */
export type Export = (request: Request, scope: ExportRequest) => Promise<Reply>;

interface ExportSelection {
  source: ExportSource;
  fields: ExportFields;
  /** Older reports are hidden; undefined if the age does not matter. */
  oldest?: string;
}

/** The delay before the next request after an empty response, in seconds. */
const POLL = '60';

/** The default period, which includes every date. */
const [FIRST, LAST] = ['0001-01-01T00:00:00Z', '9999-01-01T00:00:00Z'];

/**
 * Creates the handler of `/export`, which streams all data of an account in order.
 * @param concurrency maximum number of concurrent streams
 * @param publicPath prefix that a proxy removes from paths
 * @param patience milliseconds for which a client can stall a stream while others wait for its slot
 */
export function createExport(concurrency: number, publicPath: string, patience?: number): Export {
  const places = new ExportSlots(concurrency, patience);
  return async (request, scope) => {
    const path = request.path.slice(EXPORT_PATH.length);
    const route = getRoute(path);
    request.notes.route = route;
    const query = readQuery(request.query);
    checkNames(query, path.startsWith(REPORTS));
    const parameters = readParameters(query);
    checkOwn(parameters.account, scope.account.id);
    const form = detectForm(parameters.format, request.headers.accept);
    const exported = findExport(path, query, parameters, scope);
    const headers = toHeaders(exported, form, scope.now);
    const { after } = parameters;
    return after === undefined
      ? whole(request, scope, exported, form, headers, places)
      : replyWithPage(request, scope, exported, { ...parameters, after, publicPath }, form, headers);
  };
}

const REPORTS = '/reports/';

function getRoute(path: string): string {
  if (FURTHER_EXPORTS.some(name => path === `/${name}`)) return EXPORT_PATH + path;
  if (!path.startsWith(REPORTS)) throw notFound('Not found');
  if (!isReportType(path.slice(REPORTS.length))) throw notFound('Unknown report type');
  return EXPORT_PATH + path;
}

function findExport(
  path: string,
  query: QueryString,
  { from = FIRST, to: until = LAST }: ExportQuery,
  { account, now }: ExportRequest,
): ExportSelection {
  if (path === '/audit-log')
    return { source: auditSource(account.id, { from, until }), fields: AUDIT_FIELDS };
  if (path === '/findings')
    return { source: findingSource(account.id, { from, until }), fields: FINDING_FIELDS };
  if (path === '/verdicts')
    return { source: verdictSource(account.id, { from, until }), fields: VERDICT_FIELDS };
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

function toHeaders(
  { source }: ExportSelection,
  { name, mediaType }: ExportForm,
  now: Date,
): Record<string, string> {
  const file = `sightline-${source.name}-${now.toISOString().slice(0, 10)}.${name}`;
  return {
    'Content-Type': mediaType,
    'Content-Disposition': `attachment; filename="${file}"`,
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, Accept, Accept-Encoding',
  };
}

/** Streams all rows, in one of the export slots. */
async function whole(
  request: Request,
  scope: ExportRequest,
  { source, fields }: ExportSelection,
  form: ExportForm,
  headers: Record<string, string>,
  places: ExportSlots,
): Promise<Reply> {
  const place = places.enter(scope.account.id);
  const snapshot = scope.snapshot();
  const close = () => {
    snapshot.close();
    place.leave();
  };
  place.onLost = close;
  try {
    const parts = everything(snapshot, source);
    const body = place.watchBody(streamExport(await parts.next(), parts, form, fields.plain, close));
    return streamReply(body, headers, request.headers['accept-encoding']);
  } catch (error) {
    close();
    throw error;
  }
}

/** Responds with the records after a cursor, and the next cursor. */
async function replyWithPage(
  request: Request,
  { database, account }: ExportRequest,
  { source, fields, oldest }: ExportSelection,
  { after, limit, cursors, publicPath }: ExportQuery & { after: string; publicPath: string },
  form: ExportForm,
  headers: Record<string, string>,
): Promise<Reply> {
  const from = after === '' || after === 'now' ? START : readCursor(source, after);
  if (!from) throw invalidParameter('after');
  const withCursors = cursors && form.name === 'ndjson';
  const work = async () => {
    const last = await lastPosition(database, source);
    if (after === 'now')
      return { next: toCursorText(source, { position: last }), rows: undefined, gap: false };
    const { rows, until } = await arrivals(database, source, from, last, { limit, withCursors });
    const gap =
      oldest !== undefined && after !== '' && (await isGap(database, account.id, source.name, from, oldest));
    return { next: nextCursor(source, after, from, until, rows, limit, gap), rows, gap };
  };
  const { next, rows, gap } = await request.inTime(work());
  const columns = withCursors ? fields.withCursor : fields.plain;
  const link = `${publicPath}${request.path}?${withCursor(request.query, next)}`;
  Object.assign(headers, { Link: `<${link}>; rel="next"`, 'Sightline-Cursor': next });
  if (gap) headers['Sightline-Gap'] = 'true';
  if (!rows || rows.length === 0) headers['Retry-After'] = POLL;
  return collect(streamReply(onePage(rows, form, columns), headers, request.headers['accept-encoding']));
}

/** Buffers the body to send its length, since not every client or proxy detects a truncated response without one. */
async function collect({ body, ...reply }: Reply): Promise<Reply> {
  const pieces: Buffer[] = [];
  // Copied, because a chunk is valid only until the next one is read.
  for await (const piece of body as AsyncIterable<Buffer>) pieces.push(Buffer.from(piece));
  return { ...reply, body: pieces };
}

/**
 * Places the cursor after the last row of a full page, otherwise at the end of the data. Without rows the cursor does
 * not move, except past a gap, so that a gap is reported once.
 */
function nextCursor(
  source: ExportSource,
  after: string,
  { position }: Cursor,
  until: string,
  rows: Rows<ArrivedRow>,
  limit: number,
  gap: boolean,
): string {
  const final = rows.last();
  // Large texts can fill a page before its limit of rows.
  if (final && (rows.length === limit || final.hasNext)) return final.cursor!;
  if (after !== '' && !gap && !final && BigInt(until) <= BigInt(position)) return after;
  return toCursorText(source, { position: maximum(until, position) });
}

const maximum = (one: string, other: string) => (BigInt(one) > BigInt(other) ? one : other);

async function* onePage(
  rows: Rows<ArrivedRow> | undefined,
  form: ExportForm,
  columns: ExportFields['plain'],
): AsyncGenerator<Buffer> {
  yield Buffer.from(form.start(columns));
  if (rows && rows.length > 0) yield* written(rows, form, columns, true);
  yield Buffer.from(form.end);
}

function withCursor(query: string, cursor: string): string {
  const others = query
    // Escaped, because these characters would end a link (RFC 8288).
    .replace(/[<>"]/g, encodeURIComponent)
    .split('&')
    .filter(pair => pair !== '' && !parseQuery(pair).has('after'));
  return [...others, `after=${cursor}`].join('&');
}
