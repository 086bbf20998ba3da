import type { Codec } from "../cell/codec.ts";

// true$_ = True; unit$_ = Unit;
/** The value of dictionaries that are sets of keys. */
export const unit: Codec<true> = { load: () => true, store: () => undefined };
