import type { paths } from './openapi.generated.ts';

/** Paths of the description that have an answer in JSON. */
export type Path = keyof paths;

type Given<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>;

/** Parameters of a path and of its query: no path of the description has one name in both. */
export type Parameters<P extends Path> = Given<paths[P]['get']['parameters']['path']> &
  Given<paths[P]['get']['parameters']['query']>;

/** What is answered with 200. */
export type Body<P extends Path> = paths[P]['get']['responses'][200]['content']['application/json'];

export interface Options {
  signal?: AbortSignal;
}

/** Parameters may be left out where none is required. */
export type Arguments<P extends Path> =
  Record<never, never> extends Parameters<P>
    ? [parameters?: Parameters<P>, options?: Options]
    : [parameters: Parameters<P>, options?: Options];

export type AuditEvent = Body<'/v1/audit-log'>['events'][number];
