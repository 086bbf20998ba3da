/** A value, or a promise of it: a value that is available is used in the same turn. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with the value as soon as it is available. */
export function andThen<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Continues with the error, whether it is thrown now or later. */
export function orElse<T, U>(
  work: () => MaybePromise<T>,
  react: (error: unknown) => MaybePromise<U>,
): MaybePromise<T | U> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(react) : value;
  } catch (error) {
    return react(error);
  }
}
