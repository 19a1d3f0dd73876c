/**
 * A value, or a promise of it. Each promise delays a response by a turn of the event loop, and a request would need
 * about ten.
 */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Calls `next` with a value: synchronously, unless the value is a promise. */
export function mapMaybePromise<Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Returns the result of some work, or the result of `fail` if it throws. Synchronous unless the work is a promise. */
export function catchMaybePromise<Result>(
  work: () => MaybePromise<Result>,
  fail: (error: unknown) => MaybePromise<Result>,
): MaybePromise<Result> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(fail) : result;
  } catch (error) {
    return fail(error);
  }
}
