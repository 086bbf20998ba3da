import type { Cell } from "../cell/Cell.ts";
import { bool, cell, maybe, struct, uint, type ValueOf } from "../cell/codec.ts";
import { Dictionary, dictionary } from "../cell/dictionary.ts";
import { hashKey } from "../cell/keys.ts";
import { isCoded } from "../lib/errors.ts";
import type { Hash } from "./Hash.ts";

// tick_tock$_ tick:Bool tock:Bool = TickTock;
export const TickTock = struct({ tick: bool, tock: bool });
export type TickTock = ValueOf<typeof TickTock>;

// simple_lib$_ public:Bool root:^Cell = SimpleLib;
export const SimpleLibrary = struct({ public: bool, root: cell });
export type SimpleLibrary = ValueOf<typeof SimpleLibrary>;

// _ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell)
//   library:(HashmapE 256 SimpleLib) = StateInitWithLibs;
export const StateInit = struct(
  {
    fixedPrefixLength: maybe(uint(5)),
    special: maybe(TickTock),
    code: maybe(cell),
    data: maybe(cell),
    libraries: dictionary(hashKey, SimpleLibrary),
  },
  (f, s) => ({
    fixedPrefixLength: f.fixedPrefixLength.load(s),
    special: f.special.load(s),
    code: f.code.load(s),
    data: f.data.load(s),
    libraries: f.libraries.load(s),
  }),
);
export type StateInit = ValueOf<typeof StateInit>;

/** The libraries of an account by their hashes. */
export function librariesIn(root: Cell | undefined): Dictionary<Hash, SimpleLibrary> {
  return new Dictionary(root, hashKey, SimpleLibrary);
}

/** Only libraries that stand under their own hash count; with more entries than a walk visits there are too many. */
export function countPublicLibraries(root: Cell | undefined): number {
  let count = 0;
  try {
    librariesIn(root).forEach((library, hash) => {
      if (library.public && library.root.hash() === hash) count++;
    });
  } catch (error) {
    if (isCoded(error, "cell/dictionary-size")) return Number.POSITIVE_INFINITY;
    throw error;
  }
  return count;
}
