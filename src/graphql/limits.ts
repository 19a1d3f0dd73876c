import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type DocumentNode,
  type GraphQLError,
  GraphQLObjectType,
  GraphQLSchema,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  visit,
} from 'graphql';
import { graphSchema } from '../../schema/index.ts';
import { refusal } from './errors.ts';

/** The limits of a query. A query that exceeds them is refused before execution. */
export const LIMITS = {
  /** Maximum length of the document. The texts of filters can have 100,000 characters together. */
  characters: 250_000,
  /** Maximum number of tokens. */
  tokens: 1000,
  aliases: 15,
  directives: 50,
  /** Maximum nesting of fields. Only introspection comes near it. */
  depth: 15,
  /** Maximum number of selected fields, counting fragments at each use. */
  breadth: 300,
  /** The approximate number of values in the response. A statement that cannot be shared counts as 100. */
  complexity: 125_000,
  /** Maximum number of values in the variables, including list items. */
  variables: 1000,
  /** Maximum number of values in the JSON of the body. */
  values: 10_000,
} as const;

type Limit = keyof typeof LIMITS;

function createLimitError(limit: Limit, having: string): GraphQLError {
  const max = LIMITS[limit];
  return refusal(`The query has ${having}; the limit is ${max}.`, 'LIMIT_EXCEEDED', { limit, max });
}

/** Checked before parsing, because computing suggestions for a long unknown name takes long. */
export function checkLength({ length }: string): GraphQLError | undefined {
  return length > LIMITS.characters ? createLimitError('characters', `${length} characters`) : undefined;
}

/** Detects the parser's error for too many tokens; undefined for any other syntax error. */
export function checkTokens({ message }: GraphQLError): GraphQLError | undefined {
  return /\b\d+ tokens\. Parsing aborted/.test(message)
    ? createLimitError('tokens', `more than ${LIMITS.tokens} tokens`)
    : undefined;
}

/** Checks the document before validation, whose cost can grow quadratically. */
export function checkText(document: DocumentNode): GraphQLError | undefined {
  let fields = 0;
  let aliases = 0;
  let directives = 0;
  visit(document, {
    Field: ({ alias }) => {
      fields++;
      if (alias) aliases++;
    },
    Directive: () => {
      directives++;
    },
  });
  if (fields > LIMITS.breadth) return createLimitError('breadth', `a breadth of ${fields}`);
  if (aliases > LIMITS.aliases) return createLimitError('aliases', `${aliases} aliases`);
  if (directives > LIMITS.directives) return createLimitError('directives', `${directives} directives`);
  return undefined;
}

/** Introspection is measured like everything else, so its entry points are ordinary fields here. */
const measuredSchema = new GraphQLSchema({ query: withIntrospection(graphSchema.getQueryType()!) });

function withIntrospection(query: GraphQLObjectType): GraphQLObjectType {
  const config = query.toConfig();
  const { name: _schema, args: _none, ...schema } = SchemaMetaFieldDef;
  const { name: _type, args, ...type } = TypeMetaFieldDef;
  const typeArguments = Object.fromEntries(args.map(({ name, ...arg }) => [name, arg]));
  return new GraphQLObjectType({
    ...config,
    fields: { ...config.fields, __schema: schema, __type: { ...type, args: typeArguments } },
  });
}

/**
 * Checks the size of the operation against the limits of the schema. Without `variables`, a page size in a variable
 * counts as the maximum.
 * @param document the operation, and the fragments of its document
 */
export function checkMeasure(
  document: DocumentNode,
  variables?: Record<string, unknown>,
): GraphQLError | undefined {
  const measured = variables ? document : withoutVariables(document);
  const size = measureComplexity(measured, variables);
  if (!size) return createLimitError('complexity', 'variables that its complexity depends on');
  const { depth, breadth, complexity } = size;
  if (depth > LIMITS.depth) return createLimitError('depth', `a depth of ${depth}`);
  if (breadth > LIMITS.breadth) return createLimitError('breadth', `a breadth of ${breadth}`);
  if (complexity > LIMITS.complexity)
    return createLimitError('complexity', `a complexity of ${Math.ceil(complexity)}`);
  return undefined;
}

/** Undefined if it depends on missing variables. */
function measureComplexity(document: DocumentNode, variables?: Record<string, unknown>) {
  try {
    return complexityFromQuery(document, { schema: measuredSchema, variables: variables ?? {} });
  } catch (error) {
    if (variables) throw error;
    return undefined;
  }
}

function withoutVariables(document: DocumentNode): DocumentNode {
  const definitions = document.definitions.map(definition =>
    definition.kind === 'OperationDefinition' ? { ...definition, variableDefinitions: [] } : definition,
  );
  return { ...document, definitions };
}

/** Stops counting at the limit. */
export function checkVariables(variables: Record<string, unknown>): GraphQLError | undefined {
  let count = 0;
  const waiting: unknown[] = [variables];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const values = Object.values(value);
    count += values.length;
    if (count > LIMITS.variables)
      return createLimitError('variables', `more than ${LIMITS.variables} values in its variables`);
    waiting.push(...values);
  }
  return undefined;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** `[`, `{` and `,` approximate the number of values. */
const BEGINS_VALUE = new Set([0x5b, 0x7b, 0x2c]);

/** Checked before parsing: a megabyte of JSON can contain half a million objects. */
export function checkBody(body: Buffer): GraphQLError | undefined {
  let values = 0;
  let isText = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!;
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if (BEGINS_VALUE.has(byte) && ++values > LIMITS.values)
      return createLimitError('values', `more than ${LIMITS.values} values in its body`);
  }
  return undefined;
}

/** Checked before a form is parsed: a megabyte can contain half a million fields. */
export function checkFields(form: string): GraphQLError | undefined {
  let fields = 1;
  for (let at = form.indexOf('&'); at >= 0; at = form.indexOf('&', at + 1)) fields++;
  return fields > LIMITS.values
    ? createLimitError('values', `more than ${LIMITS.values} values in its body`)
    : undefined;
}
