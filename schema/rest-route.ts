import type { DocumentedRoute } from '@sightline/openapi/api';
import type { PublicError } from './errors.ts';

/** The route of a Query field under `/v1`, declared on the field itself. */
export interface RestRoute extends DocumentedRoute {
  refusals?: Readonly<Record<string, PublicError>>;
  /** A list that is written page by page as it is read, when none of these parameters is given. */
  stream?: { list: string; cursor: string; unless: readonly string[] };
}

/** The options that make a Query field a route, and keep it out of `/graphql`, where `Account` has the same. */
export function restRoute(route: RestRoute) {
  return { subGraphs: ['rest' as const], extensions: { rest: route } };
}
