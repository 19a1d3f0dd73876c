/** A parameter as a form field. */
export interface Field {
  name: string;
  in: 'path' | 'query';
  kind: 'text' | 'number' | 'boolean' | 'list';
  /** The allowed values, if they are an enumeration. */
  choices?: readonly string[];
  isRequired: boolean;
  example: string;
}

/** The properties of a route from which requests are built. */
export interface DocumentedOperation {
  path: string;
  fields: readonly Field[];
}

/** Routes by operation id. */
export type Operations = Readonly<Record<string, DocumentedOperation>>;

/** The values of a form, by parameter. Lists are comma-separated. */
export type FormValues = Readonly<Record<string, string>>;

/** A request in the page: to a route, or a GraphQL document. */
export type Question = { operation: DocumentedOperation; values: FormValues } | { document: string };

/** A request in the served page: a route with values, or a GraphQL document. */
export type DocsLocation = { operation: string; values?: FormValues } | { document: string };

/**
 * Builds the request that a location describes, and fills omitted values with examples.
 * @throws if there is no such operation
 */
export function questionAt(place: DocsLocation, operations: Operations): Question {
  if ('document' in place) return place;
  const operation = operations[place.operation];
  if (!operation) throw new Error(`There is no operation ${place.operation}.`);
  return { operation, values: { ...requiredValues(operation), ...place.values } };
}

/** A request in HTTP terms. */
export interface Call {
  /** The path and query, with a leading slash, relative to the service's URL. */
  target: string;
  /** The JSON body of a POST. */
  body?: string;
}

export function toCall(question: Question): Call {
  if ('document' in question) {
    return { target: '/graphql', body: JSON.stringify({ query: oneLine(question.document) }) };
  }
  const { operation, values } = question;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encode(values[name] ?? ''));
  const query = operation.fields
    .filter(({ name, in: place }) => place === 'query' && values[name] !== undefined)
    .map(({ name }) => `${name}=${restoreReserved(encode(values[name]!))}`);
  return { target: path + (query.length > 0 ? `?${query.join('&')}` : '') };
}

/** Returns the values of all required parameters, from the examples in the description. */
function requiredValues({ fields }: DocumentedOperation): FormValues {
  return Object.fromEntries(
    fields.filter(({ isRequired }) => isRequired).map(({ name, example }) => [name, example]),
  );
}

/** The date in all examples. */
const EXAMPLE_DAY = '2026-11-20';

/**
 * Replaces the example date in a request with the current one, because the visitor's reports are recent.
 * @param today `YYYY-MM-DD`
 */
export function withCurrentDay(question: Question, today: string): Question {
  const replaceExampleDay = (text: string) =>
    EXAMPLE_DAY.startsWith(text) ? today.slice(0, text.length) : text;
  if ('document' in question) {
    const month = EXAMPLE_DAY.slice(0, 7);
    return { document: question.document.replaceAll(`"${month}"`, `"${replaceExampleDay(month)}"`) };
  }
  const { operation, values } = question;
  return { operation, values: values.date ? { ...values, date: replaceExampleDay(values.date) } : values };
}

/** Encodes all characters that have a meaning in a URL or a shell string. */
function encode(value: string): string {
  return encodeURIComponent(value).replaceAll("'", '%27');
}

/** Decodes commas, slashes and colons, which are valid in a query and common in filters. */
function restoreReserved(encoded: string): string {
  return encoded.replace(/%(2C|2F|3A)/g, sign => decodeURIComponent(sign));
}

export function oneLine(document: string): string {
  return document.trim().replace(/\s+/g, ' ');
}
