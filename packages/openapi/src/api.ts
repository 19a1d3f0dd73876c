import type { ReportType } from '@sightline/reports';
import type { GraphQLArgument, GraphQLSchema } from 'graphql';

/** The service to describe. */
export interface Api {
  version: string;
  /** The path above all routes: `/v1`. */
  basePath: string;
  /** The schema whose Query fields are the routes. */
  rest: GraphQLSchema;
  /** The schema of `/graphql`. Exports contain some of its fields that no route has. */
  graph: GraphQLSchema;
  errors: ErrorTexts;
  /** The filter inputs of each report type. */
  filters: ReadonlyMap<ReportType, ReadonlyMap<string, GraphQLArgument>>;
  /** Formats records as an export does. */
  toCsv(records: readonly Readonly<Record<string, unknown>>[]): string;
}

/** The refusals that any operation can respond with. */
type Refusal = 'unauthorized' | 'noApiAccess' | 'methodNotAllowed' | 'tooManyRequests' | 'unforeseen';

/** The error texts of the service. */
export interface ErrorTexts {
  refusals: Readonly<Record<Refusal, readonly [status: number, text: string]>>;
  invalidParameter(name: string): string;
  missingParameter(name: string): string;
}

/** The part of a route's declaration that a description contains. */
export interface DocumentedRoute {
  /** Below the base path: `:name` is an argument, `:name(a|b)` one of the literals. */
  path: string;
  /** The first word of the operation's name; `get` if omitted. */
  verb?: 'list';
  /** A heading of the documentation. */
  tag: string;
  summary: string;
  /** Values of the path parameters, for examples. */
  example?: Readonly<Record<string, string>>;
  /** Refusals of single parameters, if they differ from the usual `400`. */
  refusals?: Readonly<Record<string, unknown>>;
  /** Parameters of sibling routes that do not apply here, with the error message for each. */
  inapplicable?: Readonly<Record<string, string>>;
  /** Parameters that accept any value, even an empty one. */
  lenient?: readonly string[];
  /** The statuses other than 200, 400 (with parameters), 401, 403, 405, 429 and 500, with their error texts. */
  errors?: Readonly<Partial<Record<400 | 403 | 404, readonly string[]>>>;
}
