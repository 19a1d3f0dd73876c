import { openApiDocument } from '@sightline/openapi/description';
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';

const refusal: readonly [number, string] = [400, 'No'];

/** Describes the API of a schema whose only route has these properties. */
function describeApi(sdl: string, route: object | undefined) {
  const rest = buildSchema(sdl);
  for (const field of Object.values(rest.getQueryType()!.getFields()))
    field.extensions = {
      rest: route && { tag: 'Account', path: '/things/:id', summary: 'Things', ...route },
    };
  return openApiDocument({
    ...{ version: '1', basePath: '/v1', rest, graph: rest, filters: new Map(), toCsv: () => '' },
    errors: {
      refusals: {
        ...{ unauthorized: refusal, noApiAccess: refusal, methodNotAllowed: refusal },
        ...{ tooManyRequests: refusal, unforeseen: refusal },
      },
      invalidParameter: name => `Invalid ${name}`,
      missingParameter: name => `Missing ${name}`,
    },
  });
}

const QUERY = `type Query { "The things." things("Its id." id: String!): Thing! }`;
const THING = `"A thing." type Thing { "Whether it is." is: Boolean! }`;
const EXAMPLE = { example: { id: 'a' } };

describe('the description is refused', () => {
  it.each<[string, string, object | undefined, string]>([
    [
      'a field without a route',
      QUERY + THING,
      undefined,
      'Query.things belongs to the REST schema and has no route',
    ],
    [
      'a tag without a description',
      QUERY + THING,
      { ...EXAMPLE, tag: 'Odd' },
      'The tag Odd has no description in packages/openapi/src/about.ts',
    ],
    [
      'a route without a description',
      QUERY.replace('"The things." ', '') + THING,
      EXAMPLE,
      'Query.things has no description',
    ],
    [
      'a parameter without a description',
      QUERY.replace('"Its id." ', '') + THING,
      EXAMPLE,
      'The argument id has no description',
    ],
    [
      'a parameter of the path without an example',
      QUERY + THING,
      {},
      'The route /things/:id has no example of its parameter id',
    ],
    [
      'a parameter of the query without an example',
      QUERY.replace('id: String!', 'odd: String') + THING,
      { path: '/things' },
      'The parameter odd has no example in packages/openapi/src/examples.ts',
    ],
    [
      'a type without a description',
      QUERY + THING.replace('"A thing." ', ''),
      EXAMPLE,
      'Thing has no description',
    ],
    [
      'a field without a description',
      QUERY + THING.replace('"Whether it is." ', ''),
      EXAMPLE,
      'Thing.is has no description',
    ],
    [
      'a text without an example',
      QUERY + THING.replace('Boolean', 'String'),
      EXAMPLE,
      'Thing.is has no example: packages/openapi/src/examples.ts gathers them',
    ],
    [
      'a list of texts without an example',
      QUERY + THING.replace('Boolean!', '[String!]!'),
      EXAMPLE,
      'Thing.is has no example: packages/openapi/src/examples.ts gathers them',
    ],
    [
      'a scalar without a schema',
      `${QUERY}${THING.replace('Boolean', 'Odd')} scalar Odd`,
      EXAMPLE,
      'The scalar Odd says nothing of its values: extensions.openapi is missing',
    ],
    [
      'a type that is an interface',
      `${QUERY}${THING.replace('Boolean', 'Odd')} interface Odd { a: Int }`,
      EXAMPLE,
      'Odd is of a kind that no response or parameter has',
    ],
  ])('for %s', (_, sdl, route, message) => {
    expect(() => describeApi(sdl, route)).toThrow(new Error(message));
  });
});
