import type { Cell } from "../../cell/Cell.ts";
import type { Codec } from "../../cell/codec.ts";
import { Dictionary } from "../../cell/dictionary.ts";
import { uintKey } from "../../cell/keys.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { isCoded } from "../../lib/errors.ts";

// SETCP 0; DICTPUSHCONST n
const selectCodepage = 0xff00;
const pushDictionary = 0b1111010010100;

/** Ids have 19 bits; a get-method with a wider id cannot be called. */
const widestId = 32;
/** With shared cells a small dictionary can have any number of methods; no real code has nearly as many. */
const maxMethods = 10_000;

/** Methods are not read. */
const skipped: Codec<undefined> = {
  load: (slice) => void slice.skip(slice.remainingBits).skipRefs(slice.remainingRefs),
  store: () => undefined,
};

/**
 * Ids of the methods of a code, ascending; `undefined` when it does not begin with the usual dictionary dispatch. For a
 * library reference pass the library.
 */
export function readContractMethods(code: Cell): readonly number[] | undefined {
  try {
    return readIds(sliceOf(code));
  } catch (error) {
    if (isCoded(error)) return undefined;
    throw error;
  }
}

function readIds(code: Slice): readonly number[] | undefined {
  if (code.loadUint(16) !== selectCodepage || code.loadUint(13) !== pushDictionary || !code.loadBit()) return undefined;
  const bits = code.loadUint(10);
  if (bits > widestId) return undefined;
  const methods = new Dictionary(code.loadRef(), uintKey(bits), skipped);
  // In the order of their bits: ascending and each once.
  const ids = methods.keys({ limit: maxMethods + 1 });
  return ids.length > maxMethods ? undefined : ids;
}
