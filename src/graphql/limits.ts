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

/** The bounds of one query. A query beyond them is refused before anything runs. */
export const LIMITS = {
  /** The length of the document. Texts of filters have a hundred thousand together, at most. */
  characters: 250_000,
  /** Words and signs of the document. */
  tokens: 1000,
  aliases: 15,
  directives: 50,
  /** Fields within fields. Only introspection comes near it. */
  depth: 15,
  /** Selected fields, with fragments counted wherever they are used. */
  breadth: 300,
  /** About the number of values in the answer; a statement that cannot be shared counts as 100. */
  complexity: 125_000,
  /** Values in the variables, those in lists included. */
  variables: 1000,
  /** Values in the body's JSON. */
  values: 10_000,
} as const;

type Limit = keyof typeof LIMITS;

function exceeded(limit: Limit, having: string): GraphQLError {
  const max = LIMITS[limit];
  return refusal(`The query has ${having}; the limit is ${max}.`, 'LIMIT_EXCEEDED', { limit, max });
}

/** Before the document is read: a name is compared with all that are like it, which for a long one takes a while. */
export function exceededByLength({ length }: string): GraphQLError | undefined {
  return length > LIMITS.characters ? exceeded('characters', `${length} characters`) : undefined;
}

/** The parser's error for too many tokens; undefined for every other error of the syntax. */
export function exceededByTokens({ message }: GraphQLError): GraphQLError | undefined {
  return /\b\d+ tokens\. Parsing aborted/.test(message)
    ? exceeded('tokens', `more than ${LIMITS.tokens} tokens`)
    : undefined;
}

/**
 * Checks the document as it is written: cheap, and before validation, whose cost grows with the square of some numbers.
 */
export function exceededByText(document: DocumentNode): GraphQLError | undefined {
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
  if (fields > LIMITS.breadth) return exceeded('breadth', `a breadth of ${fields}`);
  if (aliases > LIMITS.aliases) return exceeded('aliases', `${aliases} aliases`);
  if (directives > LIMITS.directives) return exceeded('directives', `${directives} directives`);
  return undefined;
}

/** Introspection is measured like everything else: here its entrances are fields as all others are. */
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
 * Checks the size of the operation, by the schema. Without `variables`, whatever they may be: a page whose size is a
 * variable then counts as the largest.
 * @param document the operation, and the fragments of its document
 */
export function exceededByMeasure(
  document: DocumentNode,
  variables?: Record<string, unknown>,
): GraphQLError | undefined {
  const measured = variables ? document : withoutVariables(document);
  const { depth, breadth, complexity } = complexityFromQuery(measured, {
    schema: measuredSchema,
    variables: variables ?? {},
  });
  if (depth > LIMITS.depth) return exceeded('depth', `a depth of ${depth}`);
  if (breadth > LIMITS.breadth) return exceeded('breadth', `a breadth of ${breadth}`);
  if (complexity > LIMITS.complexity)
    return exceeded('complexity', `a complexity of ${Math.ceil(complexity)}`);
  return undefined;
}

function withoutVariables(document: DocumentNode): DocumentNode {
  const definitions = document.definitions.map(definition =>
    definition.kind === 'OperationDefinition' ? { ...definition, variableDefinitions: [] } : definition,
  );
  return { ...document, definitions };
}

/** Looks no further than the limit. */
export function exceededByVariables(variables: Record<string, unknown>): GraphQLError | undefined {
  let count = 0;
  const waiting: unknown[] = [variables];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const values = Object.values(value);
    count += values.length;
    if (count > LIMITS.variables)
      return exceeded('variables', `more than ${LIMITS.variables} values in its variables`);
    waiting.push(...values);
  }
  return undefined;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** `[`, `{` and `,`: there are as many values, or nearly. */
const BEGINS_VALUE = new Set([0x5b, 0x7b, 0x2c]);

/** Before the JSON is read: a megabyte of it can hold half a million objects. */
export function exceededByBody(body: Buffer): GraphQLError | undefined {
  let values = 0;
  let isText = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!;
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if (BEGINS_VALUE.has(byte) && ++values > LIMITS.values)
      return exceeded('values', `more than ${LIMITS.values} values in its body`);
  }
  return undefined;
}
