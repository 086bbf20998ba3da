/** A value that is there at once or comes later: what is there at once is answered without waiting for a turn. */
export type Soon<T> = T | Promise<T>;

/** Goes on with the value as soon as it is there. */
export function andThen<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Goes on with the error, whether it is thrown now or comes later. */
export function orElse<T, U>(work: () => Soon<T>, react: (error: unknown) => Soon<U>): Soon<T | U> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(react) : value;
  } catch (error) {
    return react(error);
  }
}
