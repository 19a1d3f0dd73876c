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
import { resolver } from '@sightline/openapi/references';
import type { Field, Operations } from '../browser/operation.ts';
import { resolved } from './schema.ts';

/** The errors of every route: the guide to errors has them. */
const EVERYWHERE = ['API access requires a Business plan or higher'];

/** An operation with all that its references lead to. */
export interface Route {
  id: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** The parameters of the path and the query. The header for entity tags is that of all routes. */
  parameters: Parameter[];
  schema: JsonSchema;
  examples: Example[];
  /** The errors of this route alone. */
  errors: { status: string; texts: string[] }[];
}

export function routesOf(document: OpenApiDocument): Route[] {
  const find = resolver(document);
  const examplesOf = ({ example, examples = {} }: MediaType): Example[] =>
    example === undefined
      ? Object.values(examples).map(each => find<Example>(each))
      : [{ summary: '', value: example }];
  const bodyOf = (response: Response | Reference) => find<Response>(response).content?.['application/json'];
  const errorsOf = ({ responses }: OperationObject) =>
    Object.entries(responses)
      .filter(([status]) => ['400', '403', '404'].includes(status))
      .map(([status, response]) => ({ status, texts: examplesOf(bodyOf(response)!).map(textOf) }))
      .filter(({ texts }) => texts.some(text => !EVERYWHERE.includes(text)));
  return Object.entries(document.paths).map(([path, { get }]) => {
    const body = bodyOf(get.responses['200']!)!;
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
      examples: examplesOf(body),
      errors: errorsOf(get),
    };
  });
}

const textOf = ({ value }: Example) => Object.values(value as Record<string, string>)[0]!;

/** The description of the routes for the browser. */
export function operationsOf(routes: readonly Route[], { components }: OpenApiDocument): Operations {
  return Object.fromEntries(
    routes.map(({ id, path, parameters }) => [
      id,
      { path, fields: parameters.map(parameter => fieldOf(parameter, components.schemas)) },
    ]),
  );
}

function fieldOf(
  { name, in: place, required, schema, example }: Parameter,
  schemas: Record<string, JsonSchema>,
): Field {
  const { type, enum: choices } = resolved(schema, schemas);
  return {
    name,
    in: place as Field['in'],
    kind: type === 'array' ? 'list' : type === 'integer' ? 'number' : type === 'boolean' ? 'boolean' : 'text',
    ...(choices !== undefined && { choices: choices as string[] }),
    isRequired: required ?? false,
    example: String(example),
  };
}
