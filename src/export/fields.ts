import { rowFields } from '@sightline/json/type-writer';
import type { JsonField, JsonFields } from '@sightline/postgres';
import { REPORT_TYPE_DEFINITIONS, type ReportField, type ReportType } from '@sightline/reports';
import { formatInstant } from '@sightline/reports/instants';
import type { GraphQLObjectType } from 'graphql';
import { graphSchema, restSchema } from '../../schema/index.ts';

/** The fields of each row of an export: alone, and with the cursor that leads on behind it. */
export interface Fields {
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

/** Once for each, since what is compiled for fields is kept by their identity. */
function fields(plain: JsonFields): Fields {
  return { plain, withCursor: [...plain, text('cursor')] };
}

/** The record of the type as `/v1` has it. */
function recordOf(typeName: string): JsonFields {
  const known = rowFields(restSchema.getType(typeName) as GraphQLObjectType);
  if (!known) throw new Error(`records of ${typeName} are more than their rows`);
  return known.filter(({ name }) => name !== 'id');
}

/** The fields that `/v1` does not have. */
function beyondRest(typeName: string, known: readonly ReportField[]): JsonFields {
  const names = new Set(known.filter(({ graphOnly }) => graphOnly).map(({ name }) => name));
  if (names.size === 0) return [];
  return rowFields(graphSchema.getType(typeName) as GraphQLObjectType)!.filter(({ name }) => names.has(name));
}

const OF_REPORTS = new Map<ReportType, Fields>(
  REPORT_TYPE_DEFINITIONS.map(({ type, typeName, fields: ofRecord }) => [
    type,
    fields([text('id'), text('type'), ...recordOf(typeName), ...beyondRest(typeName, ofRecord)]),
  ]),
);

export function reportFields(type: ReportType): Fields {
  return OF_REPORTS.get(type)!;
}

export const AUDIT_FIELDS = fields([text('id'), ...recordOf('AuditEvent')]);

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
