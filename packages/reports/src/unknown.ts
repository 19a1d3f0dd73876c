import type { ReportField } from './types.ts';

/** The value of an absent field, for kinds that are never null. */
const UNKNOWN: Partial<Record<ReportField['kind'], unknown>> = {
  text: '',
  texts: [],
  objects: [],
  boolean: false,
  flag: 0,
  integer: 0,
};

/** Returns the value that a record shows for an absent field, or undefined for an object. */
export function getUnknownValue({ kind, nullable }: ReportField): unknown {
  return nullable ? null : UNKNOWN[kind];
}

/** True if a value means the same as an absent field. Such values are not stored. */
export function isUnknown(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
