import type { JsonSchema } from '@sightline/openapi';

/** A field of a response, or the heading of an alternative form. */
export type SchemaRow = { name: string; type: string; text: string } | { form: string; isFirst: boolean };

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Maximum number of forms of a union that are listed. A larger union links to the routes that return a single form. */
const MOST_FORMS = 4;

/** The largest safe integer of JavaScript. As a maximum, it means that there is no limit. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

/** Returns the fields of a response, including nested ones, with full names such as `reports[].date`. */
export function toRows(schema: JsonSchema, schemas: Schemas, prefix = ''): SchemaRow[] {
  const { items, properties, oneOf, anyOf, additionalProperties } = resolveSchema(schema, schemas);
  if (items) return toRows(items as JsonSchema, schemas, `${prefix}[]`);
  const forms = (oneOf ?? anyOf) as JsonSchema[] | undefined;
  if (forms) return formRows(forms, schemas, prefix);
  const rows = Object.entries((properties ?? {}) as Schemas).flatMap(([name, property]) =>
    fieldRows(prefix ? `${prefix}.${name}` : name, property, schemas),
  );
  if (!additionalProperties || typeof additionalProperties !== 'object') return rows;
  return [...rows, ...fieldRows(`${prefix}.*`, additionalProperties as JsonSchema, schemas)];
}

function fieldRows(name: string, schema: JsonSchema, schemas: Schemas): SchemaRow[] {
  const { description = '' } = resolveSchema(schema, schemas);
  const text = [description, listChoices(schema, schemas)].filter(Boolean).join(' ');
  return [{ name, type: toType(schema, schemas), text }, ...toRows(schema, schemas, name)];
}

function formRows(forms: readonly JsonSchema[], schemas: Schemas, prefix: string): SchemaRow[] {
  if (forms.length > MOST_FORMS) {
    const text = 'A record as its type has it: each type has its fields at a route of its own.';
    return [{ name: prefix || '[]', type: `one of ${forms.length} forms`, text }];
  }
  return forms.flatMap((form, at) => [
    { form: String(resolveSchema(form, schemas).description ?? ''), isFirst: at === 0 },
    ...toRows(form, schemas, prefix),
  ]);
}

/** Describes a type, such as `array of strings`. */
export function toType(schema: JsonSchema, schemas: Schemas): string {
  const { type, items, format } = resolveSchema(schema, schemas);
  if (items) return `array of ${toType(items as JsonSchema, schemas)}s`;
  const names = type === undefined ? ['object'] : [type].flat();
  const bounds = getBounds(resolveSchema(schema, schemas));
  return [names.join(' or '), format !== undefined && format !== 'int32' && String(format), bounds]
    .filter(Boolean)
    .join(', ');
}

function getBounds({ minimum, maximum }: JsonSchema): string {
  return maximum === undefined || maximum === UNBOUNDED ? '' : `${minimum ?? 0} to ${maximum}`;
}

/** Lists the values of an enumeration, in Markdown. */
export function listChoices(schema: JsonSchema, schemas: Schemas): string {
  const { enum: values, items } = resolveSchema(schema, schemas);
  if (items) return listChoices(items as JsonSchema, schemas);
  if (!values) return '';
  return `One of ${(values as unknown[]).map(value => `\`${value === '' ? '""' : value}\``).join(', ')}.`;
}

/**
 * Resolves a reference, and merges alternatives that are strings. The description next to a reference replaces that of
 * its target.
 */
export function resolveSchema(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const { $ref, ...own } = schema;
  if (typeof $ref !== 'string') return joinTexts(schema);
  return { ...resolveSchema(schemas[$ref.slice($ref.lastIndexOf('/') + 1)]!, schemas), ...own };
}

function joinTexts(schema: JsonSchema): JsonSchema {
  const { anyOf, ...others } = schema;
  const texts = (anyOf ?? []) as JsonSchema[];
  if (texts.length === 0 || texts.some(({ type }) => type !== 'string')) return schema;
  const values = texts.flatMap(({ enum: values = [] }) => values as string[]);
  const formats = texts.flatMap(({ format = [] }) => format as string[]);
  return {
    ...others,
    type: 'string',
    ...(values.length > 0 && { enum: values }),
    ...(formats.length > 0 && { format: formats.join(' or ') }),
  };
}
