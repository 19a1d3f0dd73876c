import { nextTurn, TurnClock } from '@sightline/csp';
import { Rows } from '@sightline/pg-client';
import {
  type FieldNode,
  type GraphQLError,
  type GraphQLResolveInfo,
  getArgumentValues,
  isNonNullType,
  locatedError,
} from 'graphql';
import { mapMaybePromise } from './maybe-promise.ts';
import { type FieldSelection, getProperty } from './selections.ts';

/** The part of a request's context that the executor uses. */
export interface ExecutionContext {
  /** Receives the approximate length of the text so far, and can throw to stop. */
  budget?: { check(length: number): void } | undefined;
}

/** The path of a value in a response: its key or index, with the path of its parent in `prev`. */
export interface FieldPath {
  prev: FieldPath | undefined;
  key: string | number;
}

/** A field, or an item of its list. */
export interface ExecutionSite {
  nodes: readonly FieldNode[];
  isNullable: boolean;
}

type Arguments = Record<string, unknown>;
const NO_ARGUMENTS: Arguments = {};

/**
 * Maximum number of resolver calls before a turn can end. Loaders send one statement per turn: with only a time limit,
 * the number of statements would depend on the machine's load.
 */
const STEPS_IN_A_TURN = 1000;

/** The execution of an operation's resolvers. */
export class Execution {
  readonly context: ExecutionContext;
  /** Errors, each of which made a field null. */
  readonly errors: GraphQLError[] = [];
  /** The number of list items with resolvers. */
  items = 0;
  readonly clock = new TurnClock(STEPS_IN_A_TURN);
  #variables: Readonly<Record<string, unknown>>;
  #arguments = new Map<FieldSelection, Arguments>();
  #lists = new Set<Rows>();

  /** @param variables coerced to their types */
  constructor(context: ExecutionContext, variables: Readonly<Record<string, unknown>> = NO_ARGUMENTS) {
    this.context = context;
    this.#variables = variables;
  }

  /**
   * Reads the arguments of a field, once for all objects that have it.
   * @throws {GraphQLError}
   */
  readArguments(selected: FieldSelection): Arguments {
    const { field, nodes } = selected;
    if (field.args.length === 0 || !nodes[0]) return NO_ARGUMENTS;
    const existing =
      this.#arguments.get(selected) ?? getArgumentValues(field, nodes[0], this.#variables as Arguments);
    this.#arguments.set(selected, existing);
    return existing;
  }

  /** Decodes rows that are selected more than once, because rows can be consumed only once. */
  show(rows: Rows): void {
    if (this.#lists.has(rows)) rows.objects();
    this.#lists.add(rows);
  }

  /**
   * Returns the result of some work, or null after a failure if the field is nullable.
   * @throws {GraphQLError}
   */
  attempt(place: ExecutionSite, path: FieldPath, work: () => unknown): unknown {
    const fail = (error: unknown) => {
      const located = locatedError(error, place.nodes, listKeys(path));
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

function listKeys(path: FieldPath): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let place: FieldPath | undefined = path; place; place = place.prev) keys.unshift(place.key);
  return keys;
}

/**
 * Calls the resolvers below a value. Their results are needed before the value is written.
 * @returns the value to write, or a promise of it
 */
export type Complete = (value: unknown, run: Execution, path: FieldPath | undefined) => unknown;

/** A field of an object, by its response key. */
export interface ResolvedField {
  name: string;
  /** Calls a field's resolver and those below it. Undefined if there are none. */
  ask: Complete | undefined;
}

export type FieldSource = Readonly<Record<string, unknown>>;

/** An object with the results of its resolvers. */
export class ResolvedObject<Field extends ResolvedField = ResolvedField> {
  readonly fields: readonly Field[];
  readonly source: unknown;
  /** The values of the selected fields, in order. */
  readonly values: readonly unknown[];

  constructor(fields: readonly Field[], source: unknown, values: readonly unknown[]) {
    this.fields = fields;
    this.source = source;
    this.values = values;
  }

  get(key: string | number): unknown {
    return this.values[this.fields.filter(({ ask }) => ask).findIndex(({ name }) => name === key)];
  }
}

export function completeObject(fields: readonly ResolvedField[]): Complete {
  const requested = fields.flatMap(({ ask }) => ask ?? []);
  return (source, run, path) =>
    mapMaybePromise(
      sideBySide(requested.length, index => requested[index]!(source, run, path)),
      values => new ResolvedObject(fields, source, values),
    );
}

/**
 * Resolves a field and the fields below it.
 * @param below undefined if no field below has a resolver
 */
export function askField(selected: FieldSelection, isList: boolean, below: Complete | undefined): Complete {
  const { name, field, nodes, document } = selected;
  const place = { nodes, isNullable: !isNonNullType(field.type) };
  const info = document as unknown as GraphQLResolveInfo;
  const property = getProperty(field);
  const completed = (value: unknown, run: Execution, path: FieldPath) => {
    thrown(value);
    if (isList && value instanceof Rows) run.show(value);
    return below ? below(value, run, path) : value;
  };
  return (source, run, prev) => {
    const path = { prev, key: name };
    return run.attempt(place, path, () => {
      const value =
        property === undefined
          ? field.resolve!(source, run.readArguments(selected), run.context, info)
          : (source as FieldSource)[property];
      return mapMaybePromise(value, value => completed(value, run, path));
    });
  };
}

/**
 * Resolves the fields below each item of a list.
 * @param place of the list
 * @param itemsOf undefined for a list that needs no conversion
 */
export function completeItems(
  below: Complete,
  place: ExecutionSite,
  itemsOf: (list: unknown) => Iterable<unknown> | undefined,
): Complete {
  return (list, run, prev) => {
    const items = itemsOf(list);
    if (!items) return list;
    const values = [...items];
    run.items += values.length;
    const begin = (key: number) => {
      const path = { prev, key };
      return run.attempt(place, path, () =>
        mapMaybePromise(values[key], item => below(thrown(item), run, path)),
      );
    };
    return sideBySide(values.length, begin, run.clock);
  };
}

/** A resolver can return an error instead of throwing it. */
function thrown(value: unknown): unknown {
  if (value instanceof Error) throw value;
  return value;
}

/**
 * Runs tasks concurrently; synchronously if no result is a promise. After a synchronous failure the others are awaited,
 * since they can fail as well.
 * @param clock for many tasks: they start in several turns of the event loop if they take long
 */
function sideBySide(
  count: number,
  begin: (index: number) => unknown,
  clock?: TurnClock,
): unknown[] | Promise<unknown[]> {
  const values: unknown[] = [];
  let areThere = true;
  try {
    for (let index = 0; index < count; index++) {
      if (clock?.isOver()) return continueInTurns(values, count, begin, clock);
      const value = begin(index);
      if (value instanceof Promise) areThere = false;
      values.push(value);
    }
  } catch (error) {
    if (areThere) throw error;
    return Promise.allSettled(values).then(() => Promise.reject(error));
  }
  return areThere ? values : Promise.all(values);
}

async function continueInTurns(
  values: unknown[],
  count: number,
  begin: (index: number) => unknown,
  clock: TurnClock,
): Promise<unknown[]> {
  values.forEach(expectFailure);
  try {
    await nextTurn();
    while (values.length < count) {
      if (clock.isOver()) await nextTurn();
      values.push(expectFailure(begin(values.length)));
    }
  } catch (error) {
    await Promise.allSettled(values);
    throw error;
  }
  return Promise.all(values);
}

/** Returns the value and prevents an unhandled rejection before it is awaited. */
function expectFailure(value: unknown): unknown {
  if (value instanceof Promise) value.catch(() => {});
  return value;
}
