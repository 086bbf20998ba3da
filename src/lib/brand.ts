declare const brandOf: unique symbol;

/**
 * A value of type `T` that only its own parser creates: `Brand<string, "Name">` is a string, but a plain string is not
 * assignable to it.
 */
export type Brand<T, Name extends string> = T & { readonly [brandOf]: Name };
