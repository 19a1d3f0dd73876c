import { Rows } from '@sightline/postgres';
import {
  type FieldNode,
  type GraphQLError,
  type GraphQLResolveInfo,
  getArgumentValues,
  isNonNullType,
  locatedError,
} from 'graphql';
import { propertyOf, type Selected } from './selections.ts';
import { thenIfPromise } from './then-if-promise.ts';

/** The part of a request's context that writing reads. */
export interface Context {
  /** It is told the length of the text so far, and may throw. */
  budget?: { check(length: number): void } | undefined;
}

/** The place of a value in an answer: its key or index, within what stands at `prev`. */
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
  /** The paths that are null because of it. */
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

  /** The result of some work, now or later. Where it fails, that is null, if it may be. @throws {GraphQLError} */
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

/**
 * Asks the resolvers below a value, which have to answer before it is written.
 * @returns what is written in place of the value, now or later
 */
export type Complete = (value: unknown, run: Run, path: Path | undefined) => unknown;

/** A field of an object, by its key in the answer. */
export interface AskedField {
  name: string;
  /** The results of its resolver, and of those below it, for a source. Undefined where there are none. */
  ask: Complete | undefined;
}

export type Source = Readonly<Record<string, unknown>>;

/** An object whose resolvers have answered. */
export class AskedObject<Field extends AskedField = AskedField> {
  readonly fields: readonly Field[];
  readonly source: unknown;
  /** The values of the selected fields, in their order. */
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

export function completeObject(fields: readonly AskedField[]): Complete {
  const asked = fields.flatMap(({ ask }) => ask ?? []);
  return (source, run, path) =>
    thenIfPromise(
      sideBySide(asked.length, index => asked[index]!(source, run, path)),
      values => new AskedObject(fields, source, values),
    );
}

/**
 * Asks for the value of a field, and for what is below it.
 * @param below undefined where nothing is asked there
 */
export function askField(selected: Selected, isList: boolean, below: Complete | undefined): Complete {
  const { name, field, nodes, document } = selected;
  const place = { nodes, isNullable: !isNonNullType(field.type) };
  const info = document as unknown as GraphQLResolveInfo;
  const property = propertyOf(field);
  const completed = (value: unknown, run: Run, path: Path) => {
    thrown(value);
    if (isList && value instanceof Rows) run.show(value);
    return below ? below(value, run, path) : value;
  };
  return (source, run, prev) => {
    const path = { prev, key: name };
    return run.attempt(place, path, () => {
      const value =
        property === undefined
          ? field.resolve!(source, run.argumentsOf(selected), run.context, info)
          : (source as Source)[property];
      return thenIfPromise(value, value => completed(value, run, path));
    });
  };
}

/**
 * Asks below each item of a list.
 * @param place of an item
 * @param itemsOf undefined for a list that is written as it is
 */
export function completeItems(
  below: Complete,
  place: Place,
  itemsOf: (list: unknown) => Iterable<unknown> | undefined,
): Complete {
  return (list, run, prev) => {
    const items = itemsOf(list);
    if (!items) return list;
    const values = [...items];
    return sideBySide(values.length, key => {
      const path = { prev, key };
      return run.attempt(place, path, () =>
        thenIfPromise(values[key], item => below(thrown(item), run, path)),
      );
    });
  };
}

/** A resolver may answer with an error instead of throwing it. */
function thrown(value: unknown): unknown {
  if (value instanceof Error) throw value;
  return value;
}

/**
 * As many values, which run side by side: at once where all are there. Where one fails at once, those that are to come
 * are waited for, since they may fail, too.
 */
function sideBySide(count: number, begin: (index: number) => unknown): unknown[] | Promise<unknown[]> {
  const values: unknown[] = [];
  let areThere = true;
  try {
    for (let index = 0; index < count; index++) {
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
