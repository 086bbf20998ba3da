import type { Codec } from "../cell/codec.ts";
import { ModelError } from "./errors.ts";

/** A codec that also checks the scheme's `{ … }` conditions when it loads and stores. */
export function checked<T>(codec: Codec<T>, holds: (value: T) => boolean, rule: string): Codec<T> {
  const check = (value: T): T => {
    if (!holds(value)) throw new ModelError("model/value", `a value breaks the rule ${rule}`);
    return value;
  };
  return { load: (slice) => check(codec.load(slice)), store: (builder, value) => codec.store(builder, check(value)) };
}
