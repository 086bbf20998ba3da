import { describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import { CellKind } from "../../../src/cell/base/CellKind.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { openMerkleProof } from "../../../src/cell/merkle/merkleProof.ts";
import {
  openAll,
  openCell,
  openHashes,
  readAccounts,
  readState,
  readWhole,
} from "../../../src/localnet/ledger/proof.ts";

const leaf = (value: number): Cell => beginCell().storeUint(value, 16).cell();
const over = (value: number, ...refs: readonly Cell[]): Cell => {
  const builder = beginCell().storeUint(value, 16);
  for (const ref of refs) builder.storeRef(ref);
  return builder.cell();
};

/** The cells of a proof's body as letters: `.` is pruned, `x` is present. */
function shape(body: Cell): string {
  if (body.kind === CellKind.pruned) return ".";
  return body.refCount === 0 ? "x" : `x(${body.refs().map(shape).join("")})`;
}

describe("a proof of the read cells", () => {
  // Depths: root 3, its children 2, 1 and 0.
  const root = over(0, over(1, over(2, leaf(3)), leaf(4)), over(5, leaf(6)), leaf(7));

  it("proves the tree, whatever part is kept", () => {
    const reading = readWhole(root);
    openCell(reading.root);
    expect(openMerkleProof(reading.proof(), root.hash()).hash(0)).toBe(root.hash());
  });

  it("of cells in memory keeps cells without references next to the opened ones", () => {
    const reading = readWhole(root);
    openCell(reading.root);
    expect(shape(openMerkleProof(reading.proof()))).toBe("x(..x)");
    openCell(reading.root.ref(1));
    expect(shape(openMerkleProof(reading.proof()))).toBe("x(.x(x)x)");
  });

  it("of a state prunes them, except those below a cell of depth 2", () => {
    const reading = readState(root);
    openCell(reading.root);
    openCell(reading.root.ref(1));
    expect(shape(openMerkleProof(reading.proof()))).toBe("x(.x(.).)");
    openCell(reading.root.ref(0));
    expect(shape(openMerkleProof(reading.proof()))).toBe("x(x(.x)x(.).)");
  });

  it("of accounts keeps the small ones", () => {
    const reading = readAccounts(root);
    openCell(reading.root);
    openCell(reading.root.ref(1));
    expect(shape(openMerkleProof(reading.proof()))).toBe("x(.x(x).)");
  });

  it("keeps all cells that equal an opened one", () => {
    const twice = over(0, over(1, leaf(2)), over(3, over(1, leaf(2))));
    const reading = readState(twice);
    openCell(reading.root);
    openCell(reading.root.ref(1));
    openCell(reading.root.ref(1).ref(0));
    expect(shape(openMerkleProof(reading.proof()))).toBe("x(x(.)x(x(.)))");
  });

  it("keeps everything when everything was opened", () => {
    const reading = readState(root);
    openAll(reading.root);
    expect(openMerkleProof(reading.proof()).hash()).toBe(root.hash());
  });

  it("keeps cells given by hash as far as they are connected", () => {
    const reading = readState(root);
    openHashes(reading.root, new Set([root.hash(), root.ref(1).hash(), root.ref(0).ref(0).hash()]));
    expect(shape(openMerkleProof(reading.proof()))).toBe("x(.x(.).)");
  });
});
