import type { JsonField, JsonFields } from '@sightline/pg-client';
import {
  formatInstant,
  isRestReportType,
  REPORT_TYPE_DEFINITIONS,
  type ReportField,
  type ReportType,
  type ReportTypeDefinition,
} from '@sightline/reports';
import type { GraphQLObjectType } from 'graphql';
import { graphSchema, restSchema } from '../../schema/index.ts';
import { rowFields } from '../executor/type-writer.ts';

/** The fields of each exported row: without a cursor, and with the cursor that continues after the row. */
export interface ExportFields {
  plain: JsonFields;
  withCursor: JsonFields;
}

const text = (name: string, isNullable = false): JsonField => ({
  name,
  columns: [name],
  kind: 'text',
  isNullable,
  text: JSON.stringify,
});

const integer = (name: string): JsonField => ({ ...text(name), kind: 'integer' });

const instant = (name: string): JsonField => ({
  ...text(name),
  kind: 'instant',
  text: value => JSON.stringify(formatInstant(value as string)),
});

/** Created once per type, since compiled writers are cached by the identity of their fields. */
function fields(plain: JsonFields): ExportFields {
  return { plain, withCursor: [...plain, text('cursor')] };
}

/** Returns the fields of a record, as on `/v1`. */
function toRecord(typeName: string): JsonFields {
  const existing = rowFields(restSchema.getType(typeName) as GraphQLObjectType);
  if (!existing) throw new Error(`records of ${typeName} are more than their rows`);
  return existing.filter(({ name }) => name !== 'id');
}

/** Returns the fields that are not on `/v1`. */
function listFurtherFields(typeName: string, existing: readonly ReportField[]): JsonFields {
  if (existing.length === 0) return [];
  const fields = rowFields(graphSchema.getType(typeName) as GraphQLObjectType)!;
  return existing.map(({ name }) => fields.find(field => field.name === name)!);
}

function listRecordFields({ type, typeName, fields }: ReportTypeDefinition): JsonFields {
  if (!isRestReportType(type))
    return listFurtherFields(
      typeName,
      fields.filter(({ name }) => name !== 'id'),
    );
  const further = fields.filter(field => field.graphOnly);
  return [...toRecord(typeName), ...listFurtherFields(typeName, further)];
}

const OF_REPORTS = new Map<ReportType, ExportFields>(
  REPORT_TYPE_DEFINITIONS.map(definition => [
    definition.type,
    fields([text('id'), text('type'), ...listRecordFields(definition)]),
  ]),
);

export function reportFields(type: ReportType): ExportFields {
  return OF_REPORTS.get(type)!;
}

export const AUDIT_FIELDS = fields([text('id'), ...toRecord('AuditEvent')]);

export const VERDICT_FIELDS = fields([
  text('id'),
  ...rowFields(graphSchema.getType('Verdict') as GraphQLObjectType)!,
]);

export const FINDING_FIELDS = fields([
  text('id'),
  text('product'),
  text('site'),
  text('uri', true),
  text('policy', true),
  integer('count'),
  instant('firstSeen'),
  instant('lastSeen'),
  text('source', true),
  { ...text('enforced', true), kind: 'boolean' },
]);
