import {
  EXPORT_PATH,
  LARGEST_PAGE,
  LONGEST_CURSOR,
  MEDIA_TYPES,
  NOT,
  USUAL_PAGE,
} from '@sightline/export/path';
import { PRODUCTS } from '@sightline/feed/plans';
import { REPORT_TYPE_DEFINITIONS, type ReportTypeDefinition } from '@sightline/reports';
import type { GraphQLObjectType } from 'graphql';
import type { Api } from './api.ts';
import { fieldExamples, objectExample, parameterExample } from './examples.ts';
import { EXPORT_HEADERS } from './headers.ts';
import { orNull, type SchemaComponents } from './json-schema.ts';
import { mergedParameters, typeParameter } from './report-template.ts';
import type { ResponseComponents } from './responses.ts';
import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  Parameter,
  Reference,
  Response,
} from './types.ts';

const INSTANT: JsonSchema = { type: 'string', anyOf: [{ format: 'date-time' }, { format: 'date' }] };
const ABOUT_INSTANTS = 'ISO 8601 with an offset or `Z`, or a day, which stands for its beginning in UTC.';

/** The schemas of all exports, by the names of their components. */
export const EXPORT_PARAMETERS: Record<string, Parameter> = {
  From: query(
    'from',
    `The first instant, by the date of what is exported: ${ABOUT_INSTANTS}`,
    INSTANT,
    '2026-11-01',
  ),
  To: query('to', `The first instant behind the period: ${ABOUT_INSTANTS}`, INSTANT, '2026-11-20T12:00:00Z'),
  Format: query(
    'format',
    'The form; by `Accept` where it is left out, and NDJSON where that names none.',
    { type: 'string', enum: Object.keys(MEDIA_TYPES) },
    'ndjson',
  ),
  After: query(
    'after',
    'A cursor: what came behind it, oldest arrival first. Empty: from the oldest that is kept. `now`: nothing yet, only a cursor.',
    { type: 'string', maxLength: LONGEST_CURSOR },
    'now',
  ),
  Limit: query(
    'limit',
    'With `after`: the most records of an answer.',
    { type: 'integer', minimum: 1, maximum: LARGEST_PAGE, default: USUAL_PAGE },
    USUAL_PAGE,
  ),
  Cursors: query(
    'cursors',
    'With `after`: whether each NDJSON record ends with a field `cursor`, which leads on behind it.',
    { type: 'boolean', default: false },
    true,
  ),
  Account: query(
    'account',
    'Whose: an internal token has to say it, as it has no account of its own. A key is refused every other account.',
    { type: 'string' },
    'demo-team',
  ),
};

function query(name: string, description: string, schema: JsonSchema, example: unknown): Parameter {
  return { name, in: 'query', description, required: false, schema, example };
}

const SHARED: Reference[] = Object.keys(EXPORT_PARAMETERS).map(name => ({
  $ref: `#/components/parameters/${name}`,
}));

const NOT_OWN = 'An internal token is required';
const NO_ACCOUNT = 'Account not found';
const ID: JsonSchema = {
  type: 'string',
  description: 'Unique within what is exported, and the same in each export.',
};

interface Records {
  schema: Reference;
  example: Readonly<Record<string, unknown>>;
}

/** The paths of `/export`, which no GraphQL field answers. Their records are made of the types of `/v1`. */
export class ExportPrinter {
  readonly #api: Api;
  readonly #schemas: SchemaComponents;
  readonly #responses: ResponseComponents;

  constructor(api: Api, schemas: SchemaComponents, responses: ResponseComponents) {
    this.#api = api;
    this.#schemas = schemas;
    this.#responses = responses;
  }

  paths(): OpenApiDocument['paths'] {
    return {
      [`${EXPORT_PATH}/reports/{type}`]: { get: this.#reports() },
      [`${EXPORT_PATH}/audit-log`]: { get: this.#auditLog() },
      [`${EXPORT_PATH}/findings`]: { get: this.#findings() },
    };
  }

  #reports(): OperationObject {
    const filters = this.#filters();
    const records = REPORT_TYPE_DEFINITIONS.map(definition => this.#reportsOf(definition));
    return {
      operationId: 'listExportedReports',
      tags: ['Export'],
      summary: 'All reports of a type',
      description:
        'All reports of a type within retention that match the filters, but for those that match an exclusion.',
      parameters: [
        typeParameter(this.#type('ReportTypeName'), this.#schemas),
        ...SHARED,
        ...filters,
        ...filters.map(exclusion),
      ],
      responses: this.#responses.withoutValidator(
        'ExportedReports',
        this.#exported('Reports of the type.', records),
        {
          400: [...this.#refused(), 'Parameter nelType does not apply to report type csp'],
          403: ['Threat Intelligence is not included in your plan', NOT_OWN],
          404: ['Unknown report type', NO_ACCOUNT],
        },
      ),
    };
  }

  #filters(): Parameter[] {
    const byType = [...this.#api.filters].map(([type, inputs]) => {
      const filters = [...inputs.values()].map(argument => ({
        name: argument.name,
        argument,
        required: false,
      }));
      return [type, filters] as const;
    });
    return mergedParameters(byType, this.#schemas);
  }

  #reportsOf({ type, typeName, fields }: ReportTypeDefinition): Records {
    const record = this.#type(typeName);
    const ofGraph = this.#api.graph.getType(typeName) as GraphQLObjectType;
    const beyond = fields.filter(({ graphOnly }) => graphOnly).map(({ name }) => name);
    const last = Object.fromEntries(beyond.map(name => [name, this.#schemas.property(ofGraph, name)]));
    const first = { id: ID, type: { type: 'string', const: type, description: `Always \`${type}\`.` } };
    const { id: _, ...example } = objectExample(record);
    return {
      schema: this.#schemas.behind(`Exported${typeName}`, first, record, last),
      example: { id: parameterExample('id'), type, ...example, ...fieldExamples(ofGraph, beyond) },
    };
  }

  #auditLog(): OperationObject {
    const event = this.#type('AuditEvent');
    const records = {
      schema: this.#schemas.behind('ExportedAuditEvent', { id: ID }, event),
      example: { id: 'audit-2026-11-20-17', ...objectExample(event) },
    };
    return this.#unfiltered(
      'AuditLog',
      'The audit log',
      'Every event of the audit log.',
      this.#exported('The events of the account.', [records]),
    );
  }

  #findings(): OperationObject {
    const [resource, policy] = [this.#type('WatchFinding'), this.#type('PolicyWatchFinding')];
    const found = (name: string) => this.#schemas.property(resource, name);
    const properties: Record<string, JsonSchema> = {
      id: ID,
      product: {
        type: 'string',
        description: 'What watches.',
        enum: [...PRODUCTS],
      },
      site: { type: 'string', description: 'The domain that is watched.' },
      uri: orNull(found('uri')),
      policy: orNull(this.#schemas.property(policy, 'policy')),
      count: found('count'),
      firstSeen: found('firstSeen'),
      lastSeen: found('lastSeen'),
      source: orNull(found('source')),
      enforced: orNull(this.#schemas.property(policy, 'enforced')),
    };
    const { uri, ...seen } = objectExample(resource);
    const id = `script:www.example.com:${'1f'.repeat(32)}`;
    const records = {
      schema: this.#schemas.add('ExportedFinding', 'What a watch has found.', properties),
      example: { id, product: 'script', site: 'www.example.com', uri, policy: null, ...seen, enforced: null },
    };
    return this.#unfiltered(
      'Findings',
      'The findings of all watches',
      'Everything that the watches have found.',
      this.#exported('The findings of the account.', [records]),
    );
  }

  #unfiltered(name: string, summary: string, description: string, success: Response): OperationObject {
    return {
      operationId: `listExported${name}`,
      tags: ['Export'],
      summary,
      description,
      parameters: [...SHARED],
      responses: this.#responses.withoutValidator(`Exported${name}`, success, {
        400: this.#refused(),
        403: [NOT_OWN],
        404: [NO_ACCOUNT],
      }),
    };
  }

  #refused(): string[] {
    return [this.#api.errors.invalidParameter('after'), 'Parameter limit goes with after'];
  }

  /** Records in the three forms, of which OpenAPI 3.1 can say the most of JSON. */
  #exported(description: string, records: readonly Records[]): Response {
    const schemas = records.map(({ schema }) => schema);
    const [first] = records as [Records];
    return {
      description,
      headers: EXPORT_HEADERS,
      content: {
        [MEDIA_TYPES.json]: {
          schema: { type: 'array', items: schemas.length === 1 ? first.schema : { anyOf: schemas } },
          examples: Object.fromEntries(
            records.map(({ schema, example }) => {
              const name = schema.$ref.split('/').at(-1)!;
              return [name, { summary: name, value: [example] }];
            }),
          ),
        },
        [MEDIA_TYPES.ndjson]: {
          schema: { type: 'string', description: 'A record on each line, as it stands in the JSON array.' },
          example: `${JSON.stringify(first.example)}\n`,
        },
        [MEDIA_TYPES.csv]: {
          schema: {
            type: 'string',
            description:
              'RFC 4180 with a header; lists and objects as JSON; an apostrophe before what a spreadsheet takes for a formula.',
          },
          example: this.#api.csvOf([first.example]),
        },
      },
    };
  }

  #type(name: string): GraphQLObjectType {
    return this.#api.rest.getType(name) as GraphQLObjectType;
  }
}

function exclusion(filter: Parameter): Parameter {
  const { name, description } = filter;
  return { ...filter, name: NOT + name, description: `Leaves out reports that match. ${description}` };
}
