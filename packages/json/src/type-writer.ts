import { type JsonField, type JsonFields, Rows, TextWriter } from '@sightline/postgres';
import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  TypeNameMetaFieldDef,
} from 'graphql';
import type { Json, ObjectField, TypeWriter, Writing } from './json.ts';
import { kindOf, leafText } from './leaf.ts';
import {
  type AskedObject,
  askField,
  type Complete,
  type Context,
  completeItems,
  completeObject,
  type Source,
} from './run.ts';
import { everything, propertyOf, type Selected, type Selections } from './selections.ts';

/**
 * The text of a value, between two others.
 * @param write of the value's type, or of the items of a list
 * @throws {Error} for what is no value of the type
 */
export function textOf(
  write: TypeWriter['write'],
  value: unknown,
  context: Context,
  before = '',
  behind = '',
): Json {
  const utf8 = new TextWriter();
  const { budget } = context;
  const check = budget && ((length: number) => budget.check(utf8.size + length));
  try {
    const text = write(value, before, { context, utf8, check }) + behind;
    check?.(text.length);
    if (utf8.size === 0) return text;
    utf8.write(text);
    return utf8.end();
  } catch (error) {
    utf8.end().release();
    throw error;
  }
}

/**
 * Computes a field with a resolver from columns of a row, as its extension `ofRow`: then the row becomes no object.
 */
export interface OfRow {
  columns: readonly string[];
  value(...values: unknown[]): unknown;
}

/** Writes a row's own columns: the rows as a whole are checked. */
const PART_OF_A_ROW = {} as Writing;

/** The places that select a type. */
type Place = Pick<Selected, 'nodes' | 'selections' | 'document'>;

/** @param where the field that has the type, for errors */
export function typeWriter(type: GraphQLOutputType, place: Place, where: string): TypeWriter {
  const isNullable = !isNonNullType(type);
  const writer = nonNull(isNullable ? type : type.ofType, place, where);
  const { complete } = writer;
  const isThere = (value: unknown) => {
    if (value !== null && value !== undefined) return true;
    if (isNullable) return false;
    throw new Error(`Cannot return null for non-nullable field ${where}.`);
  };
  return {
    ...writer,
    write: (value, text, writing) => (isThere(value) ? writer.write(value, text, writing) : `${text}null`),
    complete: complete && ((value, run, path) => (isThere(value) ? complete(value, run, path) : null)),
  };
}

function nonNull(type: GraphQLOutputType, place: Place, where: string): TypeWriter {
  if (isLeafType(type)) {
    const textOf = leafText(type);
    return { write: (value, text) => text + textOf(value), kind: kindOf(type), isPlain: true, size: 1 };
  }
  if (isListType(type)) return listWriter(type.ofType, place, where);
  if (isAbstractType(type)) return abstractWriter(type, place);
  return objectWriter(fieldsOf(type as GraphQLObjectType, place.selections));
}

function listWriter(type: GraphQLOutputType, place: Place, where: string): TypeWriter {
  const item = typeWriter(type, place, where);
  const isNullable = !isNonNullType(type);
  const fieldsOfRows = (value: unknown) =>
    !isNullable && value instanceof Rows ? item.rowFields?.(value) : undefined;
  const askedItems = (value: unknown) => (fieldsOfRows(value) ? undefined : iterable(value, where));
  const writeItems: TypeWriter['write'] = (value, before, writing) => {
    const fields = fieldsOfRows(value);
    if (fields) return writeRows(value as Rows, fields, before, writing);
    let text = before;
    let separator = '';
    for (const one of iterable(value, where)) {
      text = item.write(one, text + separator, writing);
      separator = ',';
      writing.check?.(text.length);
    }
    return text;
  };
  return {
    write: (value, text, writing) => `${writeItems(value, `${text}[`, writing)}]`,
    writeItems,
    isPlain: item.isPlain,
    size: item.size,
    kind: item.kind === 'text' ? 'list' : undefined,
    complete: item.complete && completeItems(item.complete, { nodes: place.nodes, isNullable }, askedItems),
  };
}

function iterable(value: unknown, where: string): Iterable<unknown> {
  if (typeof value === 'object' && value !== null && Symbol.iterator in value)
    return value as Iterable<unknown>;
  throw new Error(`Expected Iterable, but did not find one for field "${where}".`);
}

/** As they came, unless they were read meanwhile. */
function writeRows(rows: Rows, fields: JsonFields, before: string, { utf8, check }: Writing): string {
  if (rows.isRaw) {
    utf8.write(before);
    rows.write(utf8, fields);
    check?.(0);
    return '';
  }
  const items = rows.objects().map(row => {
    const texts = fields.map(({ name, columns, text }) => {
      return `"${name}":${text(...columns.map(column => (row as Source)[column]))}`;
    });
    return `{${texts.join()}}`;
  });
  return before + items.join();
}

/** @param isAsked whether it is completed in any case */
function objectWriter(
  fields: readonly ObjectField[],
  isAsked = fields.some(({ ask }) => ask !== undefined),
): TypeWriter {
  const rows = fields.flatMap(({ row }) => row ?? []);
  const known = rows.length === fields.length ? rows : undefined;
  const rowFields = () => known;
  const size = fields.reduce((sum, { writer }) => sum + writer.size, 1);
  if (!isAsked) return { ...propertiesWriter(fields), rowFields, size };
  return { write: writeAsked, isPlain: false, complete: completeObject(fields), rowFields, size };
}

function propertiesWriter(fields: readonly ObjectField[]): Pick<TypeWriter, 'write' | 'isPlain'> {
  const parts = fields.map(({ name, property, writer }, index) => ({
    before: `${index === 0 ? '{' : ','}"${name}":`,
    property: property!,
    write: writer.write,
  }));
  const end = fields.length === 0 ? '{}' : '}';
  return {
    write(source, before, writing) {
      let text = before;
      for (const { before, property, write } of parts)
        text = write((source as Source)[property], text + before, writing);
      return text + end;
    },
    isPlain: fields.every(({ writer }) => writer.isPlain),
  };
}

const writeAsked: TypeWriter['write'] = (value, before, writing) => {
  const { fields, source, values } = value as AskedObject<ObjectField>;
  let asked = 0;
  let text = before;
  let start = '{';
  for (const { name, property, writer, ask } of fields) {
    const value = ask ? values[asked++] : (source as Source)[property!];
    text = writer.write(value, `${text}${start}"${name}":`, writing);
    start = ',';
  }
  return `${text}${start === '{' ? '{}' : '}'}`;
};

/** Chooses by the type of the value. */
function abstractWriter(type: GraphQLAbstractType, { selections, document }: Place): TypeWriter {
  const { schema } = document!;
  const members = schema
    .getPossibleTypes(type)
    .map(member => [member.name, fieldsOf(member, selections)] as const);
  const isAsked = members.some(([, fields]) => fields.some(({ ask }) => ask));
  const writers = new Map(members.map(([name, fields]) => [name, objectWriter(fields, isAsked)]));
  const size = [...writers.values()].reduce((sum, writer) => sum + writer.size, 0);
  const resolveType = type.resolveType ?? defaultTypeResolver;
  const writerOf = (value: unknown, { context }: { context: unknown }) => {
    const name = resolveType(value, context, document as unknown as GraphQLResolveInfo, type);
    const writer = writers.get(name as string);
    if (!writer) throw new Error(`${type} has no type "${name}"`);
    return writer;
  };
  const write: TypeWriter['write'] = (value, text, writing) =>
    writerOf(value, writing).write(value, text, writing);
  const complete: Complete = (value, run, path) => writerOf(value, run).complete!(value, run, path);
  return {
    write: isAsked ? writeAsked : write,
    rowFields: rows => writers.get(rows.typeName!)?.rowFields?.(rows),
    isPlain: false,
    size,
    complete: isAsked ? complete : undefined,
  };
}

/** The fields of a type as those of a row; undefined where one of them is more than a property. */
export function rowFields(type: GraphQLObjectType): JsonFields | undefined {
  return objectWriter(fieldsOf(type, everything)).rowFields?.(Rows.of([]));
}

function fieldsOf(type: GraphQLObjectType, selections: Selections): ObjectField[] {
  return selections(type).map(selected => {
    const { name, field } = selected;
    if (field === TypeNameMetaFieldDef) return typeNameField(name, type);
    const writer = typeWriter(field.type, selected, `${type}.${field.name}`);
    const property = propertyOf(field);
    const isAsked = property === undefined || writer.complete;
    const ask = isAsked ? askField(selected, writer.writeItems !== undefined, writer.complete) : undefined;
    return { name, property, writer, ask, row: rowField(selected, property, writer) };
  });
}

function typeNameField(name: string, type: GraphQLObjectType): ObjectField {
  const typeName = JSON.stringify(type.name);
  const writer = { write: (_: unknown, text: string) => text + typeName, isPlain: true, size: 1 };
  const row = { name, columns: [], isNullable: false, text: () => typeName };
  return { name, property: TypeNameMetaFieldDef.name, writer, ask: undefined, row };
}

function rowField(
  { name, field: { type, extensions } }: Selected,
  property: string | undefined,
  { write, kind, isPlain }: TypeWriter,
): JsonField | undefined {
  const isNullable = !isNonNullType(type);
  const text = (value: unknown) => write(value, '', PART_OF_A_ROW);
  if (extensions.ofRow) {
    const { columns, value } = extensions.ofRow as OfRow;
    return { name, columns, isNullable, text: (...values) => text(value(...values)) };
  }
  return isPlain && property !== undefined
    ? { name, columns: [property], kind, isNullable, text }
    : undefined;
}
