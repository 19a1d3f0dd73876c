import { randomUUID } from 'node:crypto';
import type { Rows } from '@sightline/pg-client';
import { MULTIPART } from '@sightline/tools';
import { invalidParameter } from '../../schema/errors.ts';
import { type Cursor, readCursor, START, toCursorText } from '../../sql/export/cursor.ts';
import { type ArrivedRow, arrivals, type PageSize } from '../../sql/export/pages.ts';
import { isGap, lastPosition, toLastRowReader } from '../../sql/export/positions.ts';
import { streamArrivals } from '../../sql/export/stream.ts';
import { streamReply } from '../http/answers.ts';
import { namesType } from '../http/negotiate.ts';
import type { HeaderValue, Reply, Request } from '../http/reply.ts';
import { parseQuery } from '../rest/query-string.ts';
import type { ExportRequest, ExportSelection } from './export-request.ts';
import type { ExportFields } from './fields.ts';
import type { ExportForm } from './forms.ts';
import type { ExportQuery } from './parameters.ts';
import { type ExportPart, writeParts } from './parts.ts';
import { type ExportSlot, type ExportSlots, openSnapshot } from './places.ts';
import { written } from './stream.ts';

/** The delay before the next request after an empty response, in seconds. */
const POLL = '60';

/** Maximum number of records that are read before a response in parts begins. */
const FIRST_PART = 200;

/** Responds with the records after a cursor, and the next cursor. */
type ReplyWithPage = (
  request: Request,
  scope: ExportRequest,
  exported: ExportSelection,
  parameters: PageParameters,
  form: ExportForm,
  headers: Record<string, string>,
) => Promise<Reply>;

/**
 * @param publicPath prefix that a proxy removes from paths
 * @param slots of streams
 */
export function createPages(publicPath: string, slots: ExportSlots): ReplyWithPage {
  return async (request, scope, exported, parameters, form, headers) => {
    const withCursors = parameters.cursors && form.name === 'ndjson';
    const { accept, 'accept-encoding': acceptEncoding } = request.headers;
    const load = (limit: number) =>
      request.inTime(loadPage(scope, exported, { ...parameters, limit, withCursors }));
    const wantsParts = !withCursors && namesType(accept, MULTIPART);
    const first = wantsParts ? Math.min(parameters.limit, FIRST_PART) : parameters.limit;
    let page = await load(first);
    if (wantsParts && page.hasNext) {
      const slot = slots.enter(scope.account.id);
      if (slot) return replyWithParts(page, scope, exported, form, headers, slot, acceptEncoding);
      if (first < parameters.limit) page = await load(parameters.limit);
    }
    const { next, rows, gap } = page;
    const columns = withCursors ? exported.fields.withCursor : exported.fields.plain;
    const link = `${publicPath}${request.path}?${withCursor(request.query, next)}`;
    Object.assign(headers, { Link: `<${link}>; rel="next"`, 'Sightline-Cursor': next });
    if (gap) headers['Sightline-Gap'] = 'true';
    if (!rows || rows.length === 0) headers['Retry-After'] = POLL;
    return collect(streamReply(onePage(rows, form, columns), headers, acceptEncoding));
  };
}

/** Responds with a page, and all that follow, as the parts of one stream. */
function replyWithParts(
  { rows, next, gap }: Page,
  scope: ExportRequest,
  { source, fields }: ExportSelection,
  form: ExportForm,
  headers: Record<string, string>,
  slot: ExportSlot,
  acceptEncoding: HeaderValue,
): Reply {
  const { snapshot, close } = openSnapshot(scope, slot);
  async function* readArrivals(): AsyncGenerator<ExportPart> {
    try {
      const place = readCursor(source, next)!;
      yield { rows, place: () => place, gap };
      yield* streamArrivals(snapshot, source, place);
    } finally {
      close();
    }
  }
  const boundary = randomUUID();
  const toCursor = (place: Cursor) => toCursorText(source, place);
  const body = slot.watchBody(writeParts(readArrivals(), form, fields.plain, toCursor, boundary));
  const type = `${MULTIPART}; boundary=${boundary}`;
  return streamReply(body, { ...headers, 'Content-Type': type }, acceptEncoding);
}

type PageParameters = ExportQuery & { after: string };

/** A page of records, and the cursor after them. */
interface Page {
  rows: Rows<ArrivedRow> | undefined;
  next: string;
  /** Whether records after the requested cursor were removed because of their age. */
  gap: boolean;
  /** True if there can be more records after the page. */
  hasNext: boolean;
}

async function loadPage(
  { database, account }: ExportRequest,
  { source, oldest }: ExportSelection,
  { after, limit, withCursors }: PageParameters & PageSize,
): Promise<Page> {
  const from = after === '' || after === 'now' ? START : readCursor(source, after);
  if (!from) throw invalidParameter('after');
  const readLast = toLastRowReader(database, account.id, { quick: true });
  const last = await lastPosition(readLast, source);
  if (after === 'now')
    return { next: toCursorText(source, { position: last }), rows: undefined, gap: false, hasNext: false };
  const { rows, until } = await arrivals(database, source, from, last, { limit, withCursors });
  const gap =
    oldest !== undefined && after !== '' && (await isGap(database, account.id, source.name, from, oldest));
  const final = rows.last();
  // Large texts can fill a page before its limit of rows.
  if (final && (rows.length === limit || final.hasNext))
    return { next: final.cursor!, rows, gap, hasNext: true };
  // A cursor moves past a gap, so that the gap is reported once.
  const next = final || gap ? undefined : stay(after, from, until);
  return {
    next: next ?? toCursorText(source, { position: maximum(until, from.position) }),
    rows,
    gap,
    hasNext: BigInt(until) < BigInt(last),
  };
}

/** Buffers the body to send its length, since not every client or proxy detects a truncated response without one. */
async function collect({ body, ...reply }: Reply): Promise<Reply> {
  const pieces: Buffer[] = [];
  // Copied, because a chunk is valid only until the next one is read.
  for await (const piece of body as AsyncIterable<Buffer>) pieces.push(Buffer.from(piece));
  return { ...reply, body: pieces };
}

/** Returns the same cursor if nothing has arrived after it. */
function stay(after: string, { position }: Cursor, until: string): string | undefined {
  return after !== '' && BigInt(until) <= BigInt(position) ? after : undefined;
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
