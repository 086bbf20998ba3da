import type { Cell } from "../../../cell/Cell.ts";
import type { LibraryEntry } from "../../../chain/run/libraries.ts";
import { list } from "../../../lib/kit/shape.ts";
import { maybeBoc, plainBoc } from "./ids.ts";
import { hash64 } from "./scalars.ts";
import { typed } from "./typed.ts";

/** A cell, or none. */
export const tvmCell = typed<Cell | undefined>()("tvm.cell", {
  bytes: maybeBoc("Bag of cells in base64; empty for no cell.", (cell) => cell),
});

export const configInfo = typed<Cell | undefined>()("configInfo", {
  config: tvmCell("Configuration parameter, or all of them, as a cell.", (cell) => cell),
});

/** Servers return libraries without a checksum. */
const libraryEntry = typed<LibraryEntry>()("smc.libraryEntry", {
  hash: hash64("Hash of the library's cell, in base64.", (entry) => entry.hash),
  data: plainBoc("Cell of the library as a bag of cells in base64.", (entry) => entry.cell),
});

export const libraryResult = typed<readonly LibraryEntry[]>()("smc.libraryResult", {
  result: list(libraryEntry)("Libraries that were found.", (entries) => entries),
});
