import type { ReportField, ReportTypeDefinition } from '../sql/report/types.ts';
import type { ReportRecord } from '../sql/reports.ts';
import { builder } from './builder.ts';

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

/** A list within a record holds an entry or two. */
const FEW = { field: 1, multiplier: 2 };

/** The GraphQL type of a record. Its fields are read from the row as they are. */
export function reportRecord({ typeName, description, fields }: ReportTypeDefinition) {
  return objectType<ReportRecord>(typeName, description, fields);
}

type RecordType<Source extends object> = ReturnType<
  ReturnType<typeof builder.objectRef<Source>>['implement']
>;

function objectType<Source extends object>(
  name: string,
  description: string,
  fields: readonly ReportField[],
): RecordType<Source> {
  return builder.objectRef<Source>(name).implement({
    description,
    fields: t =>
      Object.fromEntries(
        fields.map(field => [
          field.name,
          t.expose(
            field.name as never,
            {
              type: typeOf(field) as 'String',
              nullable: field.nullable === true,
              description: field.description,
              ...(field.kind === 'objects' && { complexity: FEW }),
              extensions: field.values ? { values: field.values } : {},
            } as never,
          ),
        ]),
      ) as never,
  });
}

const nested = new Map<string, RecordType<object>>();

function typeOf({ kind, type = '', description, fields = [] }: ReportField): unknown {
  if (kind !== 'object' && kind !== 'objects') return scalars[kind];
  const known = nested.get(type) ?? objectType(type, description, fields);
  nested.set(type, known);
  return kind === 'objects' ? [known] : known;
}
