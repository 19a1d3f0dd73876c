import { type DocumentNode, GraphQLError, Kind, OperationTypeNode, parse, validate } from 'graphql';
import { graphSchema } from '../../schema/index.ts';
import { refusal, withCode } from './errors.ts';
import { checkLength, checkText, checkTokens, LIMITS } from './limits.ts';
import { MOST_ERRORS, PreparedOperation } from './operation.ts';

/** A validated document: either its errors, or its operations. */
export type PreparedDocument =
  | { errors: readonly GraphQLError[] }
  | { operations: readonly PreparedOperation[] };

function prepare(text: string): PreparedDocument {
  const excess = checkLength(text);
  if (excess) return { errors: [excess] };
  try {
    return check(parse(text, { maxTokens: LIMITS.tokens }));
  } catch (error) {
    if (error instanceof GraphQLError)
      return { errors: [checkTokens(error) ?? withCode(error, 'GRAPHQL_PARSE_FAILED')] };
    throw error;
  }
}

function check(document: DocumentNode): PreparedDocument {
  const excess = checkText(document);
  if (excess) return { errors: [excess] };
  const errors = validate(graphSchema, document, undefined, { maxErrors: MOST_ERRORS });
  if (errors.length > 0) return { errors: errors.map(error => withCode(error, 'GRAPHQL_VALIDATION_FAILED')) };
  const fragments = document.definitions.filter(node => node.kind === Kind.FRAGMENT_DEFINITION);
  const operations = document.definitions.filter(node => node.kind === Kind.OPERATION_DEFINITION);
  if (operations.some(({ operation }) => operation !== OperationTypeNode.QUERY)) {
    return { errors: [refusal('Only queries are supported.', 'GRAPHQL_VALIDATION_FAILED')] };
  }
  return { operations: operations.map(definition => new PreparedOperation(definition, fragments)) };
}

/** Maximum length of a cached document, because its memory grows with its text. */
const LARGEST_KEPT = 16 * 1024;
const MOST_KEPT = 256 * 1024;

/**
 * Caches documents by their text. Clients send the same few documents repeatedly; the least recently used are evicted.
 */
export class Documents {
  #cache = new Map<string, PreparedDocument>();
  #size = 0;

  get(text: string): PreparedDocument {
    const existing = this.#cache.get(text);
    if (existing) {
      this.#cache.delete(text);
      this.#cache.set(text, existing);
      return existing;
    }
    const prepared = prepare(text);
    if (text.length <= LARGEST_KEPT) this.#keep(text, prepared);
    return prepared;
  }

  #keep(text: string, prepared: PreparedDocument): void {
    this.#cache.set(text, prepared);
    this.#size += text.length;
    for (const oldest of this.#cache.keys()) {
      if (this.#size <= MOST_KEPT) return;
      this.#cache.delete(oldest);
      this.#size -= oldest.length;
    }
  }
}
