import { isDeepStrictEqual } from 'node:util';
import type { DocumentedRoute, ErrorTexts } from './api.ts';
import { errorHeaders, SUCCESS_HEADERS } from './headers.ts';
import type { DescribedRoute } from './routes.ts';
import type { JsonSchema, MediaType, Reference, Response } from './types.ts';

export const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'The format of every error.',
  properties: { error: { type: 'string', description: 'A description of the error.', minLength: 1 } },
  required: ['error'],
  additionalProperties: false,
};

const ERROR = { $ref: '#/components/schemas/Error' };

/** An error with fixed texts. */
function error(status: string, description: string, texts: readonly string[]): Response {
  return {
    description,
    headers: errorHeaders(status),
    content: {
      'application/json': {
        schema: {
          allOf: [ERROR, { type: 'object', properties: { error: { type: 'string', enum: [...texts] } } }],
        },
        ...exampleTexts(texts),
      },
    },
  };
}

function exampleTexts(texts: readonly string[]): Pick<MediaType, 'example' | 'examples'> {
  if (texts.length === 1) return { example: { error: texts[0] } };
  return {
    examples: Object.fromEntries(
      texts.map(text => [pascalCase(text), { summary: text, value: { error: text } }]),
    ),
  };
}

/** The responses that every operation has, in addition to its own. */
function commonAnswers({
  refusals,
}: ErrorTexts): Readonly<Record<string, [name: string, response: Response]>> {
  const refusal = ([status, text]: readonly [number, string], description: string) =>
    error(String(status), description, [text]);
  return {
    304: [
      'NotModified',
      { description: 'The response with that `ETag` is still current.', headers: SUCCESS_HEADERS },
    ],
    401: ['Unauthorized', refusal(refusals.unauthorized, 'Missing or invalid API key.')],
    403: [
      'NoApiAccess',
      refusal(refusals.noApiAccess, 'The trial has ended, and the plan does not include the API.'),
    ],
    405: ['MethodNotAllowed', refusal(refusals.methodNotAllowed, 'Another method than `GET`.')],
    429: ['TooManyRequests', refusal(refusals.tooManyRequests, 'Rate limit exceeded.')],
    500: ['InternalServerError', refusal(refusals.unforeseen, 'An error of the service.')],
  };
}

/** The error texts of refusals, by status. */
type Errors = NonNullable<DocumentedRoute['errors']>;

/**
 * The responses of all operations, each refusal once. A 200 is declared at its operation, since swagger-typescript-api
 * does not recognise JSON behind a reference.
 */
export class ResponseComponents {
  readonly responses: Record<string, Response> = {};
  readonly #texts: ErrorTexts;

  constructor(texts: ErrorTexts) {
    this.#texts = texts;
  }

  of(route: DescribedRoute, success: Response): Record<string, Reference | Response> {
    return this.#of(success, { ...route.declared.errors, 400: listRefusals(route, this.#texts) });
  }

  /** The answers of an operation without a validator. */
  withoutValidator(success: Response, errors: Errors): Record<string, Reference | Response> {
    const { 304: _, ...responses } = this.#of(success, errors);
    return responses;
  }

  #of(
    success: Response,
    { 400: refused = [], 403: forbidden, 404: notFound }: Errors,
  ): Record<string, Reference | Response> {
    return {
      200: success,
      ...this.#common(),
      ...(refused.length > 0 && { 400: badRequest(refused) }),
      ...(forbidden && { 403: this.#named(forbidden, this.#forbiddenWith(forbidden)) }),
      ...(notFound && { 404: this.#named(notFound, error('404', `${notFound[0]}.`, notFound)) }),
    };
  }

  /** Names a response by its first text, or by all texts if another response has that name. */
  #named(texts: readonly string[], response: Response): Reference {
    const name = pascalCase(texts[0]!);
    const existing = this.responses[name];
    const isTaken = existing !== undefined && !isDeepStrictEqual(existing, response);
    return this.#shared(isTaken ? texts.map(pascalCase).join('Or') : name, response);
  }

  #forbiddenWith(texts: readonly string[]): Response {
    return error('403', 'The plan does not include this, or the key is of another kind.', [
      this.#texts.refusals.noApiAccess[1],
      ...texts,
    ]);
  }

  #common(): Record<string, Reference> {
    return Object.fromEntries(
      Object.entries(commonAnswers(this.#texts)).map(([status, [name, response]]) => [
        status,
        this.#shared(name, response),
      ]),
    );
  }

  #shared(name: string, response: Response): Reference {
    this.responses[name] = response;
    return { $ref: `#/components/responses/${name}` };
  }
}

/** One example per kind of error: a missing parameter, an invalid value, and a parameter that does not apply. */
function listRefusals(
  { declared, path, query }: DescribedRoute,
  { invalidParameter, missingParameter }: ErrorTexts,
): string[] {
  const refusals = declared.refusals ?? {};
  const checked = [...path, ...query].filter(
    ({ name }) => !refusals[name] && !declared.lenient?.includes(name),
  );
  const missing = query.find(({ required }) => required);
  return [
    missing && missingParameter(missing.name),
    ...(declared.errors?.[400] ?? checked.slice(0, 1).map(({ name }) => invalidParameter(name))),
    Object.values(declared.inapplicable ?? {})[0],
  ].filter(text => text !== undefined);
}

function badRequest(texts: readonly string[]): Response {
  return {
    description: 'Invalid path or query parameters. The error names the first one.',
    headers: errorHeaders('400'),
    content: { 'application/json': { schema: ERROR, ...exampleTexts(texts) } },
  };
}

export function success(description: string, content: MediaType): Response {
  return { description, headers: SUCCESS_HEADERS, content: { 'application/json': content } };
}

/** Returns the name of a component, derived from its text. */
function pascalCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter(word => word !== '');
  return words.map(word => word[0]!.toUpperCase() + word.slice(1)).join('');
}
