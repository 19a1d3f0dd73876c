import type { JsonSchema } from '@sightline/openapi';

/** A field of an answer, or the heading of one of several forms that an answer can have. */
export type Row = { name: string; type: string; text: string } | { form: string; isFirst: boolean };

type Schemas = Readonly<Record<string, JsonSchema>>;

/** A union of more forms than this leads to the routes that have one each. */
const MOST_FORMS = 4;

/** The largest integer of JSON in JavaScript: it limits nothing that a reader would think of. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

/** The fields of an answer, those within others too, by their whole names: `reports[].date`. */
export function rowsOf(schema: JsonSchema, schemas: Schemas, prefix = ''): Row[] {
  const { items, properties, oneOf, anyOf, additionalProperties } = resolved(schema, schemas);
  if (items) return rowsOf(items as JsonSchema, schemas, `${prefix}[]`);
  const forms = (oneOf ?? anyOf) as JsonSchema[] | undefined;
  if (forms) return formRows(forms, schemas, prefix);
  const rows = Object.entries((properties ?? {}) as Schemas).flatMap(([name, property]) =>
    fieldRows(prefix ? `${prefix}.${name}` : name, property, schemas),
  );
  if (!additionalProperties || typeof additionalProperties !== 'object') return rows;
  return [...rows, ...fieldRows(`${prefix}.*`, additionalProperties as JsonSchema, schemas)];
}

function fieldRows(name: string, schema: JsonSchema, schemas: Schemas): Row[] {
  const { description = '' } = resolved(schema, schemas);
  const text = [description, choicesOf(schema, schemas)].filter(Boolean).join(' ');
  return [{ name, type: typeOf(schema, schemas), text }, ...rowsOf(schema, schemas, name)];
}

function formRows(forms: readonly JsonSchema[], schemas: Schemas, prefix: string): Row[] {
  if (forms.length > MOST_FORMS) {
    const text = 'A record as its type has it: each type has its fields at a route of its own.';
    return [{ name: prefix || '[]', type: `one of ${forms.length} forms`, text }];
  }
  return forms.flatMap((form, at) => [
    { form: String(resolved(form, schemas).description ?? ''), isFirst: at === 0 },
    ...rowsOf(form, schemas, prefix),
  ]);
}

/** A type in words, such as `array of strings`. */
export function typeOf(schema: JsonSchema, schemas: Schemas): string {
  const { type, items, format } = resolved(schema, schemas);
  if (items) return `array of ${typeOf(items as JsonSchema, schemas)}s`;
  const names = type === undefined ? ['object'] : [type].flat();
  const bounds = boundsOf(resolved(schema, schemas));
  return [names.join(' or '), format !== undefined && format !== 'int32' && String(format), bounds]
    .filter(Boolean)
    .join(', ');
}

function boundsOf({ minimum, maximum }: JsonSchema): string {
  return maximum === undefined || maximum === UNBOUNDED ? '' : `${minimum ?? 0} to ${maximum}`;
}

/** All values, where they are a list. In Markdown. */
export function choicesOf(schema: JsonSchema, schemas: Schemas): string {
  const { enum: values, items } = resolved(schema, schemas);
  if (items) return choicesOf(items as JsonSchema, schemas);
  if (!values) return '';
  return `One of ${(values as unknown[]).map(value => `\`${value === '' ? '""' : value}\``).join(', ')}.`;
}

/** With what a reference leads to. Words beside it go before those of its target. */
export function resolved(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const { $ref, ...own } = schema;
  if (typeof $ref !== 'string') return schema;
  return { ...resolved(schemas[$ref.slice($ref.lastIndexOf('/') + 1)]!, schemas), ...own };
}
