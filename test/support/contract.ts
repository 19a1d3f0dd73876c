import { readFileSync } from 'node:fs';
import type { Header, OpenApiDocument, Reference, Response } from '@sightline/openapi';
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { BUILT_DESCRIPTION } from '../../src/pages/description.ts';
import { builtAt } from './built.ts';
import { splitParts } from './parts.ts';

/** The committed openapi.yaml. */
export const contract: OpenApiDocument = JSON.parse(
  // Reads the built file, because parsing YAML takes a quarter of a second in each process.
  readFileSync(builtAt('dist/src/pages', BUILT_DESCRIPTION), 'utf8'),
);

// The description itself is checked by the OpenAPI linter. Compiling its meta-schema takes longer than compiling all
// other schemas. Optimized and inlined code would take twice as long to compile, in each process.
const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  validateSchema: false,
  inlineRefs: false,
  code: { optimize: false },
});
formats.default(ajv);
ajv.addSchema(contract as AnySchema, 'contract');

const validators = new Map<string, ValidateFunction>();

/** Validates a value against the schema at a location in openapi.yaml, and returns the errors. */
export function violations(pointer: readonly string[], value: unknown): string[] {
  const name = pointer.join('\n');
  const validate = validators.get(name) ?? compile(pointer);
  validators.set(name, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath || 'the value'} ${message} ${JSON.stringify(params)}`,
  );
}

function compile(pointer: readonly string[]): ValidateFunction {
  const path = pointer
    .map(part => part.replaceAll('~', '~0').replaceAll('/', '~1'))
    .map(encodeURIComponent)
    .join('/');
  return ajv.compile({ $ref: `contract#/${path}` });
}

/** Follows a reference within openapi.yaml. */
export function resolve<Value>(
  at: readonly string[],
  value: Value | Reference,
): { at: readonly string[]; value: Value } {
  const reference = (value as Reference).$ref;
  if (reference === undefined) return { at, value: value as Value };
  const target = reference.slice('#/'.length).split('/');
  return {
    at: target,
    value: target.reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], contract) as Value,
  };
}

interface Template {
  path: string;
  pattern: RegExp;
}

/** Literal paths come first, as OpenAPI requires. */
const templates: Template[] = Object.keys(contract.paths)
  .sort((a, b) => a.split('{').length - b.split('{').length)
  .map(path => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }));

/** Returns the documented path that a concrete path matches, or undefined. */
export function documentedPath(target: string): string | undefined {
  const [path = ''] = target.split('?');
  return templates.find(({ pattern }) => pattern.test(path))?.path;
}

/** Statuses that every path under `/v1` and `/export` can return. */
const PIPELINE_STATUSES = ['401', '403', '405', '429', '500'];

function documentedResponse(
  target: string,
  status: number,
): { at: readonly string[]; value: Response } | undefined {
  const path = documentedPath(target);
  const responses = contract.paths[path ?? '/v1/me']!.get.responses;
  const response = responses[String(status)];
  if (!response || (!path && !PIPELINE_STATUSES.includes(String(status)))) return undefined;
  return resolve(['paths', path ?? '/v1/me', 'get', 'responses', String(status)], response);
}

/**
 * Validates a response of `/v1` or `/export` against openapi.yaml: its status, headers, content type and body.
 * @param target path and query
 * @param read the parsed body, if available
 * @throws {Error} with the difference from openapi.yaml
 */
export function expectContract(
  method: string,
  target: string,
  status: number,
  headers: Headers,
  body: string,
  read?: unknown,
): void {
  const wrong = breaches(method, target, status, headers, { text: body, read });
  if (wrong.length === 0) return;
  throw new Error(
    `${method} ${target} answered ${status} other than openapi.yaml says:\n  ${wrong.join('\n  ')}\n${body.slice(0, 500)}`,
  );
}

interface Body {
  text: string;
  read: unknown;
}

/**
 * It is for Prometheus, which does not use openapi.yaml. docs/integrations.md lists its names, and a separate test
 * checks them.
 */
const BEYOND = /^\/export\/metrics(\?|$)/;

function breaches(method: string, target: string, status: number, headers: Headers, body: Body): string[] {
  if (status === 404 && !documentedPath(target))
    return body.text === '{"error":"Not found"}' ? [] : ['the body is another'];
  if (method !== 'GET' && status !== 405) return ['only GET gets anything but 405'];
  if (BEYOND.test(target)) return [];
  const response = documentedResponse(target, status);
  if (!response) return ['the status is not documented'];
  return [...headerBreaches(response.value, headers), ...bodyBreaches(response, method, headers, body)];
}

function headerBreaches({ headers: documented }: Response, headers: Headers): string[] {
  return Object.entries(documented).flatMap(([name, reference]) => {
    const { at, value } = resolve<Header>([], reference);
    const text = headers.get(name);
    if (text === null) return value.required ? [`the header ${name} is missing`] : [];
    const typed = value.schema.type === 'integer' ? Number(text) : text;
    return violations([...at, 'schema'], typed).map(violation => `the header ${name}: ${violation}`);
  });
}

const CONTENT_TYPES = [
  'application/json; charset=utf-8',
  'application/x-ndjson; charset=utf-8',
  'text/csv; charset=utf-8; header=present',
];

/** Converts NDJSON records to an array, without the final cursor. */
function toRecords(body: string): unknown[] {
  if (body !== '' && !body.endsWith('\n')) throw new Error('NDJSON ends with half a line');
  const lines = body.split('\n').slice(0, -1);
  return lines.map(line => {
    const { cursor: _, ...record } = JSON.parse(line);
    return record;
  });
}

const toHeader = (csv: string) => csv.split('\r\n', 1)[0];

/** Checks whether an example in CSV contains all records. */
const isOnlyOne = ({ content }: Response) =>
  Object.keys(content!['application/json']!.examples ?? {}).length === 1;

function bodyBreaches(
  { at, value }: { at: readonly string[]; value: Response },
  method: string,
  headers: Headers,
  { text: body, read }: Body,
): string[] {
  if (!value.content) return body === '' ? [] : ['there is a body'];
  const contentType = headers.get('content-type') ?? '';
  if (contentType.startsWith('multipart/mixed;') && 'multipart/mixed' in value.content)
    return splitParts(contentType, body).flatMap(({ headers, text }) =>
      bodyBreaches({ at, value }, method, headers, { text, read: undefined }),
    );
  const [mediaType] = contentType.split(';');
  if (!(mediaType! in value.content) || !CONTENT_TYPES.includes(contentType))
    return [`the content type is ${contentType}`];
  if (method === 'HEAD') return body === '' ? [] : ['there is a body'];
  const schema = [...at, 'content', 'application/json', 'schema'];
  if (mediaType === 'application/json') return violations(schema, read ?? JSON.parse(body));
  if (mediaType === 'application/x-ndjson') return violations(schema, toRecords(body));
  const example = value.content['text/csv']!.example as string;
  return toHeader(body) === toHeader(example) || !isOnlyOne(value) ? [] : ['the header is another'];
}
