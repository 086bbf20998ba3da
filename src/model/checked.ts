import type { Codec } from "../cell/codec.ts";
import { ModelError } from "./errors.ts";

/** A codec whose values must also obey the scheme's `{ … }` conditions, on the way in and on the way out. */
export function checked<T>(codec: Codec<T>, holds: (value: T) => boolean, rule: string): Codec<T> {
  const check = (value: T): T => {
    if (!holds(value)) throw new ModelError("model/value", `a value breaks the rule ${rule}`);
    return value;
  };
  return { load: (slice) => check(codec.load(slice)), store: (builder, value) => codec.store(builder, check(value)) };
}
