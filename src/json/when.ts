/** What follows from a value that may still be to come: at once where it is there, since a promise costs a turn. */
export function when<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result,
): Result | Promise<Awaited<Result>> {
  return value instanceof Promise ? (value.then(next) as Promise<Awaited<Result>>) : next(value);
}

/**
 * As many values, which run side by side: at once where all are there. Where one fails at once, those that are to come
 * are waited for, since they may fail, too.
 */
export function sideBySide(count: number, begin: (index: number) => unknown): unknown[] | Promise<unknown[]> {
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
