/** A parameter, as a form takes it. */
export interface Field {
  name: string;
  in: 'path' | 'query';
  kind: 'text' | 'number' | 'boolean' | 'list';
  /** All that it takes, where that is a list. */
  choices?: readonly string[];
  isRequired: boolean;
  example: string;
}

/** A route, as far as a request needs it. */
export interface Operation {
  path: string;
  fields: readonly Field[];
}

/** Routes by the name of their operation. */
export type Operations = Readonly<Record<string, Operation>>;

/** The values of a form, by parameter. A list has commas. */
export type Values = Readonly<Record<string, string>>;

/** A request of the page: of a route, or a document of GraphQL. */
export type Question = { operation: Operation; values: Values } | { document: string };

/** A request's place in the page, as the page is served. */
export type Place = { operation: string; values?: Values } | { document: string };

/**
 * The request of a place, with examples for what it leaves out.
 * @throws where there is no such operation
 */
export function questionAt(place: Place, operations: Operations): Question {
  if ('document' in place) return place;
  const operation = operations[place.operation];
  if (!operation) throw new Error(`There is no operation ${place.operation}.`);
  return { operation, values: { ...requiredValues(operation), ...place.values } };
}

/** A request as HTTP has it. */
export interface Call {
  /** Below the address of the service, with a slash. */
  target: string;
  /** JSON, for a POST. */
  body?: string;
}

export function callOf(question: Question): Call {
  if ('document' in question) {
    return { target: '/graphql', body: JSON.stringify({ query: oneLine(question.document) }) };
  }
  const { operation, values } = question;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encode(values[name] ?? ''));
  const query = operation.fields
    .filter(({ name, in: place }) => place === 'query' && values[name] !== undefined)
    .map(({ name }) => `${name}=${legible(encode(values[name]!))}`);
  return { target: path + (query.length > 0 ? `?${query.join('&')}` : '') };
}

/** Those of all required parameters: the examples of the description. */
function requiredValues({ fields }: Operation): Values {
  return Object.fromEntries(
    fields.filter(({ isRequired }) => isRequired).map(({ name, example }) => [name, example]),
  );
}

/** The day that all examples name. */
const EXAMPLE_DAY = '2026-11-20';

/** The same request for a visitor, whose reports came today. @param today `YYYY-MM-DD` */
export function ofToday(question: Question, today: string): Question {
  const dated = (text: string) => (EXAMPLE_DAY.startsWith(text) ? today.slice(0, text.length) : text);
  if ('document' in question) {
    const month = EXAMPLE_DAY.slice(0, 7);
    return { document: question.document.replaceAll(`"${month}"`, `"${dated(month)}"`) };
  }
  const { operation, values } = question;
  return { operation, values: values.date ? { ...values, date: dated(values.date) } : values };
}

/** All that an address or a text of a shell would misread. */
function encode(value: string): string {
  return encodeURIComponent(value).replaceAll("'", '%27');
}

/** Signs of filters may stand in a query as they are. */
function legible(encoded: string): string {
  return encoded.replace(/%(2C|2F|3A)/g, sign => decodeURIComponent(sign));
}

export function oneLine(document: string): string {
  return document.trim().replace(/\s+/g, ' ');
}
