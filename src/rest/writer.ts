import { type GraphQLOutputType, getNamedType, isObjectType, Kind } from 'graphql';
import type { Context } from '../../schema/context.ts';
import { restSchema } from '../../schema/index.ts';
import { type Json, Writing } from './json.ts';
import type { Operation } from './operations.ts';
import { type Selected, selectedFields } from './selections.ts';
import { type TypeWriter, typeWriter } from './type-writer.ts';

/**
 * Writes the bodies of a route. It is compiled at the start, from the document that SOFA has for the route and the
 * types of the schema: it writes the fields that are selected, in their order, and nothing else. What it writes is what
 * plain graphql-js and `JSON.stringify` would: a test holds every route to that.
 *
 * Where a list is `Rows`, the fields of its type become those of a row (`rowFields`), and `Rows.write` takes them from
 * the bytes that PostgreSQL sent. Whoever writes rows elsewhere, one a line or without an end, asks `rowFields` for the
 * fields of their type and gives them to `Rows.write`, page by page: there is one way from a row to text.
 */
export interface BodyWriter {
  /** @param value what the route's resolver answered with */
  write(value: unknown, context: Context): Json;
  /** The items of the list that the route streams, with commas between them, behind a text. */
  writeItems(value: unknown, before: string, context: Context): Json;
}

/** @throws {Error} for a document that no writer is made of */
export function compileWriter({ document, name, field, route }: Operation): BodyWriter {
  const definition = document.definitions.find(
    node => node.kind === Kind.OPERATION_DEFINITION && node.name?.value === name,
  );
  if (definition?.kind !== Kind.OPERATION_DEFINITION)
    throw new Error(`the document has no operation ${name}`);
  const [root, ...others] = selectedFields(restSchema.getQueryType()!, definition.selectionSet);
  if (root?.name !== field || others.length > 0) throw new Error(`${name} selects more than ${field}`);
  const { type } = root.field;
  const { write } = typeWriter(type, root.selections, `Query.${field}`);
  const items = route.stream && listOf(type, root, route.stream.list);
  return {
    write(value, context) {
      const writing = new Writing(context);
      return writing.end(write(value, '', writing));
    },
    writeItems(value, before, context) {
      const writing = new Writing(context);
      return writing.end(items!.writeItems!(value, before, writing));
    },
  };
}

function listOf(type: GraphQLOutputType, { selections }: Selected, name: string): TypeWriter {
  const named = getNamedType(type);
  const list = isObjectType(named) && selectedFields(named, selections).find(field => field.name === name);
  if (!list) throw new Error(`${type} has no list ${name}`);
  return typeWriter(list.field.type, list.selections, `${named}.${name}`);
}
