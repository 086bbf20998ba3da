import { expect } from "vitest";
import { Cell } from "../../../src/cell/Cell.ts";

// Equal cells have equal hashes; where their bytes are kept is nobody's concern. Once in a process, because it is
// imported.
expect.addEqualityTesters([
  (a, b) => {
    if (a instanceof Cell && b instanceof Cell) return a.equals(b);
    return a instanceof Cell || b instanceof Cell ? false : undefined;
  },
]);
