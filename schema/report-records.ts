import type { ReportField, ReportType, ReportTypeDefinition } from '@sightline/reports';
import type { ReportRow } from '../sql/reports.ts';
import type { OfRow } from '../src/executor/type-writer.ts';
import { builder } from './builder.ts';
import { Node } from './global-ids.ts';
import { ReportTypeName } from './report-type-name.ts';

const scalars = {
  text: 'String',
  integer: 'Counter',
  number: 'Float',
  timestamp: 'DateTime',
  date: 'Date',
  boolean: 'Boolean',
  flag: 'Flag',
  texts: ['String'],
} as const;

/** The cost of a list within a record, which usually has one or two items. */
const FEW = { field: 1, multiplier: 2 };

export interface AnyReport {
  id: string;
  type: ReportType;
  date: string;
  count: number;
  raw: string;
}

/** The record fields of all types, on `/graphql`. */
export const Report = builder.interfaceRef<AnyReport>('Report').implement({
  description: 'A report of any type.',
  subGraphs: ['graph'],
  interfaces: [Node],
  fields: t => ({
    recordId: t.expose('id', {
      type: 'String',
      subGraphs: ['graph'],
      description: 'Identifier of the report, unique within the account and the type: `id` of `/v1`.',
    }),
    type: t.expose('type', { type: ReportTypeName, subGraphs: ['graph'], description: 'The report type.' }),
    date: t.expose('date', { type: 'DateTime', description: 'When the report was created.' }),
    count: t.expose('count', {
      type: 'Counter',
      description: 'The number of identical reports that this record represents.',
    }),
    raw: t.expose('raw', { type: 'String', description: 'The original report as a JSON-encoded string.' }),
  }),
});

/** The name of the field that lists a type's reports: `cspReports` for `CspReport`. */
export function listField({ typeName }: Pick<ReportTypeDefinition, 'typeName'>): string {
  return `${typeName[0]!.toLowerCase()}${typeName.slice(1)}s`;
}

/** Creates the GraphQL type of a record from its fields. */
export function reportRecord({ type, typeName, description, fields }: ReportTypeDefinition) {
  const record = builder.objectRef<ReportRow>(typeName);
  record.implement({
    description,
    interfaces: [Node, Report],
    extensions: { fieldOrder: fields.filter(({ graphOnly }) => !graphOnly).map(({ name }) => name) },
    fields: t => exposeFields(t, fields),
  });
  builder.objectField(record, 'type', t =>
    t.field({
      type: ReportTypeName,
      subGraphs: ['graph'],
      description: `Always \`${type}\`.`,
      extensions: { ofRow: { columns: [], value: () => type } satisfies OfRow },
      resolve: () => type,
    }),
  );
  return record;
}

function objectType(name: string, description: string, fields: readonly ReportField[]) {
  return builder.objectRef<object>(name).implement({ description, fields: t => exposeFields(t, fields) });
}

type FieldBuilder = Parameters<
  NonNullable<Parameters<ReturnType<typeof builder.objectRef<object>>['implement']>[0]['fields']>
>[0];

function exposeFields(t: FieldBuilder, fields: readonly ReportField[]) {
  return Object.fromEntries(
    fields.map(field => [
      field.name,
      t.expose(
        field.name as never,
        {
          type: toType(field) as 'String',
          nullable: field.nullable === true,
          description: field.description,
          ...(field.graphOnly && { subGraphs: ['graph'] }),
          ...(field.kind === 'objects' && { complexity: FEW }),
          extensions: field.values ? { values: field.values } : {},
        } as never,
      ),
    ]),
  ) as never;
}

const nested = new Map<string, ReturnType<typeof objectType>>();

function toType({ kind, column, type = '', description, fields = [] }: ReportField): unknown {
  if (column === 'id') return 'ID';
  if (kind !== 'object' && kind !== 'objects') return scalars[kind];
  const existing = nested.get(type) ?? objectType(type, description, fields);
  nested.set(type, existing);
  return kind === 'objects' ? [existing] : existing;
}
