import type {
  Example,
  JsonSchema,
  MediaType,
  OpenApiDocument,
  OperationObject,
  Parameter,
  Reference,
  Response,
} from '@sightline/openapi';
import { resolver } from '@sightline/openapi';
import type { Field, Operations } from '../browser/operation.ts';
import { resolveSchema } from './schema.ts';

/** Errors that every route has in common, which the guide to errors describes. */
const EVERYWHERE = ['API access requires a Business plan or higher'];

/** An operation with its references resolved. */
export interface DocumentedRoute {
  id: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** The parameters of the path and the query. The header for entity tags is omitted, because all routes have it. */
  parameters: Parameter[];
  schema: JsonSchema;
  examples: Example[];
  /** The errors that are specific to this route. */
  errors: { status: string; texts: string[] }[];
}

export function listRoutes(document: OpenApiDocument): DocumentedRoute[] {
  const find = resolver(document);
  const listExamples = ({ example, examples = {} }: MediaType): Example[] =>
    example === undefined
      ? Object.values(examples).map(each => find<Example>(each))
      : [{ summary: '', value: example }];
  const readBody = (response: Response | Reference) => find<Response>(response).content?.['application/json'];
  const listErrors = ({ responses }: OperationObject) =>
    Object.entries(responses)
      .filter(([status]) => ['400', '403', '404'].includes(status))
      .map(([status, response]) => ({ status, texts: listExamples(readBody(response)!).map(toText) }))
      .filter(({ texts }) => texts.some(text => !EVERYWHERE.includes(text)));
  return Object.entries(document.paths).map(([path, { get }]) => {
    const body = readBody(get.responses['200']!)!;
    return {
      id: get.operationId,
      path,
      tag: get.tags[0]!,
      summary: get.summary,
      description: get.description,
      parameters: get.parameters
        .map(each => find<Parameter>(each))
        .filter(({ in: place }) => place !== 'header'),
      schema: body.schema,
      examples: listExamples(body),
      errors: listErrors(get),
    };
  });
}

const toText = ({ value }: Example) => Object.values(value as Record<string, string>)[0]!;

/** Returns the properties of all routes that the browser needs. */
export function listOperations(
  routes: readonly DocumentedRoute[],
  { components }: OpenApiDocument,
): Operations {
  return Object.fromEntries(
    routes.map(({ id, path, parameters }) => [
      id,
      { path, fields: parameters.map(parameter => findField(parameter, components.schemas)) },
    ]),
  );
}

function findField(
  { name, in: place, required, schema, example }: Parameter,
  schemas: Record<string, JsonSchema>,
): Field {
  const { type, enum: choices } = resolveSchema(schema, schemas);
  return {
    name,
    in: place as Field['in'],
    kind: type === 'array' ? 'list' : type === 'integer' ? 'number' : type === 'boolean' ? 'boolean' : 'text',
    ...(choices !== undefined && { choices: choices as string[] }),
    isRequired: required ?? false,
    example: String(example),
  };
}
