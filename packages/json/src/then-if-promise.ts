/** A value that is there, or will be: a promise costs a turn, and there are ten on the way of a request. */
export type Soon<Value> = Value | Promise<Value>;

/** Calls `next` with a value that may be a promise: at once where it is none. */
export function thenIfPromise<Value, Result>(
  value: Soon<Value>,
  next: (value: Value) => Soon<Result>,
): Soon<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The result of some work, or what `fail` makes of its error: at once where the work is no promise. */
export function caughtIfPromise<Result>(
  work: () => Soon<Result>,
  fail: (error: unknown) => Soon<Result>,
): Soon<Result> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(fail) : result;
  } catch (error) {
    return fail(error);
  }
}
