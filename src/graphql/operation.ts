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
import type { TypeWriter } from '../executor/json.ts';
import { collectSelections } from '../executor/selections.ts';
import { typeWriter } from '../executor/type-writer.ts';
import { refusal, withCode } from './errors.ts';
import { checkMeasure, checkVariables } from './limits.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** The maximum number of validation errors per request. Finding all of them would take longer than the request. */
export const MOST_ERRORS = 10;

/** Caches writers of operations by the values of their directives, within a size limit. */
const writers = new LRUCache<string, TypeWriter>({ maxSize: 10_000, sizeCalculation: ({ size }) => size });

let operations = 0;

/** A valid operation that can run repeatedly. */
export class PreparedOperation {
  readonly definition: OperationDefinitionNode;
  /** The operation and the fragments, without the document's other operations. */
  readonly document: DocumentNode;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #excess: GraphQLError | undefined;
  /** Variables in directives, which determine the selected fields. */
  readonly #deciding: readonly string[];
  readonly #number = operations++;

  constructor(definition: OperationDefinitionNode, fragments: readonly FragmentDefinitionNode[]) {
    this.definition = definition;
    this.document = { kind: Kind.DOCUMENT, definitions: [definition, ...fragments] };
    this.#fragments = new Map(fragments.map(fragment => [fragment.name.value, fragment]));
    this.#excess = checkMeasure(this.document);
    this.#deciding = namedByDirectives(this.document);
  }

  /** Coerces the variables, or returns why the operation cannot run with them. */
  read(variables: Variables): { values: Variables } | { errors: readonly GraphQLError[] } {
    const { variableDefinitions = [] } = this.definition;
    let values: Variables = {};
    if (variableDefinitions.length > 0) {
      const tooMany = checkVariables(variables);
      if (tooMany) return { errors: [tooMany] };
      const read = getVariableValues(graphSchema, variableDefinitions, variables, { maxErrors: MOST_ERRORS });
      if (read.errors) return { errors: read.errors.map(error => withCode(error, 'BAD_USER_INPUT')) };
      values = read.coerced;
    }
    const tooMuch = this.#excess && checkMeasure(this.document, variables);
    return tooMuch ? { errors: [tooMuch] } : { values };
  }

  /**
   * Returns a writer for the fields selected with these variables.
   * @throws {GraphQLError} for an invalid value in a directive
   */
  writer(variables: Variables): TypeWriter {
    const name = [this.#number, ...this.#deciding.map(name => variables[name])].join();
    const existing = writers.get(name);
    if (existing) return existing;
    // The other variables can be large, so they are not part of the key.
    const decided = Object.entries(variables).filter(([name]) => this.#deciding.includes(name));
    const document = {
      schema: graphSchema,
      fragments: this.#fragments,
      variables: Object.fromEntries(decided),
    };
    const root = { nodes: [], selections: collectSelections([this.definition], document), document };
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

/** Returns the operation that a request selects. */
export function chooseOperation(
  operations: readonly PreparedOperation[],
  name: string | null | undefined,
): PreparedOperation | GraphQLError {
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
