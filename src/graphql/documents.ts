import { type DocumentNode, GraphQLError, Kind, OperationTypeNode, parse, validate } from 'graphql';
import { graphSchema } from '../../schema/index.ts';
import { coded, refusal } from './errors.ts';
import { exceededByLength, exceededByText, exceededByTokens, LIMITS } from './limits.ts';
import { MOST_ERRORS, Operation } from './operation.ts';

/** A document that was looked at: what is wrong with it, or its operations. */
export type Prepared = { errors: readonly GraphQLError[] } | { operations: readonly Operation[] };

function prepare(text: string): Prepared {
  const excess = exceededByLength(text);
  if (excess) return { errors: [excess] };
  try {
    return check(parse(text, { maxTokens: LIMITS.tokens }));
  } catch (error) {
    if (error instanceof GraphQLError)
      return { errors: [exceededByTokens(error) ?? coded(error, 'GRAPHQL_PARSE_FAILED')] };
    throw error;
  }
}

function check(document: DocumentNode): Prepared {
  const excess = exceededByText(document);
  if (excess) return { errors: [excess] };
  const errors = validate(graphSchema, document, undefined, { maxErrors: MOST_ERRORS });
  if (errors.length > 0) return { errors: errors.map(error => coded(error, 'GRAPHQL_VALIDATION_FAILED')) };
  const fragments = document.definitions.filter(node => node.kind === Kind.FRAGMENT_DEFINITION);
  const operations = document.definitions.filter(node => node.kind === Kind.OPERATION_DEFINITION);
  if (operations.some(({ operation }) => operation !== OperationTypeNode.QUERY)) {
    return { errors: [refusal('There is nothing but queries here.', 'GRAPHQL_VALIDATION_FAILED')] };
  }
  return { operations: operations.map(definition => new Operation(definition, fragments)) };
}

/** Characters, since the memory for a document grows with its text. */
const LARGEST_KEPT = 16 * 1024;
const MOST_KEPT = 256 * 1024;

/** Documents by their text. Clients send few, and each of them often; those not sent for longest are forgotten. */
export class Documents {
  #known = new Map<string, Prepared>();
  #size = 0;

  get(text: string): Prepared {
    const known = this.#known.get(text);
    if (known) {
      this.#known.delete(text);
      this.#known.set(text, known);
      return known;
    }
    const prepared = prepare(text);
    if (text.length <= LARGEST_KEPT) this.#keep(text, prepared);
    return prepared;
  }

  #keep(text: string, prepared: Prepared): void {
    this.#known.set(text, prepared);
    this.#size += text.length;
    for (const oldest of this.#known.keys()) {
      if (this.#size <= MOST_KEPT) return;
      this.#known.delete(oldest);
      this.#size -= oldest.length;
    }
  }
}
