/** What follows from a value that may still be to come: at once where it is there, since a promise costs a turn. */
export function when<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
