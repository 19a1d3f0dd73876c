import { isReportType } from '@sightline/reports';
import { EXPORT_PATH, FURTHER_EXPORTS } from '@sightline/tools';
import { hasFeature, retentionStart } from '../../schema/entitlements.ts';
import { notFound } from '../../schema/errors.ts';
import { checkFilters } from '../../schema/report-query.ts';
import { auditSource, findingSource, reportSource, verdictSource } from '../../sql/export/sources.ts';
import { everything } from '../../sql/export/stream.ts';
import { streamReply } from '../http/answers.ts';
import type { Reply, Request } from '../http/reply.ts';
import { Refusal } from '../http/respond.ts';
import type { QueryString } from '../rest/query-string.ts';
import type { ExportRequest, ExportSelection } from './export-request.ts';
import { AUDIT_FIELDS, FINDING_FIELDS, reportFields, VERDICT_FIELDS } from './fields.ts';
import { detectForm, type ExportForm } from './forms.ts';
import { createPages } from './pages.ts';
import {
  checkNames,
  checkOwn,
  type ExportQuery,
  readFilters,
  readParameters,
  readQuery,
} from './parameters.ts';
import { ExportSlots, openSnapshot } from './places.ts';
import { streamExport } from './stream.ts';

/**
 * Responds to a request that has passed the pipeline.
 * @throws {PublicError | Refusal}
 */
export type Export = (request: Request, scope: ExportRequest) => Promise<Reply>;

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
  const replyWithPage = createPages(publicPath, places);
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
      : replyWithPage(request, scope, exported, { ...parameters, after }, form, headers);
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

/** The `Retry-After` header if all slots are taken, in seconds. */
const BUSY = '5';

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
  if (!place) throw new Refusal('tooManyRequests', { 'Retry-After': BUSY });
  const { snapshot, close } = openSnapshot(scope, place);
  try {
    const parts = everything(snapshot, source);
    const body = place.watchBody(streamExport(await parts.next(), parts, form, fields.plain, close));
    return streamReply(body, headers, request.headers['accept-encoding']);
  } catch (error) {
    close();
    throw error;
  }
}
