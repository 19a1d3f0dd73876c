import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLUnionType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import type { JsonField, JsonFields } from '../../sql/driver/row-writer.ts';
import { Rows } from '../../sql/driver/rows.ts';
import type { Writing } from './json.ts';
import { kindOf, leafText } from './leaf.ts';
import { type Selected, type Selections, selectedFields } from './selections.ts';

/** How the values of a type are written. */
export interface TypeWriter {
  /** Adds a value to a text, and answers with the whole text. @throws {Error} for what is no value of the type */
  write(value: unknown, text: string, writing: Writing): string;
  /** The items of a list, with commas between them; undefined for what is no list. */
  writeItems?: TypeWriter['write'];
  /** The kind of column whose bytes say what is written. */
  kind?: ReturnType<typeof kindOf>;
  /** Whether it is written without any resolver. */
  isPlain: boolean;
}

/**
 * @param selections of an object, in their order
 * @param where the field that has the type, for errors
 */
export function typeWriter(type: GraphQLOutputType, selections: Selections, where: string): TypeWriter {
  const isNullable = !isNonNullType(type);
  const writer = nonNull(isNullable ? type : type.ofType, selections, where);
  const write: TypeWriter['write'] = (value, text, writing) => {
    if (value !== null && value !== undefined) return writer.write(value, text, writing);
    if (isNullable) return `${text}null`;
    throw new Error(`Cannot return null for non-nullable field ${where}.`);
  };
  return { ...writer, write };
}

function nonNull(type: GraphQLOutputType, selections: Selections, where: string): TypeWriter {
  if (isLeafType(type)) {
    const textOf = leafText(type);
    return { write: (value, text) => text + textOf(value), kind: kindOf(type), isPlain: true };
  }
  if (isListType(type)) return listWriter(type.ofType, selections, where);
  if (isObjectType(type)) return objectWriter(type, selections);
  if (isUnionType(type)) return unionWriter(type, selections);
  throw new Error(`${where} is of type ${type}, which no route writes`);
}

function listWriter(type: GraphQLOutputType, selections: Selections, where: string): TypeWriter {
  const { write: writeItem, isPlain, kind } = typeWriter(type, selections, where);
  const item = isNonNullType(type) ? type.ofType : undefined;
  const fields = isObjectType(item) ? rowFields(item, selections) : undefined;
  const writeItems: TypeWriter['write'] = (value, before, writing) => {
    if (fields && value instanceof Rows && value.isRaw) return writing.rows(before, value, fields);
    if (!isIterable(value)) throw new Error(`Expected Iterable, but did not find one for field "${where}".`);
    let text = before;
    let separator = '';
    for (const item of value) {
      text = writeItem(item, text + separator, writing);
      separator = ',';
    }
    return text;
  };
  const write: TypeWriter['write'] = (value, text, writing) => `${writeItems(value, `${text}[`, writing)}]`;
  return { write, writeItems, isPlain, kind: kind === 'text' ? 'list' : undefined };
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/** By which type the value is of. */
function unionWriter(type: GraphQLUnionType, selections: Selections): TypeWriter {
  const writers = new Map(type.getTypes().map(member => [member.name, objectWriter(member, selections)]));
  const write: TypeWriter['write'] = (value, text, writing) => {
    const name = type.resolveType!(value, writing.context, undefined as never, type) as string;
    const writer = writers.get(name);
    if (!writer) throw new Error(`${type} has no type "${name}"`);
    return writer.write(value, text, writing);
  };
  return { write, isPlain: false };
}

/**
 * The fields of a type as those of a row; undefined where one of them is more than a property.
 * @param selections all fields unless they are given
 */
export function rowFields(type: GraphQLObjectType, selections?: Selections): JsonFields | undefined {
  const fields = selectedFields(type, selections).map(selected => rowField(type, selected));
  return fields.every(field => field !== undefined) ? fields : undefined;
}

function rowField(type: GraphQLObjectType, { name, field, selections }: Selected): JsonField | undefined {
  const column = propertyOf(field);
  const { write, kind, isPlain } = typeWriter(field.type, selections, `${type}.${field.name}`);
  if (column === undefined || !isPlain) return undefined;
  const text = (value: unknown) => write(value, '', undefined as never);
  return { name, column, kind, isNullable: !isNonNullType(field.type), text };
}

/** The property of the source that a field shows; undefined where it has a resolver of its own. */
function propertyOf({ name, resolve, extensions }: GraphQLField<unknown, unknown>): string | undefined {
  return resolve ? (extensions.pothosExposedField as string | undefined) : name;
}

/**
 * An object, field by field. It is compiled, as rows are: a property that is named in code is read several times
 * faster than one whose name is looked up.
 */
function objectWriter(type: GraphQLObjectType, selections: Selections): TypeWriter {
  const fields = selectedFields(type, selections);
  const known: Record<string, unknown> = {};
  let isPlain = true;
  const steps = fields.map(({ name, field, selections }, index) => {
    const where = `${type}.${field.name}`;
    const writer = typeWriter(field.type, selections, where);
    const property = propertyOf(field);
    isPlain &&= writer.isPlain && property !== undefined;
    known[`write${index}`] = writer.write;
    if (property === undefined) known[`resolve${index}`] = resolver(field, where);
    const value =
      property === undefined
        ? `resolve${index}(source, writing.context)`
        : `source[${JSON.stringify(property)}]`;
    const before = JSON.stringify(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    return `text = write${index}(${value}, text + ${before}, writing);`;
  });
  const source = `return (source, text, writing) => {
    ${steps.join('\n')}
    return text + '}';
  };`;
  const write = new Function(...Object.keys(known), source)(...Object.values(known)) as TypeWriter['write'];
  return { write, isPlain };
}

const NO_ARGUMENTS = {};

function resolver({ resolve }: GraphQLField<unknown, unknown>, where: string) {
  return (source: unknown, context: unknown): unknown => {
    const value = resolve!(source, NO_ARGUMENTS, context, undefined as never);
    if (value instanceof Promise)
      throw new Error(`${where} is not there at once, and a body is written at once`);
    return value;
  };
}
