import type { Rows } from '@sightline/pg-client';
import { invalidParameter } from '../../schema/errors.ts';
import type { Account } from '../../sql/account.ts';
import type { Database } from '../../sql/client.ts';
import {
  type ArrivedRow,
  arrivals,
  type Cursor,
  isGap,
  lastPosition,
  type PageSize,
  readCursor,
  START,
  toCursorText,
} from '../../sql/exports.ts';
import { streamReply } from '../http/answers.ts';
import type { Reply, Request } from '../http/reply.ts';
import { parseQuery } from '../rest/query-string.ts';
import type { ExportRequest, ExportSelection } from './export-request.ts';
import type { ExportFields } from './fields.ts';
import type { ExportForm } from './forms.ts';
import type { ExportQuery } from './parameters.ts';
import { ReadAhead } from './read-ahead.ts';
import { written } from './stream.ts';

/** The delay before the next request after an empty response, in seconds. */
const POLL = '60';

/** Responds with the records after a cursor, and the next cursor. */
type ReplyWithPage = (
  request: Request,
  scope: ExportRequest,
  exported: ExportSelection,
  parameters: PageParameters,
  form: ExportForm,
  headers: Record<string, string>,
) => Promise<Reply>;

/** @param publicPath prefix that a proxy removes from paths */
export function createPages(publicPath: string): ReplyWithPage {
  const readAhead = new ReadAhead<Page>();
  return async (request, scope, exported, parameters, form, headers) => {
    const { after } = parameters;
    const { account } = scope;
    const withCursors = parameters.cursors && form.name === 'ndjson';
    const options = { ...parameters, withCursors };
    const toName = (cursor: string) =>
      JSON.stringify([
        account.id,
        account.version,
        request.path,
        withCursor(request.query, cursor),
        withCursors,
      ]);
    const load = async () => {
      const ahead = await readAhead.take(toName(after));
      // A page that was not full may have grown.
      return ahead?.isFull ? ahead : loadPage(scope.database, account, exported, options);
    };
    const { next, rows, gap, isFull } = await request.inTime(load());
    if (isFull)
      readAhead.begin(toName(next), () =>
        loadPage(scope.laterDatabase, account, exported, { ...options, after: next }),
      );
    const columns = withCursors ? exported.fields.withCursor : exported.fields.plain;
    const link = `${publicPath}${request.path}?${withCursor(request.query, next)}`;
    Object.assign(headers, { Link: `<${link}>; rel="next"`, 'Sightline-Cursor': next });
    if (gap) headers['Sightline-Gap'] = 'true';
    if (!rows || rows.length === 0) headers['Retry-After'] = POLL;
    return collect(streamReply(onePage(rows, form, columns), headers, request.headers['accept-encoding']));
  };
}

type PageParameters = ExportQuery & { after: string };

/** A page of records, and the cursor after them. */
interface Page {
  rows: Rows<ArrivedRow> | undefined;
  next: string;
  /** Whether records after the requested cursor were removed because of their age. */
  gap: boolean;
  /** Whether more records follow. */
  isFull: boolean;
}

async function loadPage(
  database: Database,
  account: Account,
  { source, oldest }: ExportSelection,
  { after, limit, withCursors }: PageParameters & PageSize,
): Promise<Page> {
  const from = after === '' || after === 'now' ? START : readCursor(source, after);
  if (!from) throw invalidParameter('after');
  const last = await lastPosition(database, source);
  if (after === 'now')
    return { next: toCursorText(source, { position: last }), rows: undefined, gap: false, isFull: false };
  const { rows, until } = await arrivals(database, source, from, last, { limit, withCursors });
  const gap =
    oldest !== undefined && after !== '' && (await isGap(database, account.id, source.name, from, oldest));
  const final = rows.last();
  // Large texts can fill a page before its limit of rows.
  if (final && (rows.length === limit || final.hasNext))
    return { next: final.cursor!, rows, gap, isFull: true };
  // A cursor moves past a gap, so that the gap is reported once.
  const next = final || gap ? undefined : stay(after, from, until);
  return {
    next: next ?? toCursorText(source, { position: maximum(until, from.position) }),
    rows,
    gap,
    isFull: false,
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
