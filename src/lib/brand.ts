declare const brandOf: unique symbol;

/** A value of type `T` that only its own parser hands out: `Brand<string, "Name">` is a string, but no string is one. */
export type Brand<T, Name extends string> = T & { readonly [brandOf]: Name };
