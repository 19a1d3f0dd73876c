import type { DocumentedRoute } from '@sightline/openapi/description';
import type { PublicError } from './errors.ts';

/** The route of a Query field under `/v1`, declared at the field. */
export interface RestRoute extends DocumentedRoute {
  refusals?: Readonly<Record<string, PublicError>>;
  /** Streams the list page by page if none of these parameters is given. */
  stream?: { list: string; cursor: string; unless: readonly string[] };
}

/**
 * Options that expose a Query field as a route of `/v1` and hide it from `/graphql`, where `Account` has the same
 * field.
 */
export function restRoute(route: RestRoute) {
  return { subGraphs: ['rest' as const], extensions: { rest: route } };
}
