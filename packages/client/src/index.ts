export {
  type AuditOptions,
  type Client,
  type ClientOptions,
  createClient,
  type ExportFileOptions,
} from './client.ts';
export { SightlineError } from './error.ts';
export type { GraphQLOptions, TypedDocument } from './graphql.ts';
export type { components, operations, paths } from './openapi.generated.ts';
export type { ExportPage, PageOptions, PageOptions as ArrivalOptions } from './pages.ts';
export type { Fetch, RetryOptions } from './retry.ts';
export type {
  Arguments,
  Arrivals,
  AuditEvent,
  Body,
  ExportParameters,
  ExportPath,
  ExportRecord,
  Options,
  Parameters,
  Path,
} from './types.ts';
