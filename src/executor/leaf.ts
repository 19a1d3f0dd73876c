import type { ValueKind } from '@sightline/pg-client';
import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  type GraphQLLeafType,
  GraphQLString,
  isEnumType,
} from 'graphql';

/**
 * Serializes a non-null value as JSON.
 * @throws {Error} if the value does not belong to the type
 */
export type LeafText = (value: unknown) => string;

/** Serializes like graphql-js, with a fast path for common values. */
export function leafText(type: GraphQLLeafType): LeafText {
  const serialize: LeafText = value => {
    const shown = type.serialize(value);
    if (shown == null) throw new Error(`${type.name} shows a value as null`);
    return JSON.stringify(shown);
  };
  if (isEnumType(type)) {
    const names = new Map(type.getValues().map(({ name, value }) => [value, JSON.stringify(name)]));
    return value => names.get(value) ?? serialize(value);
  }
  switch (classify(type)) {
    case 'text':
      return value => (typeof value === 'string' ? JSON.stringify(value) : serialize(value));
    case 'boolean':
      return value => (value === true ? 'true' : value === false ? 'false' : serialize(value));
    case 'integer':
      return value => (Number.isInteger(value) ? String(value) : serialize(value));
    default:
      return serialize;
  }
}

const BUILT_IN = new Map<GraphQLLeafType, ValueKind>([
  [GraphQLString, 'text'],
  [GraphQLID, 'text'],
  [GraphQLBoolean, 'boolean'],
  [GraphQLFloat, 'number'],
]);

/** Returns the kind of column whose bytes can be copied; undefined if values have to be inspected. */
export function classify(type: GraphQLLeafType): ValueKind | undefined {
  return BUILT_IN.get(type) ?? (type.extensions.kind as ValueKind | undefined);
}
