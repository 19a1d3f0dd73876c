import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  TypeNameMetaFieldDef,
} from 'graphql';
import type { OfRow } from '../../schema/builder.ts';
import type { JsonField, JsonFields } from '../../sql/driver/row-writer.ts';
import { Rows } from '../../sql/driver/rows.ts';
import type { Writing } from './json.ts';
import { kindOf, leafText } from './leaf.ts';
import {
  type Complete,
  type ObjectField,
  objectWriter,
  type Source,
  type TypeWriter,
  writeAsked,
} from './object-writer.ts';
import type { Path, Run } from './run.ts';
import { everything, type Selected, type Selections } from './selections.ts';
import { sideBySide, when } from './when.ts';

/** Where a type is selected. */
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
  const fieldsOfRows: RowFields = value =>
    isNonNullType(type) && value instanceof Rows ? item.rowFields?.(value) : undefined;
  const writeItems: TypeWriter['write'] = (value, before, writing) => {
    const fields = fieldsOfRows(value);
    if (fields) return writeRows(value as Rows, fields, before, writing);
    let text = before;
    let separator = '';
    for (const one of iterable(value, where)) {
      text = item.write(one, text + separator, writing);
      separator = ',';
    }
    return text;
  };
  return {
    write: (value, text, writing) => `${writeItems(value, `${text}[`, writing)}]`,
    writeItems,
    isPlain: item.isPlain,
    size: item.size,
    kind: item.kind === 'text' ? 'list' : undefined,
    complete: item.complete && completeItems(item.complete, type, place, where, fieldsOfRows),
  };
}

function completeItems(
  complete: Complete,
  type: GraphQLOutputType,
  { nodes }: Place,
  where: string,
  fieldsOfRows: RowFields,
): Complete {
  const place = { nodes, isNullable: !isNonNullType(type) };
  return (value, run, prev) => {
    if (fieldsOfRows(value)) return value;
    const items = [...iterable(value, where)];
    return sideBySide(items.length, key => {
      const path = { prev, key };
      return run.attempt(place, path, () => when(items[key], item => complete(thrown(item), run, path)));
    });
  };
}

function iterable(value: unknown, where: string): Iterable<unknown> {
  if (typeof value === 'object' && value !== null && Symbol.iterator in value)
    return value as Iterable<unknown>;
  throw new Error(`Expected Iterable, but did not find one for field "${where}".`);
}

/** The fields of a list that is rows, where rows tell all of them. */
type RowFields = (value: unknown) => JsonFields | undefined;

/** As they came, unless they were read meanwhile. */
function writeRows(rows: Rows, fields: JsonFields, before: string, writing: Writing): string {
  if (rows.isRaw) return writing.rows(before, rows, fields);
  const items = rows.objects().map(row => {
    const texts = fields.map(({ name, columns, text }) => {
      return `"${name}":${text(...columns.map(column => (row as Source)[column]))}`;
    });
    return `{${texts.join()}}`;
  });
  return before + items.join();
}

/** A resolver may answer with an error instead of throwing it. */
function thrown(value: unknown): unknown {
  if (value instanceof Error) throw value;
  return value;
}

/** By which type the value is of. */
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
  const rowFields: TypeWriter['rowFields'] = rows => writers.get(rows.typeName!)?.rowFields?.(rows);
  if (!isAsked) {
    return {
      rowFields,
      write: (value, text, writing) => writerOf(value, writing).write(value, text, writing),
      isPlain: false,
      size,
    };
  }
  return {
    write: writeAsked,
    rowFields,
    isPlain: false,
    size,
    complete: (value, run, path) => writerOf(value, run).complete!(value, run, path),
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
    const ask = isAsked && asking(selected, property, writer);
    return { name, property, writer, ask: ask || undefined, row: rowField(selected, property, writer) };
  });
}

function typeNameField(name: string, type: GraphQLObjectType): ObjectField {
  const typeName = JSON.stringify(type.name);
  const writer = { write: (_: unknown, text: string) => text + typeName, isPlain: true, size: 1 };
  const row = { name, columns: [], isNullable: false, text: () => typeName };
  return { name, property: TypeNameMetaFieldDef.name, writer, ask: undefined, row };
}

function propertyOf({ name, resolve, extensions }: GraphQLField<unknown, unknown>): string | undefined {
  if (extensions.ofRow) return undefined;
  return resolve ? (extensions.pothosExposedField as string | undefined) : name;
}

function rowField(
  { name, field: { type, extensions } }: Selected,
  property: string | undefined,
  { write, kind, isPlain }: TypeWriter,
): JsonField | undefined {
  const isNullable = !isNonNullType(type);
  const text = (value: unknown) => write(value, '', undefined as never);
  if (extensions.ofRow) {
    const { columns, value } = extensions.ofRow as OfRow;
    return { name, columns, isNullable, text: (...values) => text(value(...values)) };
  }
  return isPlain && property !== undefined
    ? { name, columns: [property], kind, isNullable, text }
    : undefined;
}

function asking(selected: Selected, property: string | undefined, writer: TypeWriter): ObjectField['ask'] {
  const { name, field, nodes, document } = selected;
  const place = { nodes, isNullable: !isNonNullType(field.type) };
  const info = document as unknown as GraphQLResolveInfo;
  const completed = (value: unknown, run: Run, path: Path) => {
    thrown(value);
    if (writer.writeItems && value instanceof Rows) run.show(value);
    return writer.complete ? writer.complete(value, run, path) : value;
  };
  return (source, run, prev) => {
    const path = { prev, key: name };
    return run.attempt(place, path, () => {
      const value =
        property === undefined
          ? field.resolve!(source, run.argumentsOf(selected), run.context, info)
          : (source as Source)[property];
      return when(value, value => completed(value, run, path));
    });
  };
}
