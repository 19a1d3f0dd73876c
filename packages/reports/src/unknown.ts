import type { ReportField } from './types.ts';

/** The value of a field that a report leaves out, for kinds that are never null. */
const UNKNOWN: Partial<Record<ReportField['kind'], unknown>> = {
  text: '',
  texts: [],
  objects: [],
  boolean: false,
  flag: 0,
  integer: 0,
};

/** Answers with the value that a record shows of a field which its report leaves out; undefined for an object. */
export function unknownOf({ kind, nullable }: ReportField): unknown {
  return nullable ? null : UNKNOWN[kind];
}

/** True for a value that says no more than a field which is left out. It is not stored. */
export function isUnknown(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
