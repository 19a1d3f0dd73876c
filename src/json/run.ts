import { type FieldNode, type GraphQLError, getArgumentValues, locatedError } from 'graphql';
import type { Context } from '../../schema/context.ts';
import type { Rows } from '../../sql/driver/rows.ts';
import type { Selected } from './selections.ts';

/** Where a value stands in an answer: its key or index, within what stands at `prev`. */
export interface Path {
  prev: Path | undefined;
  key: string | number;
}

/** A field, or an item of its list. */
export interface Place {
  nodes: readonly FieldNode[];
  isNullable: boolean;
}

type Arguments = Record<string, unknown>;
const NO_ARGUMENTS: Arguments = {};

/** One way through the resolvers of an operation. */
export class Run {
  readonly context: Context;
  /** Of the places that are null for it. */
  readonly errors: GraphQLError[] = [];
  #variables: Readonly<Record<string, unknown>>;
  #arguments = new Map<Selected, Arguments>();
  #lists = new Set<Rows>();

  /** @param variables coerced */
  constructor(context: Context, variables: Readonly<Record<string, unknown>> = NO_ARGUMENTS) {
    this.context = context;
    this.#variables = variables;
  }

  /** Read once, for however many objects the field is asked of. @throws {GraphQLError} */
  argumentsOf(selected: Selected): Arguments {
    const { field, nodes } = selected;
    if (field.args.length === 0 || !nodes[0]) return NO_ARGUMENTS;
    const known =
      this.#arguments.get(selected) ?? getArgumentValues(field, nodes[0], this.#variables as Arguments);
    this.#arguments.set(selected, known);
    return known;
  }

  /** Rows are given away once: those that are shown twice have to be read. */
  show(rows: Rows): void {
    if (this.#lists.has(rows)) rows.objects();
    this.#lists.add(rows);
  }

  /** What comes of some work, now or later. Where it fails, that is null, if it may be. @throws {GraphQLError} */
  attempt(place: Place, path: Path, work: () => unknown): unknown {
    const fail = (error: unknown) => {
      const located = locatedError(error, place.nodes, keysOf(path));
      if (!place.isNullable) throw located;
      this.errors.push(located);
      return null;
    };
    try {
      const value = work();
      return value instanceof Promise ? value.catch(fail) : value;
    } catch (error) {
      return fail(error);
    }
  }
}

function keysOf(path: Path): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let place: Path | undefined = path; place; place = place.prev) keys.unshift(place.key);
  return keys;
}
