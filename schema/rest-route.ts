import type { PublicError } from './errors.ts';

/** The route of a Query field under `/v1`, declared on the field itself. */
export interface RestRoute {
  /** Below `/v1`: `:name` is an argument, `:name(a|b)` one of the literals. */
  path: string;
  /** The first word of its operation's name: `get` when left out. */
  verb?: 'list';
  /** A heading of the documentation. */
  tag: string;
  summary: string;
  /** Values of the path's parameters, for examples. */
  example?: Readonly<Record<string, string>>;
  /** A parameter's own refusal, where it is not the usual `400`. */
  refusals?: Readonly<Record<string, PublicError>>;
  /** Known parameters of sibling routes that make no sense here, and what to say of them. */
  inapplicable?: Readonly<Record<string, string>>;
  /** Parameters for which no value is wrong, not even an empty one. */
  lenient?: readonly string[];
  /** Statuses beyond 200, 400 (with parameters), 401, 403, 405, 429 and 500, with the texts of their errors. */
  errors?: Readonly<Partial<Record<400 | 403 | 404, readonly string[]>>>;
  /** A list that is written page by page as it is read, when none of these parameters is given. */
  stream?: { list: string; cursor: string; unless: readonly string[] };
}

/** The options that make a Query field a route, and keep it out of `/graphql`, where `Account` has the same. */
export function restRoute(route: RestRoute) {
  return { subGraphs: ['rest' as const], extensions: { rest: route } };
}
