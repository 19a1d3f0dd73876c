import { PRODUCTS } from '@sightline/feed';
import {
  isRestReportType,
  REPORT_TYPE_DEFINITIONS,
  REPORT_TYPES,
  type ReportTypeDefinition,
} from '@sightline/reports';
import {
  EXPORT_PATH,
  LARGEST_PAGE,
  LONGEST_CURSOR,
  MEDIA_TYPES,
  MULTIPART,
  NOT,
  USUAL_PAGE,
} from '@sightline/tools';
import type { GraphQLObjectType } from 'graphql';
import type { Api } from './api.ts';
import { fieldExamples, objectExample, parameterExample } from './examples.ts';
import { EXPORT_HEADERS, HEADERS } from './headers.ts';
import { orNull, type SchemaComponents } from './json-schema.ts';
import { mergedParameters, typeParameter } from './report-template.ts';
import type { ResponseComponents } from './responses.ts';
import type {
  JsonSchema,
  OpenApiDocument,
  OpenApiParameter,
  OperationObject,
  Reference,
  Response,
} from './types.ts';

/** Returns the body of a response with a single part. */
function toMultipart(text: string): string {
  const headers = [
    `Content-Type: ${MEDIA_TYPES.ndjson}; charset=utf-8`,
    `Content-Length: ${new TextEncoder().encode(text).length}`,
    `Sightline-Cursor: ${HEADERS['Sightline-Cursor']!.example}`,
  ];
  return `\r\n--b7\r\n${headers.join('\r\n')}\r\n\r\n${text}\r\n--b7--\r\n`;
}

const INSTANT: JsonSchema = {
  anyOf: ['date-time', 'date'].map(format => ({ type: 'string', format })),
};
const ABOUT_INSTANTS = 'ISO 8601 with an offset or `Z`, or a day, which stands for its beginning in UTC.';

/** The parameters of exports, by component name. */
export const EXPORT_PARAMETERS: Record<string, OpenApiParameter> = {
  From: query(
    'from',
    `Start of the period, inclusive, by the date of the exported records: ${ABOUT_INSTANTS}`,
    INSTANT,
    '2026-11-01',
  ),
  To: query('to', `End of the period, exclusive: ${ABOUT_INSTANTS}`, INSTANT, '2026-11-20T12:00:00Z'),
  Format: query(
    'format',
    'The format. Defaults to the one that `Accept` names, and to NDJSON if it names none.',
    { type: 'string', enum: Object.keys(MEDIA_TYPES) },
    'ndjson',
  ),
  After: query(
    'after',
    'A cursor: returns the records that arrived after it, in order of arrival. If empty, starts at the oldest stored record. `now` returns no records, only a cursor.',
    { type: 'string', maxLength: LONGEST_CURSOR },
    'now',
  ),
  Limit: query(
    'limit',
    `With \`after\`: the maximum number of records in an answer; ${USUAL_PAGE} by default.`,
    // No default, since generated clients would send it even without `after`.
    { type: 'integer', minimum: 1, maximum: LARGEST_PAGE },
    USUAL_PAGE,
  ),
  Cursors: query(
    'cursors',
    'With `after`: whether each NDJSON record ends with a field `cursor`, from which to continue after that record.',
    { type: 'boolean' },
    true,
  ),
  Account: query(
    'account',
    'The account to export. Required with an internal token, which has no account of its own. A key is refused every account but its own.',
    { type: 'string' },
    'demo-team',
  ),
};

function query(name: string, description: string, schema: JsonSchema, example: unknown): OpenApiParameter {
  return { name, in: 'query', description, required: false, schema, example };
}

const SHARED: Reference[] = Object.keys(EXPORT_PARAMETERS).map(name => ({
  $ref: `#/components/parameters/${name}`,
}));

const NOT_OWN = 'An internal token is required';
const NO_ACCOUNT = 'Account not found';
const ID: JsonSchema = {
  type: 'string',
  description: 'Identifier of the record, unique within the export and the same in each export.',
};

interface Records {
  schema: Reference;
  example: Readonly<Record<string, unknown>>;
}

/** Describes the paths of `/export`, which are not GraphQL fields. Their records consist of the types of `/v1`. */
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
      [`${EXPORT_PATH}/verdicts`]: { get: this.#verdicts() },
    };
  }

  #reports(): OperationObject {
    const filters = this.#filters();
    const records = REPORT_TYPE_DEFINITIONS.map(definition => this.#listReports(definition));
    return {
      operationId: 'listExportedReports',
      tags: ['Export'],
      summary: 'All reports of a type',
      description:
        'All reports of a type within retention that match the filters, except those that match an exclusion.',
      parameters: [this.#typeParameter(), ...SHARED, ...filters, ...filters.map(exclusion)],
      responses: this.#responses.withoutValidator(this.#exported('Reports of the type.', records), {
        400: [...this.#listRefusals(), 'Parameter nelType does not apply to report type csp'],
        403: ['Threat Intelligence is not included in your plan', NOT_OWN],
        404: ['Unknown report type', NO_ACCOUNT],
      }),
    };
  }

  /** Exports have types that `/v1` does not list. */
  #typeParameter(): OpenApiParameter {
    const schema = { type: 'string', enum: [...REPORT_TYPES] };
    const exportOnly = REPORT_TYPES.filter(type => !isRestReportType(type)).map(type => `\`${type}\``);
    return {
      ...typeParameter(this.#type('ReportTypeName'), this.#schemas),
      description: `A report type of \`/v1/report-types\`, ${exportOnly.join(' or ')}.`,
      schema,
    };
  }

  #filters(): OpenApiParameter[] {
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

  #listReports(definition: ReportTypeDefinition): Records {
    const { type, typeName, fields } = definition;
    if (!isRestReportType(type)) return this.#listGraphReports(definition);
    const record = this.#type(typeName);
    const ofGraph = this.#api.graph.getType(typeName) as GraphQLObjectType;
    const graphOnlyNames = fields.filter(({ graphOnly }) => graphOnly).map(({ name }) => name);
    const last = Object.fromEntries(
      graphOnlyNames.map(name => [name, this.#schemas.property(ofGraph, name)]),
    );
    const first = { id: ID, type: { type: 'string', const: type, description: `Always \`${type}\`.` } };
    const { id: _, ...example } = objectExample(record);
    return {
      schema: this.#schemas.behind(`Exported${typeName}`, first, record, last),
      example: { id: parameterExample('id'), type, ...example, ...fieldExamples(ofGraph, graphOnlyNames) },
    };
  }

  /** Describes the report types that `/v1` does not have. */
  #listGraphReports({ type, typeName, description, fields }: ReportTypeDefinition): Records {
    const record = this.#api.graph.getType(typeName) as GraphQLObjectType;
    const names = fields.map(({ name }) => name).filter(name => name !== 'id');
    const properties = Object.fromEntries(names.map(name => [name, this.#schemas.property(record, name)]));
    const ofType = { type: 'string', const: type, description: `Always \`${type}\`.` };
    return {
      schema: this.#schemas.add(`Exported${typeName}`, description, { id: ID, type: ofType, ...properties }),
      example: { id: parameterExample('id'), type, ...fieldExamples(record, names) },
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
        description: 'The Watch product.',
        enum: [...PRODUCTS],
      },
      site: { type: 'string', description: 'The watched domain.' },
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
      schema: this.#schemas.add('ExportedFinding', 'A finding of a watch.', properties),
      example: { id, product: 'script', site: 'www.example.com', uri, policy: null, ...seen, enforced: null },
    };
    return this.#unfiltered(
      'Findings',
      'The findings of all watches',
      'All findings of the watches.',
      this.#exported('The findings of the account.', [records]),
    );
  }

  #verdicts(): OperationObject {
    const type = this.#api.graph.getType('Verdict') as GraphQLObjectType;
    const names = Object.keys(type.getFields());
    const properties = Object.fromEntries(names.map(name => [name, this.#schemas.property(type, name)]));
    const records = {
      schema: this.#schemas.add('ExportedVerdict', 'A decision of the team.', { id: ID, ...properties }),
      example: { id: 'sender::newsletter.example.net', ...fieldExamples(type, names) },
    };
    return this.#unfiltered(
      'Verdicts',
      'The decisions of the team',
      'Every verdict on senders, blocked sources, issuers, scripts and insights. The period applies to `decidedAt`.',
      this.#exported('The verdicts of the account.', [records]),
    );
  }

  #unfiltered(name: string, summary: string, description: string, success: Response): OperationObject {
    return {
      operationId: `listExported${name}`,
      tags: ['Export'],
      summary,
      description,
      parameters: [...SHARED],
      responses: this.#responses.withoutValidator(success, {
        400: this.#listRefusals(),
        403: [NOT_OWN],
        404: [NO_ACCOUNT],
      }),
    };
  }

  #listRefusals(): string[] {
    return [this.#api.errors.invalidParameter('after'), 'Parameter limit requires after'];
  }

  /** Describes records in the three formats. Client generators use the first one, which is also the default. */
  #exported(description: string, records: readonly Records[]): Response {
    const schemas = records.map(({ schema }) => schema);
    const [first] = records as [Records];
    return {
      description,
      headers: EXPORT_HEADERS,
      content: {
        [MEDIA_TYPES.ndjson]: {
          schema: { type: 'string', description: 'One record per line, as in the JSON array.' },
          example: `${JSON.stringify(first.example)}\n`,
        },
        [MEDIA_TYPES.csv]: {
          schema: {
            type: 'string',
            description:
              'RFC 4180 with a header row. Lists and objects are written as JSON, and values that a spreadsheet would read as a formula are prefixed with an apostrophe.',
          },
          example: this.#api.toCsv([first.example]),
        },
        [MEDIA_TYPES.json]: {
          schema: { type: 'array', items: schemas.length === 1 ? first.schema : { anyOf: schemas } },
          examples: Object.fromEntries(
            records.map(({ schema, example }) => {
              const name = schema.$ref.split('/').at(-1)!;
              return [name, { summary: name, value: [example] }];
            }),
          ),
        },
        [MULTIPART]: {
          schema: {
            type: 'string',
            description:
              'With `after`, if more records follow than fit into a page, and `Accept` names this type: all of them. Each part is a page with its own `Content-Length`, `Sightline-Cursor` and `Sightline-Gap`, so that a client whose connection breaks can continue after the last complete part. The service can end the response after any part: ask again until there is a `Retry-After`.',
          },
          example: toMultipart(`${JSON.stringify(first.example)}\n`),
        },
      },
    };
  }

  #type(name: string): GraphQLObjectType {
    return this.#api.rest.getType(name) as GraphQLObjectType;
  }
}

function exclusion(filter: OpenApiParameter): OpenApiParameter {
  const { name, description } = filter;
  return { ...filter, name: NOT + name, description: `Excludes matching reports. ${description}` };
}
