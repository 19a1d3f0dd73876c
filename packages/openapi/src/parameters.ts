import { getNullableType, isListType } from 'graphql';
import { parameterExample } from './examples.ts';
import { joinDescriptions, type SchemaComponents } from './json-schema.ts';
import type { DescribedRoute, RouteArgument } from './routes.ts';
import type { OpenApiParameter, Reference } from './types.ts';

export const IF_NONE_MATCH: OpenApiParameter = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.',
  required: false,
  schema: { type: 'string' },
  example: 'W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"',
};

export const CONDITIONAL: Reference = { $ref: '#/components/parameters/IfNoneMatch' };

export function listParameters(
  route: DescribedRoute,
  schemas: SchemaComponents,
): (OpenApiParameter | Reference)[] {
  return [
    ...route.path.map(argument => pathParameter(argument, route, schemas)),
    ...route.query.map(argument => queryParameter(argument, schemas)),
    CONDITIONAL,
  ];
}

function pathParameter(
  { name, argument }: RouteArgument,
  { declared }: DescribedRoute,
  schemas: SchemaComponents,
): OpenApiParameter {
  const schema = schemas.input(argument);
  const example = declared.example?.[name];
  if (example === undefined)
    throw new Error(`The route ${declared.path} has no example of its parameter ${name}`);
  return {
    name,
    in: 'path',
    description: joinDescriptions(`The argument ${name}`, argument.description),
    required: true,
    schema,
    example: schema.type === 'integer' ? Number(example) : example,
  };
}

export function queryParameter(
  { name, argument, required }: RouteArgument,
  schemas: SchemaComponents,
): OpenApiParameter {
  const isList = isListType(getNullableType(argument.type));
  const description = joinDescriptions(`The argument ${name}`, argument.description);
  return {
    name,
    in: 'query',
    description: isList
      ? `${description} A comma-separated list; repeated parameters are combined.`
      : description,
    required,
    ...(isList && { style: 'form', explode: false }),
    schema: schemas.input(argument),
    example: parameterExample(name),
  };
}
