import { isDeepStrictEqual } from 'node:util';
import type { DocumentedRoute, ErrorTexts } from './api.ts';
import { errorHeaders, SUCCESS_HEADERS } from './headers.ts';
import type { Route } from './routes.ts';
import type { JsonSchema, MediaType, Reference, Response } from './types.ts';

export const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'What every error looks like.',
  properties: { error: { type: 'string', description: 'What went wrong, in words.', minLength: 1 } },
  required: ['error'],
  additionalProperties: false,
};

const ERROR = { $ref: '#/components/schemas/Error' };

/** An error whose texts are known to the letter. */
function error(status: string, description: string, texts: readonly string[]): Response {
  return {
    description,
    headers: errorHeaders(status),
    content: {
      'application/json': {
        schema: { allOf: [ERROR, { type: 'object', properties: { error: { enum: [...texts] } } }] },
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

/** The answers of every operation besides its own. */
function commonAnswers({
  refusals,
}: ErrorTexts): Readonly<Record<string, [name: string, response: Response]>> {
  const refusal = ([status, text]: readonly [number, string], description: string) =>
    error(String(status), description, [text]);
  return {
    304: [
      'NotModified',
      { description: 'The answer is still the one with that `ETag`.', headers: SUCCESS_HEADERS },
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

/** The texts of refusals, by their status. */
type Errors = NonNullable<DocumentedRoute['errors']>;

/** The responses of all operations, each of them once. */
export class ResponseComponents {
  readonly responses: Record<string, Response> = {};
  readonly #texts: ErrorTexts;

  constructor(texts: ErrorTexts) {
    this.#texts = texts;
  }

  /** @param name of the response with status 200; operations with the same answer share it */
  of(route: Route, name: string, success: Response): Record<string, Reference | Response> {
    return this.#of(name, success, { ...route.declared.errors, 400: refusalsOf(route, this.#texts) });
  }

  /** The answers of an operation without a validator. */
  withoutValidator(name: string, success: Response, errors: Errors): Record<string, Reference | Response> {
    const { 304: _, ...responses } = this.#of(name, success, errors);
    return responses;
  }

  #of(
    name: string,
    success: Response,
    { 400: refused = [], 403: forbidden, 404: notFound }: Errors,
  ): Record<string, Reference | Response> {
    return {
      200: this.#shared(name, success),
      ...this.#common(),
      ...(refused.length > 0 && { 400: badRequest(refused) }),
      ...(forbidden && { 403: this.#named(forbidden, this.#forbiddenWith(forbidden)) }),
      ...(notFound && { 404: this.#named(notFound, error('404', `${notFound[0]}.`, notFound)) }),
    };
  }

  /** Names it by its first text, or by all of them where another response has that name. */
  #named(texts: readonly string[], response: Response): Reference {
    const name = pascalCase(texts[0]!);
    const known = this.responses[name];
    const isTaken = known !== undefined && !isDeepStrictEqual(known, response);
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

/** One way of going wrong each: what is missing, what is no value, and what does not apply. */
function refusalsOf(
  { declared, path, query }: Route,
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
    description: 'Invalid path or query parameters; the error names the first.',
    headers: errorHeaders('400'),
    content: { 'application/json': { schema: ERROR, ...exampleTexts(texts) } },
  };
}

export function success(description: string, content: MediaType): Response {
  return { description, headers: SUCCESS_HEADERS, content: { 'application/json': content } };
}

/** A name for a component, from its text. */
function pascalCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter(word => word !== '');
  return words.map(word => word[0]!.toUpperCase() + word.slice(1)).join('');
}
