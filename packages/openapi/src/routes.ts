import { type GraphQLArgument, type GraphQLField, type GraphQLSchema, isNonNullType } from 'graphql';
import type { DocumentedRoute } from './api.ts';
import { joinDescriptions } from './json-schema.ts';
import { type PlainPath, plainPaths, toTemplate } from './paths.ts';

export interface RouteArgument {
  name: string;
  argument: GraphQLArgument;
  required: boolean;
}

/** A documented path: a Query field's route, with one of its literal alternatives chosen. */
export interface DescribedRoute {
  /** The path below the base path in OpenAPI's syntax: `/watches/script/{domain}`. */
  template: string;
  operationId: string;
  summary: string;
  description: string;
  declared: DocumentedRoute;
  field: GraphQLField<unknown, unknown>;
  path: RouteArgument[];
  query: RouteArgument[];
}

/** Lists every documented path of the REST schema, in the order of declaration. */
export function listRoutes(schema: GraphQLSchema): DescribedRoute[] {
  return Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap(field => {
    const declared = field.extensions.rest as DocumentedRoute | undefined;
    if (!declared) throw new Error(`Query.${field.name} belongs to the REST schema and has no route`);
    return plainPaths(declared.path).map(plain => route(field, declared, plain));
  });
}

function route(
  field: GraphQLField<unknown, unknown>,
  declared: DocumentedRoute,
  { path, fixed }: PlainPath,
): DescribedRoute {
  const template = toTemplate(path);
  const args = field.args.filter(({ name }) => !(name in fixed)).map(routeArgument);
  const named = (text: string) =>
    Object.entries(fixed).reduce((rest, [name, literal]) => rest.replaceAll(`{${name}}`, literal), text);
  const inPath = (argument: RouteArgument) => template.includes(`{${argument.name}}`);
  return {
    template,
    operationId: operationId(declared.verb ?? 'get', ...Object.values(fixed), field.name),
    summary: named(declared.summary),
    description: named(joinDescriptions(`Query.${field.name}`, field.description)),
    declared,
    field,
    path: args.filter(inPath),
    query: args.filter(argument => !inPath(argument)),
  };
}

function routeArgument(argument: GraphQLArgument): RouteArgument {
  return { name: argument.name, argument, required: isNonNullType(argument.type) };
}

/** Converts `watchFindings` of `script` to `listScriptWatchFindings`. */
function operationId(verb: string, ...words: string[]): string {
  return verb + words.map(word => word[0]!.toUpperCase() + word.slice(1)).join('');
}
