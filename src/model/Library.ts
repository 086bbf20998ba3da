import { cell, tagged, unit, type ValueOf } from "../cell/codec.ts";
import { inlineDictionary } from "../cell/dictionary.ts";
import { hashKey } from "../cell/keys.ts";

// shared_lib_descr$00 lib:^Cell publishers:(Hashmap 256 True) = LibDescr;
/** A public library: its root, and the masterchain accounts that publish it. */
export const LibDescr = tagged("$00", { library: cell, publishers: inlineDictionary(hashKey, unit) });
export type LibDescr = ValueOf<typeof LibDescr>;
