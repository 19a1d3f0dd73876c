import { nextTurn } from '@sightline/csp';
import { type JsonField, type JsonFields, Rows, TextWriter } from '@sightline/pg-client';
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
import type { Json, JsonOutput, ObjectField, TypeWriter } from './json.ts';
import { classify, leafText } from './leaf.ts';
import {
  askField,
  type Complete,
  completeItems,
  completeObject,
  type ExecutionContext,
  type FieldSource,
  type ResolvedObject,
} from './run.ts';
import { everything, type FieldSelection, getProperty, type Selections } from './selections.ts';

/**
 * Writes a value between two texts.
 * @param write the writer of the value's type, or of the items of a list
 * @throws {Error} if the value does not belong to the type
 */
export function toText(
  write: TypeWriter['write'],
  value: unknown,
  context: ExecutionContext,
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

/** Like `toText`, but yields to the event loop in between. */
export async function toTextInTurns(
  { write, writeInTurns = async (...args) => write(...args) }: TypeWriter,
  value: unknown,
  context: ExecutionContext,
  before = '',
  behind = '',
): Promise<Json> {
  const utf8 = new TextWriter();
  const { budget } = context;
  const check = budget && ((length: number) => budget.check(utf8.size + length));
  try {
    const text = (await writeInTurns(value, before, { context, utf8, check })) + behind;
    check?.(text.length);
    if (utf8.size === 0) return text;
    utf8.write(text);
    return utf8.end();
  } catch (error) {
    utf8.end().release();
    throw error;
  }
}

/** Number of characters, or bytes of rows, that are written per turn of the event loop. */
const BETWEEN_TURNS = 256 * 1024;

/** Sets a long text aside and yields to other requests. */
async function pause(text: string, { utf8, check }: JsonOutput): Promise<string> {
  if (text.length < BETWEEN_TURNS) return text;
  check?.(text.length);
  utf8.write(text);
  utf8.settle();
  await nextTurn();
  return '';
}

/** Computes a field with a resolver from columns of a row (extension `ofRow`), so the row is not decoded. */
export interface OfRow {
  columns: readonly string[];
  value(...values: unknown[]): unknown;
}

/** Writes columns of a row. The set of rows has been checked before. */
const PART_OF_A_ROW = {} as JsonOutput;

/** The fields that a document selects from a type. */
type SelectionSite = Pick<FieldSelection, 'nodes' | 'selections' | 'document'>;

/** @param where the field of this type, for error messages */
export function typeWriter(type: GraphQLOutputType, place: SelectionSite, where: string): TypeWriter {
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
    writeInTurns:
      writer.writeInTurns &&
      (async (value, text, writing) =>
        isThere(value) ? writer.writeInTurns!(value, text, writing) : `${text}null`),
    complete: complete && ((value, run, path) => (isThere(value) ? complete(value, run, path) : null)),
  };
}

function nonNull(type: GraphQLOutputType, place: SelectionSite, where: string): TypeWriter {
  if (isLeafType(type)) {
    const textOf = leafText(type);
    return { write: (value, text) => text + textOf(value), kind: classify(type), isPlain: true, size: 1 };
  }
  if (isListType(type)) return listWriter(type.ofType, place, where);
  if (isAbstractType(type)) return abstractWriter(type, place);
  return objectWriter(toFields(type as GraphQLObjectType, place.selections));
}

function listWriter(type: GraphQLOutputType, place: SelectionSite, where: string): TypeWriter {
  const item = typeWriter(type, place, where);
  const isNullable = !isNonNullType(type);
  const fieldsOfRows = (value: unknown) =>
    !isNullable && value instanceof Rows ? item.rowFields?.(value) : undefined;
  const getItems = (value: unknown) => (fieldsOfRows(value) ? undefined : iterable(value, where));
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
  const writeItemsInTurns = async (value: unknown, before: string, writing: JsonOutput) => {
    const fields = fieldsOfRows(value);
    if (fields) return writeRowsInTurns(value as Rows, fields, before, writing);
    const inTurns = item.isPlain ? undefined : item.writeInTurns;
    let text = before;
    let separator = '';
    for (const one of iterable(value, where)) {
      text += separator;
      text = inTurns ? await inTurns(one, text, writing) : item.write(one, text, writing);
      separator = ',';
      if (text.length >= BETWEEN_TURNS) text = await pause(text, writing);
    }
    return text;
  };
  return {
    write: (value, text, writing) => `${writeItems(value, `${text}[`, writing)}]`,
    writeInTurns: async (value, text, writing) => `${await writeItemsInTurns(value, `${text}[`, writing)}]`,
    writeItems,
    isPlain: item.isPlain,
    size: item.size,
    kind: item.kind === 'text' ? 'list' : undefined,
    complete: item.complete && completeItems(item.complete, { nodes: place.nodes, isNullable }, getItems),
  };
}

function iterable(value: unknown, where: string): Iterable<unknown> {
  if (typeof value === 'object' && value !== null && Symbol.iterator in value)
    return value as Iterable<unknown>;
  throw new Error(`Expected Iterable, but did not find one for field "${where}".`);
}

/** The rows are in wire format, unless they were decoded before. */
function writeRows(rows: Rows, fields: JsonFields, before: string, { utf8, check }: JsonOutput): string {
  if (rows.isRaw) {
    utf8.write(before);
    rows.write(utf8, fields);
    check?.(0);
    return '';
  }
  const items = rows.objects().map(row => {
    const texts = fields.map(({ name, columns, text }) => {
      return `"${name}":${text(...columns.map(column => (row as FieldSource)[column]))}`;
    });
    return `{${texts.join()}}`;
  });
  return before + items.join();
}

/** Writes long rows in parts, yielding to the event loop in between. */
async function writeRowsInTurns(
  rows: Rows,
  fields: JsonFields,
  before: string,
  writing: JsonOutput,
): Promise<string> {
  if (!rows.isRaw || rows.bytes < BETWEEN_TURNS) return writeRows(rows, fields, before, writing);
  await rows.measured(nextTurn);
  const { utf8, check } = writing;
  utf8.write(before);
  let separator = '';
  for (const part of rows.inParts(BETWEEN_TURNS)) {
    utf8.write(separator);
    part.write(utf8, fields);
    separator = ',';
    check?.(0);
    await nextTurn();
  }
  return '';
}

/** @param isAsked true if the objects always have resolvers */
function objectWriter(
  fields: readonly ObjectField[],
  isAsked = fields.some(({ ask }) => ask !== undefined),
): TypeWriter {
  const rows = fields.flatMap(({ row }) => row ?? []);
  const existing = rows.length === fields.length ? rows : undefined;
  const rowFields = () => existing;
  const size = fields.reduce((sum, { writer }) => sum + writer.size, 1);
  if (!isAsked) return { ...propertiesWriter(fields), rowFields, size };
  return {
    write: writeAsked,
    writeInTurns: writeAskedInTurns,
    isPlain: false,
    complete: completeObject(fields),
    rowFields,
    size,
  };
}

function propertiesWriter(
  fields: readonly ObjectField[],
): Pick<TypeWriter, 'write' | 'writeInTurns' | 'isPlain'> {
  const parts = fields.map(({ name, property, writer }, index) => ({
    before: `${index === 0 ? '{' : ','}"${name}":`,
    property: property!,
    write: writer.write,
    writeInTurns: writer.writeInTurns,
  }));
  const hasLong = parts.some(({ writeInTurns }) => writeInTurns);
  const end = fields.length === 0 ? '{}' : '}';
  return {
    write(source, before, writing) {
      let text = before;
      for (const { before, property, write } of parts)
        text = write((source as FieldSource)[property], text + before, writing);
      return text + end;
    },
    writeInTurns: hasLong
      ? async (source, before, writing) => {
          let text = before;
          for (const { before, property, write, writeInTurns = write } of parts)
            text = await writeInTurns((source as FieldSource)[property], text + before, writing);
          return text + end;
        }
      : undefined,
    isPlain: fields.every(({ writer }) => writer.isPlain),
  };
}

const writeAsked: TypeWriter['write'] = (value, before, writing) => {
  const { fields, source, values } = value as ResolvedObject<ObjectField>;
  let requested = 0;
  let text = before;
  let start = '{';
  for (const { name, property, writer, ask } of fields) {
    const value = ask ? values[requested++] : (source as FieldSource)[property!];
    text = writer.write(value, `${text}${start}"${name}":`, writing);
    start = ',';
  }
  return `${text}${start === '{' ? '{}' : '}'}`;
};

const writeAskedInTurns = async (value: unknown, before: string, writing: JsonOutput) => {
  const { fields, source, values } = value as ResolvedObject<ObjectField>;
  let requested = 0;
  let text = before;
  let start = '{';
  for (const { name, property, writer, ask } of fields) {
    const value = ask ? values[requested++] : (source as FieldSource)[property!];
    const { write, writeInTurns = write } = writer;
    text = await writeInTurns(value, `${text}${start}"${name}":`, writing);
    start = ',';
  }
  return `${text}${start === '{' ? '{}' : '}'}`;
};

/** Selects the writer by the type of the value. */
function abstractWriter(type: GraphQLAbstractType, { selections, document }: SelectionSite): TypeWriter {
  const { schema } = document!;
  const members = schema
    .getPossibleTypes(type)
    .map(member => [member.name, toFields(member, selections)] as const);
  const isAsked = members.some(([, fields]) => fields.some(({ ask }) => ask));
  const writers = new Map(members.map(([name, fields]) => [name, objectWriter(fields, isAsked)]));
  const size = [...writers.values()].reduce((sum, writer) => sum + writer.size, 0);
  const resolveType = type.resolveType ?? defaultTypeResolver;
  const createWriter = (value: unknown, { context }: { context: unknown }) => {
    const name = resolveType(value, context, document as unknown as GraphQLResolveInfo, type);
    const writer = writers.get(name as string);
    if (!writer) throw new Error(`${type} has no type "${name}"`);
    return writer;
  };
  const write: TypeWriter['write'] = (value, text, writing) =>
    createWriter(value, writing).write(value, text, writing);
  const complete: Complete = (value, run, path) => createWriter(value, run).complete!(value, run, path);
  return {
    write: isAsked ? writeAsked : write,
    writeInTurns: isAsked ? writeAskedInTurns : undefined,
    rowFields: rows => writers.get(rows.typeName!)?.rowFields?.(rows),
    isPlain: false,
    size,
    complete: isAsked ? complete : undefined,
  };
}

/** The fields of a type as fields of a row; undefined if one of them needs a resolver. */
export function rowFields(type: GraphQLObjectType): JsonFields | undefined {
  return objectWriter(toFields(type, everything)).rowFields?.(Rows.of([]));
}

function toFields(type: GraphQLObjectType, selections: Selections): ObjectField[] {
  return selections(type).map(selected => {
    const { name, field } = selected;
    if (field === TypeNameMetaFieldDef) return typeNameField(name, type);
    const writer = typeWriter(field.type, selected, `${type}.${field.name}`);
    const property = getProperty(field);
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
  { name, field: { type, extensions } }: FieldSelection,
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
