export {
  type ArrivalOptions,
  type AuditOptions,
  type Client,
  type ClientOptions,
  createClient,
} from './client.ts';
export { SightlineError } from './error.ts';
export type { components, operations, paths } from './openapi.generated.ts';
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
