import type { TypeWriter } from '@sightline/json';
import { selectionsOf } from '@sightline/json/selections';
import { typeWriter } from '@sightline/json/type-writer';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { graphSchema } from '../../schema/index.ts';
import { coded, refusal } from './errors.ts';
import { exceededByMeasure, exceededByVariables } from './limits.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** Errors of one request that are told; looking for all would cost more than the request. */
export const MOST_ERRORS = 10;

/** Writers of operations, for all values that their directives had, until there are too many others. */
const writers = new LRUCache<string, TypeWriter>({ maxSize: 10_000, sizeCalculation: ({ size }) => size });

let operations = 0;

/** A valid operation, ready to be asked for again and again. */
export class Operation {
  readonly definition: OperationDefinitionNode;
  /** The operation and the fragments, without the document's other operations. */
  readonly document: DocumentNode;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #excess: GraphQLError | undefined;
  /** The variables that decide which fields are selected. */
  readonly #deciding: readonly string[];
  readonly #number = operations++;

  constructor(definition: OperationDefinitionNode, fragments: readonly FragmentDefinitionNode[]) {
    this.definition = definition;
    this.document = { kind: Kind.DOCUMENT, definitions: [definition, ...fragments] };
    this.#fragments = new Map(fragments.map(fragment => [fragment.name.value, fragment]));
    this.#excess = exceededByMeasure(this.document);
    this.#deciding = namedByDirectives(this.document);
  }

  /** The values of its variables, or why it cannot run with these. */
  read(variables: Variables): { values: Variables } | { errors: readonly GraphQLError[] } {
    const { variableDefinitions = [] } = this.definition;
    let values: Variables = {};
    if (variableDefinitions.length > 0) {
      const tooMany = exceededByVariables(variables);
      if (tooMany) return { errors: [tooMany] };
      const read = getVariableValues(graphSchema, variableDefinitions, variables, { maxErrors: MOST_ERRORS });
      if (read.errors) return { errors: read.errors.map(error => coded(error, 'BAD_USER_INPUT')) };
      values = read.coerced;
    }
    const tooMuch = this.#excess && exceededByMeasure(this.document, variables);
    return tooMuch ? { errors: [tooMuch] } : { values };
  }

  /**
   * Writes what it selects with these values of its variables.
   * @throws {GraphQLError} for a value that a directive does not take
   */
  writer(variables: Variables): TypeWriter {
    const name = [this.#number, ...this.#deciding.map(name => variables[name])].join();
    const known = writers.get(name);
    if (known) return known;
    // Without the other variables, which can be large.
    const decided = Object.entries(variables).filter(([name]) => this.#deciding.includes(name));
    const document = {
      schema: graphSchema,
      fragments: this.#fragments,
      variables: Object.fromEntries(decided),
    };
    const root = { nodes: [], selections: selectionsOf([this.definition], document), document };
    const writer = typeWriter(graphSchema.getQueryType()!, root, 'Query');
    writers.set(name, writer);
    return writer;
  }
}

function namedByDirectives(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive({ arguments: given = [] }) {
      for (const { value } of given) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

/** The operation that a request means. */
export function chooseOperation(
  operations: readonly Operation[],
  name: string | null | undefined,
): Operation | GraphQLError {
  if (name == null) {
    const [only, ...others] = operations;
    if (only && others.length === 0) return only;
    return unresolved('The document has several operations: name one in operationName.');
  }
  const named = operations.find(({ definition }) => definition.name?.value === name);
  return named ?? unresolved(`The document has no operation named "${name}".`);
}

function unresolved(message: string): GraphQLError {
  return refusal(message, 'OPERATION_RESOLUTION_FAILURE');
}
