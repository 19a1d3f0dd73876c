import type { ValueKind } from '@sightline/postgres';
import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  type GraphQLLeafType,
  GraphQLString,
  isEnumType,
} from 'graphql';

/** The JSON of a value that is not null. @throws {Error} for what is no value of the type */
export type LeafText = (value: unknown) => string;

/** As plain graphql-js has it, with a short way for the values that there are as a rule. */
export function leafText(type: GraphQLLeafType): LeafText {
  const serialized: LeafText = value => {
    const shown = type.serialize(value);
    if (shown == null) throw new Error(`${type.name} shows a value as null`);
    return JSON.stringify(shown);
  };
  if (isEnumType(type)) {
    const names = new Map(type.getValues().map(({ name, value }) => [value, JSON.stringify(name)]));
    return value => names.get(value) ?? serialized(value);
  }
  switch (kindOf(type)) {
    case 'text':
      return value => (typeof value === 'string' ? JSON.stringify(value) : serialized(value));
    case 'boolean':
      return value => (value === true ? 'true' : value === false ? 'false' : serialized(value));
    case 'integer':
      return value => (Number.isInteger(value) ? String(value) : serialized(value));
    default:
      return serialized;
  }
}

const BUILT_IN = new Map<GraphQLLeafType, ValueKind>([
  [GraphQLString, 'text'],
  [GraphQLID, 'text'],
  [GraphQLBoolean, 'boolean'],
  [GraphQLFloat, 'number'],
]);

/** The kind of column whose bytes say what is shown; undefined where a value has to be looked at. */
export function kindOf(type: GraphQLLeafType): ValueKind | undefined {
  return BUILT_IN.get(type) ?? (type.extensions.kind as ValueKind | undefined);
}
