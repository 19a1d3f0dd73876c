import type { ReportType } from '@sightline/reports';
import type { GraphQLArgument, GraphQLSchema } from 'graphql';

/** The service that a description is printed of. */
export interface Api {
  version: string;
  /** The path above all routes: `/v1`. */
  basePath: string;
  /** Its Query fields are the routes. */
  rest: GraphQLSchema;
  /** The schema of `/graphql`. Exports show fields of it that no route has. */
  graph: GraphQLSchema;
  errors: ErrorTexts;
  /** The inputs of the filters of each report type. */
  filters: ReadonlyMap<ReportType, ReadonlyMap<string, GraphQLArgument>>;
  /** Writes records as an export does. */
  csvOf(records: readonly Readonly<Record<string, unknown>>[]): string;
}

/** The refusals that any operation can answer with. */
type Refusal = 'unauthorized' | 'noApiAccess' | 'methodNotAllowed' | 'tooManyRequests' | 'unforeseen';

/** The words in which the service refuses. */
export interface ErrorTexts {
  refusals: Readonly<Record<Refusal, readonly [status: number, text: string]>>;
  invalidParameter(name: string): string;
  missingParameter(name: string): string;
}

/** The part of a route, declared on its field, that a description shows. */
export interface DocumentedRoute {
  /** Below the base path: `:name` is an argument, `:name(a|b)` one of the literals. */
  path: string;
  /** The first word of its operation's name: `get` when left out. */
  verb?: 'list';
  /** A heading of the documentation. */
  tag: string;
  summary: string;
  /** Values of the path's parameters, for examples. */
  example?: Readonly<Record<string, string>>;
  /** A parameter's own refusal, where it is not the usual `400`. */
  refusals?: Readonly<Record<string, unknown>>;
  /** Known parameters of sibling routes that make no sense here, and what to say of them. */
  inapplicable?: Readonly<Record<string, string>>;
  /** Parameters for which no value is wrong, not even an empty one. */
  lenient?: readonly string[];
  /** Statuses beyond 200, 400 (with parameters), 401, 403, 405, 429 and 500, with the texts of their errors. */
  errors?: Readonly<Partial<Record<400 | 403 | 404, readonly string[]>>>;
}
