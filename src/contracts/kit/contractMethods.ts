import type { Cell } from "../../cell/Cell.ts";
import type { Codec } from "../../cell/codec.ts";
import { Dictionary } from "../../cell/dictionary.ts";
import { uintKey } from "../../cell/keys.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { isCoded } from "../../lib/errors.ts";

// SETCP 0; DICTPUSHCONST n
const selectCodepage = 0xff00;
const pushDictionary = 0b1111010010100;

/** Ids are 19 bits wide; wider ones than these no get-method can be called by. */
const widestId = 32;
/** Shared cells let a small dictionary stand for any number of methods; no real code has nearly as many. */
const mostMethods = 10_000;

/** Methods are not looked into: whatever stands there is passed over. */
const skipped: Codec<undefined> = {
  load: (slice) => void slice.skip(slice.remainingBits).skipRefs(slice.remainingRefs),
  store: () => undefined,
};

/**
 * Ids of the methods of a code, ascending; `undefined` when it does not begin with the usual choice by a dictionary. Of
 * a code that is a reference to a library it takes the library.
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
  // In the order of their bits, and so ascending and each once.
  const ids = methods.keys({ limit: mostMethods + 1 });
  return ids.length > mostMethods ? undefined : ids;
}
