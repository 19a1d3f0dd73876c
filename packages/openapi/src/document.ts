import { type GraphQLNamedType, type GraphQLSchema, getNamedType } from 'graphql';
import { API_KEY, DESCRIPTION, SERVER, TAGS } from './about.ts';
import type { Api } from './api.ts';
import { answerExamples } from './examples.ts';
import { EXPORT_PARAMETERS, ExportPrinter } from './exports.ts';
import { HEADERS } from './headers.ts';
import { joinDescriptions, SchemaComponents } from './json-schema.ts';
import { CONDITIONAL, IF_NONE_MATCH, listParameters } from './parameters.ts';
import { isReportRoute, reportTemplate, templateParameters } from './report-template.ts';
import { ERROR_SCHEMA, ResponseComponents, success } from './responses.ts';
import { type DescribedRoute, listRoutes } from './routes.ts';
import type {
  Components,
  MediaType,
  OpenApiDocument,
  OpenApiExample,
  OperationObject,
  Reference,
} from './types.ts';

/**
 * Creates the OpenAPI 3.1 description of the REST schema, its routes, and the exports.
 * @throws if a route, a type or a parameter lacks a description or an example
 */
export function openApiDocument(api: Api): OpenApiDocument {
  return new Printer(api).document();
}

class Printer {
  readonly #api: Api;
  readonly #schema: GraphQLSchema;
  readonly #schemas = new SchemaComponents();
  readonly #responses: ResponseComponents;
  readonly #examples: Record<string, OpenApiExample> = {};

  constructor(api: Api) {
    this.#api = api;
    this.#schema = api.rest;
    this.#responses = new ResponseComponents(api.errors);
  }

  document(): OpenApiDocument {
    const paths = this.#paths();
    return {
      openapi: '3.1.1',
      info: {
        title: 'Sightline',
        description: DESCRIPTION,
        version: this.#api.version,
        contact: { name: 'Who runs the service' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [SERVER],
      security: [{ apiKey: [] }],
      tags: [...TAGS],
      paths,
      components: this.#components(),
    };
  }

  /** The paths of `/export` come after those of `/v1`, so that `/v1` does not change. */
  #paths(): OpenApiDocument['paths'] {
    const paths: OpenApiDocument['paths'] = {};
    const { basePath } = this.#api;
    const routes = listRoutes(this.#schema);
    const reports = routes.filter(isReportRoute);
    for (const route of routes) {
      paths[basePath + route.template] = { get: this.#operation(route) };
      // After the concrete paths, because many tools take the first match.
      if (route === reports.at(-1)) {
        const template = reportTemplate(reports[0]!);
        paths[basePath + template.template] = { get: this.#anyReports(template, reports) };
      }
    }
    const exports = new ExportPrinter(this.#api, this.#schemas, this.#responses);
    return { ...paths, ...exports.paths() };
  }

  #operation(route: DescribedRoute): OperationObject {
    const type = getNamedType(route.field.type);
    return this.#describe(route, listParameters(route, this.#schemas), {
      description: joinDescriptions(type.name, type.description),
      schema: { ...this.#schemas.reference(type) },
      examples: this.#listExamples(type),
    });
  }

  /** Matches any of the results. A response without records matches all of them, so `oneOf` would fail. */
  #anyReports(template: DescribedRoute, reports: readonly DescribedRoute[]): OperationObject {
    const types = reports.map(({ field }) => getNamedType(field.type));
    const typeName = this.#schema.getType('ReportTypeName')!;
    const parameters = [...templateParameters(reports, typeName, this.#schemas), CONDITIONAL];
    return this.#describe(template, parameters, {
      description: 'Reports of a period, with the fields of their type.',
      schema: { anyOf: types.map(type => this.#schemas.reference(type)) },
      examples: Object.assign({}, ...types.map(type => this.#listExamples(type))),
    });
  }

  #describe(
    route: DescribedRoute,
    parameters: OperationObject['parameters'],
    { description, ...content }: MediaType & { description: string },
  ): OperationObject {
    const { operationId, summary, declared } = route;
    if (!TAGS.some(({ name }) => name === declared.tag)) {
      throw new Error(`The tag ${declared.tag} has no description in packages/openapi/src/about.ts`);
    }
    return {
      operationId,
      tags: [declared.tag],
      summary,
      description: route.description,
      parameters,
      responses: this.#responses.of(route, success(description, content)),
    };
  }

  #listExamples(type: GraphQLNamedType): Record<string, Reference> {
    const references: Record<string, Reference> = {};
    for (const [name, value] of answerExamples(type)) {
      this.#examples[name] = {
        summary: joinDescriptions(name, this.#schema.getType(name)?.description),
        value,
      };
      references[name] = { $ref: `#/components/examples/${name}` };
    }
    return references;
  }

  /** Called after the paths, which determine the components. */
  #components(): Components {
    return {
      securitySchemes: { apiKey: API_KEY },
      parameters: { IfNoneMatch: IF_NONE_MATCH, ...EXPORT_PARAMETERS },
      headers: HEADERS,
      responses: this.#responses.responses,
      schemas: { Error: ERROR_SCHEMA, ...this.#schemas.schemas },
      examples: this.#examples,
    };
  }
}
