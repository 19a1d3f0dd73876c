import type { paths } from './openapi.generated.ts';

type AnyPath = keyof paths;

/** Paths whose answer is one JSON object. */
export type Path = Extract<AnyPath, `/v1/${string}`>;

/** Paths that stream records. */
export type ExportPath = Extract<AnyPath, `/export/${string}`>;

type Present<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>;

/** Parameters of a path and its query, whose names are distinct. */
export type Parameters<P extends AnyPath> = Present<paths[P]['get']['parameters']['path']> &
  Present<paths[P]['get']['parameters']['query']>;

/** The body of an answer with 200. */
export type Body<P extends AnyPath> = paths[P]['get']['responses'][200]['content']['application/json'];

export interface Options {
  signal?: AbortSignal;
}

/** Parameters can be omitted if none is required. A path without parameters takes none. */
export type Arguments<P extends AnyPath> = [keyof Parameters<P>] extends [never]
  ? [parameters?: Record<string, never>, options?: Options]
  : Record<never, never> extends Parameters<P>
    ? [parameters?: Parameters<P>, options?: Options]
    : [parameters: Parameters<P>, options?: Options];

/** Rejects unknown names, because a mistyped filter would export everything. */
export type Exactly<Known, G extends Known> = G & { [Name in Exclude<keyof G, keyof Known>]: never };

export type AuditEvent = Body<'/v1/audit-log'>['events'][number];

/** The parameters of an export: all matching records, or those after a cursor. The client sets the format itself. */
export type ExportParameters<P extends ExportPath> = Omit<
  Parameters<P>,
  'format' | 'cursors' | 'after' | 'limit'
>;

/** A record of a path, and of a report type if the path has one. */
export type ExportRecord<P extends ExportPath, G> = G extends { type: infer Type }
  ? Extract<Body<P>[number], { type: Type }>
  : Body<P>[number];

/** The records after a cursor, oldest first. */
export interface Arrivals<Record> {
  records: Record[];
  /** The cursor after these records, to be stored for the next call. */
  cursor: string;
  /** True if records after the last cursor are missing because their retention has ended. */
  gap: boolean;
}
