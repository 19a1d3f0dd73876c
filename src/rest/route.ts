import { Rows } from '@sightline/pg-client';
import { getNamedType, isObjectType, Kind } from 'graphql';
import type { Context } from '../../schema/context.ts';
import { restSchema } from '../../schema/index.ts';
import type { JsonBody, TypeWriter } from '../executor/json.ts';
import { mapMaybePromise } from '../executor/maybe-promise.ts';
import { Execution } from '../executor/run.ts';
import { collectSelections, type FieldSelection } from '../executor/selections.ts';
import { toText, toTextInTurns, typeWriter } from '../executor/type-writer.ts';
import type { OperationVariables } from './arguments.ts';
import type { RouteOperation } from './operations.ts';
import { type BodyWriter, type Stream, type StreamPage, wholeList } from './stream.ts';

/** A route of `/v1`, ready to run. */
export interface Route {
  operation: RouteOperation;
  /** Returns the body of the `200`, or the resolver's error. Synchronous if nothing is awaited. */
  answer(variables: OperationVariables, context: Context): JsonBody | Promise<JsonBody>;
}

/** @throws {Error} for an unsupported document */
export function compileRoute(operation: RouteOperation): Route {
  const { resolve } = restSchema.getQueryType()!.getFields()[operation.field]!;
  const { stream } = operation.route;
  const writer = compileWriter(operation);
  const ask = (variables: OperationVariables, context: Context) =>
    resolve!(undefined, variables, context, undefined as never);
  return {
    operation,
    answer(variables, context) {
      const value = ask(variables, context);
      if (!asksForAll(stream, variables))
        return mapMaybePromise(value, value => writer.write(value, context));
      const pageBehind = (cursor: unknown) => ask({ cursor }, context) as Promise<StreamPage>;
      return mapMaybePromise(value as StreamPage, (page): JsonBody | Promise<JsonBody> =>
        page[stream.cursor] === null
          ? writer.write(page, context)
          : wholeList(stream, pageBehind, writer, context, page),
      );
    },
  };
}

/** Checks whether the request asks for the complete list rather than a page of it. */
function asksForAll(stream: Stream | undefined, variables: OperationVariables): stream is Stream {
  return stream !== undefined && !stream.unless.some(name => name in variables);
}

/**
 * Writes a route's response bodies. It is compiled at the start from SOFA's document of the route and the types of the
 * schema. It writes only the selected fields, in their order. Its output equals that of graphql-js and
 * `JSON.stringify`; a test covers every route. For a list of `Rows`, the fields of its type become those of a row
 * (`rowFields`), and `Rows.write` reads them from PostgreSQL's wire format. Exports and streams use the same row writer
 * page by page, with the fields that `rowFields` returns for their type. There is only one conversion from a row to
 * text.
 * @throws {Error} for an unsupported document
 */
export function compileWriter({ document, name, field, route }: RouteOperation): BodyWriter {
  const definition = document.definitions.find(
    node => node.kind === Kind.OPERATION_DEFINITION && node.name?.value === name,
  );
  if (definition?.kind !== Kind.OPERATION_DEFINITION)
    throw new Error(`the document has no operation ${name}`);
  const selections = collectSelections([definition], {
    schema: restSchema,
    fragments: new Map(),
    variables: {},
  });
  const [root, ...others] = selections(restSchema.getQueryType()!);
  if (root?.name !== field || others.length > 0) throw new Error(`${name} selects more than ${field}`);
  const writer = typeWriter(root.field.type, root, `Query.${field}`);
  const { write, complete } = writer;
  const writeWhole = (value: unknown, context: Context) =>
    isLong(value) ? toTextInTurns(writer, value, context) : toText(write, value, context);
  const items = route.stream && toList(root, route.stream.list);
  return {
    write(value, context) {
      if (!complete) return writeWhole(value, context);
      const run = new Execution(context);
      return mapMaybePromise(complete(value, run, undefined), completed => {
        if (run.errors[0]) throw run.errors[0];
        return writeWhole(completed, context);
      });
    },
    writeItems: (list, before, context) => toText(items!.writeItems!, list, context, before),
  };
}

/** The sizes from which a response is written in several turns of the event loop. */
const LONG = { bytes: 256 * 1024, items: 500 };

function isLong(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const source = 'values' in value ? [value.values, (value as { source?: object }).source ?? {}] : [value];
  return source
    .flatMap(one => Object.values(one as object))
    .some(one => (one instanceof Rows ? one.bytes > LONG.bytes : isLongList(one)));
}

/** Even a few items can be long: a saved policy has up to 64 KiB. */
function isLongList(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  if (value.length > LONG.items) return true;
  let characters = 0;
  for (const item of value)
    for (const text of Object.values(item as object)) if (typeof text === 'string') characters += text.length;
  return characters > LONG.bytes;
}

/** Returns the list of a streamed route, whose items need no resolvers. */
function toList({ field: { type }, selections }: FieldSelection, name: string): TypeWriter {
  const named = getNamedType(type);
  const list = isObjectType(named) ? selections(named).find(field => field.name === name) : undefined;
  const writer = list && typeWriter(list.field.type, list, `${named}.${name}`);
  if (!writer?.writeItems || writer.complete) throw new Error(`${type} has no list ${name} of properties`);
  return writer;
}
