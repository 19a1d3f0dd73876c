import { readFileSync } from 'node:fs';
import type { Header, OpenApiDocument, Reference, Response } from '@sightline/openapi';
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { BUILT_DESCRIPTION } from '../../src/pages/description.ts';
import { builtAt } from './built.ts';

/** The committed openapi.yaml. */
export const contract: OpenApiDocument = JSON.parse(
  // As it was built: reading the YAML would take each process a quarter of a second.
  readFileSync(builtAt('dist/src/pages', BUILT_DESCRIPTION), 'utf8'),
);

// The rules of OpenAPI hold the description itself. To compile the schema of schemas takes longer than all others here.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
formats.default(ajv);
ajv.addSchema(contract as AnySchema, 'contract');

const validators = new Map<string, ValidateFunction>();

/** Checks a value by the schema at a place of openapi.yaml; empty without a fault. */
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

/** Literal paths come first: that is how OpenAPI matches. */
const templates: Template[] = Object.keys(contract.paths)
  .sort((a, b) => a.split('{').length - b.split('{').length)
  .map(path => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }));

/** The documented path of a concrete one, or undefined. */
export function documentedPath(target: string): string | undefined {
  const [path = ''] = target.split('?');
  return templates.find(({ pattern }) => pattern.test(path))?.path;
}

/** Any path under `/v1` or `/export` gets past the first doors, or does not, like all others. */
const DOORS = ['401', '403', '405', '429', '500'];

function documentedResponse(
  target: string,
  status: number,
): { at: readonly string[]; value: Response } | undefined {
  const path = documentedPath(target);
  const responses = contract.paths[path ?? '/v1/me']!.get.responses;
  const response = responses[String(status)];
  if (!response || (!path && !DOORS.includes(String(status)))) return undefined;
  return resolve(['paths', path ?? '/v1/me', 'get', 'responses', String(status)], response);
}

/**
 * Holds an answer of `/v1` or `/export` to openapi.yaml: its status, its headers, its content type and its body.
 * @param target path and query
 * @param read the body's JSON, where it is read already
 * @throws {Error} that says what openapi.yaml has otherwise
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

/** It speaks to Prometheus, which reads no openapi.yaml: docs/integrations.md and a test of its own have its names. */
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
  'application/x-ndjson',
  'text/csv; charset=utf-8; header=present',
];

/** The records of NDJSON as those of an array, without the cursor that each may end with. */
function recordsOf(body: string): unknown[] {
  if (body !== '' && !body.endsWith('\n')) throw new Error('NDJSON ends with half a line');
  const lines = body.split('\n').slice(0, -1);
  return lines.map(line => {
    const { cursor: _, ...record } = JSON.parse(line);
    return record;
  });
}

const headerOf = (csv: string) => csv.split('\r\n', 1)[0];

/** Tells whether an example of CSV is that of all records. */
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
  const [mediaType] = contentType.split(';');
  if (!(mediaType! in value.content) || !CONTENT_TYPES.includes(contentType))
    return [`the content type is ${contentType}`];
  if (method === 'HEAD') return body === '' ? [] : ['there is a body'];
  const schema = [...at, 'content', 'application/json', 'schema'];
  if (mediaType === 'application/json') return violations(schema, read ?? JSON.parse(body));
  if (mediaType === 'application/x-ndjson') return violations(schema, recordsOf(body));
  const example = value.content['text/csv']!.example as string;
  return headerOf(body) === headerOf(example) || !isOnlyOne(value) ? [] : ['the header is another'];
}
