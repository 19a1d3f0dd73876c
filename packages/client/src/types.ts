import type { paths } from './openapi.generated.ts';

type AnyPath = keyof paths;

/** Paths whose answer is one JSON object. */
export type Path = Extract<AnyPath, `/v1/${string}`>;

/** Paths that stream records. */
export type ExportPath = Extract<AnyPath, `/export/${string}`>;

type Given<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>;

/** Parameters of a path and of its query: no path of the description has one name in both. */
export type Parameters<P extends AnyPath> = Given<paths[P]['get']['parameters']['path']> &
  Given<paths[P]['get']['parameters']['query']>;

/** The body of an answer with 200. */
export type Body<P extends AnyPath> = paths[P]['get']['responses'][200]['content']['application/json'];

export interface Options {
  signal?: AbortSignal;
}

/** Parameters may be left out where none is required. A path without any takes none. */
export type Arguments<P extends AnyPath> = [keyof Parameters<P>] extends [never]
  ? [parameters?: Record<string, never>, options?: Options]
  : Record<never, never> extends Parameters<P>
    ? [parameters?: Parameters<P>, options?: Options]
    : [parameters: Parameters<P>, options?: Options];

/** The given object without any unknown name: a mistyped filter would export everything. */
export type Exactly<Known, G extends Known> = G & { [Name in Exclude<keyof G, keyof Known>]: never };

export type AuditEvent = Body<'/v1/audit-log'>['events'][number];

/** The form of an export: all records that fit, or those behind a cursor. Its form is the client's own matter. */
export type ExportParameters<P extends ExportPath> = Omit<
  Parameters<P>,
  'format' | 'cursors' | 'after' | 'limit'
>;

/** A record of a path, and of a type of report where the path has one. */
export type ExportRecord<P extends ExportPath, G> = G extends { type: infer Type }
  ? Extract<Body<P>[number], { type: Type }>
  : Body<P>[number];

/** The records behind a cursor, oldest first. */
export interface Arrivals<Record> {
  records: Record[];
  /** Leads on behind these records; to be kept for the next time. */
  cursor: string;
  /** True if records behind the last cursor are past their retention, and so are missing. */
  gap: boolean;
}
