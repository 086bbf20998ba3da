import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyTree, cellOf, chainOf } from "../../../kit/cell/anyCell.ts";
import { cellsInProof, makeMerkleProof } from "../../../kit/cell/merkleProofs.ts";
import { emptyCell } from "../../../src/cell/Builder.ts";
import { CellKind } from "../../../src/cell/base/CellKind.ts";
import { readRoot, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { makeProofCell, makePruned, makeUpdateCell, rebuildCell } from "../../../src/cell/exotic.ts";
import { zeroHash } from "../../../src/cell/Hash.ts";
import { openMerkleProof, pruneTree } from "../../../src/cell/merkle/merkleProof.ts";
import { runAtOnce } from "../../../src/lib/sharing/steps.ts";
import { listCells } from "../../kit/cell/bags.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const leaf = cellOf("1111");
const branch = cellOf("10", [leaf]);
const other = cellOf("01", [cellOf("0000", [emptyCell])]);
const tree = cellOf("1", [branch, other]);

describe("a Merkle proof", () => {
  it("has the kept cells and the hashes of all others", () => {
    const proof = makeMerkleProof(tree, new Set([branch]));
    const body = openMerkleProof(proof, tree.hash());
    expect(proof.level).toBe(0);
    expect(body.refs().map((cell) => cell.kind)).toEqual([CellKind.ordinary, CellKind.pruned]);
    expect(body.ref(0)).toBe(branch);
    expect([body.ref(1).hash(0), body.ref(1).depth(0)]).toEqual([other.hash(), other.depth()]);
    expect(proof.hash()).toBe(makeProofCell(cellOf("1", [branch, makePruned(other, 1)])).hash());
  });

  it("always keeps its root, and cells without references, which are not longer than their hash", () => {
    const body = openMerkleProof(makeMerkleProof(tree, new Set()));
    expect(body.refs().map((cell) => cell.kind)).toEqual([CellKind.pruned, CellKind.pruned]);
    expect(openMerkleProof(makeMerkleProof(branch, () => false)).ref(0)).toBe(leaf);
    expect(openMerkleProof(makeMerkleProof(leaf, () => false))).toBe(leaf);
  });

  it("of any tree and any choice of cells has exactly the chosen reachable ones", () => {
    fc.assert(
      fc.property(anyTree(), fc.infiniteStream(fc.boolean()), (root, choice) => {
        const kept = new Set(listCells([root]).filter(() => choice.next().value));
        const proof = readRoot(writeBoc(makeMerkleProof(root, kept)));
        expect(shapeOf(openMerkleProof(proof, root.hash()))).toEqual(expectedShape(root, kept));
      }),
      { numRuns: 300 },
    );
  });

  it("has the hashes that its cells have when they are read, at every level, whichever is asked for first", () => {
    fc.assert(
      fc.property(anyTree(), fc.infiniteStream(fc.boolean()), (root, choice) => {
        const kept = new Set(listCells([root]).filter(() => choice.next().value));
        const [body, again] = [0, 1].map(() => runAtOnce(pruneTree(root, (cell) => kept.has(cell)))) as [Cell, Cell];
        const read = readRoot(writeBoc(body));
        const levels = [0, 1, 2, 3];
        expect(levels.map((level) => again.hash(level))).toEqual(levels.map((level) => read.hash(level)));
        expect(levels.toReversed().map((level) => body.hash(level))).toEqual(
          levels.toReversed().map((level) => read.hash(level)),
        );
        expect(body.equals(root)).toBe(body.hash() === root.hash());
      }),
      { numRuns: 200 },
    );
  });

  it("prunes at a higher level inside the Merkle cells of its tree", () => {
    const update = makeUpdateCell(cellOf("1", [makePruned(branch, 1), other]), tree);
    const block = cellOf("0", [update, branch]);
    const body = openMerkleProof(makeMerkleProof(block, new Set([update, update.ref(0), update.ref(1)])), block.hash());
    const [from, to] = body.ref(0).refs() as [Cell, Cell];
    expect(from.refs().map((cell) => [cell.kind, cell.levelMask])).toEqual([
      [CellKind.pruned, 1],
      [CellKind.pruned, 2],
    ]);
    expect(to.refs().map((cell) => [cell.kind, cell.levelMask])).toEqual([
      [CellKind.pruned, 2],
      [CellKind.pruned, 2],
    ]);
    expect([body.ref(0).levelMask, body.ref(0).hash(0), body.ref(1).levelMask]).toEqual([1, update.hash(), 1]);
    expect(readRoot(writeBoc(makeProofCell(body))).hash()).toBe(makeProofCell(body).hash());
  });

  it("keeps hashes of all levels of cells pruned inside Merkle cells", () => {
    const inner = cellOf("11", [makePruned(branch, 1), other]);
    const update = makeUpdateCell(cellOf("1", [inner]), tree);
    const body = runAtOnce(pruneTree(update, (cell) => cell === update.ref(0)));
    const pruned = body.ref(0).ref(0);
    expect([pruned.levelMask, pruned.hash(0), pruned.hash(1)]).toEqual([3, inner.hash(0), inner.hash(1)]);
    expect(body.hash(0)).toBe(update.hash());
  });

  it("keeps everything below three Merkle cells, where no level is left", () => {
    let nested = tree;
    for (let i = 0; i < 5; i++) nested = makeProofCell(cellOf("1", [nested]));
    const body = openMerkleProof(
      makeMerkleProof(nested, () => true),
      nested.hash(),
    );
    expect(body.hash()).toBe(nested.hash());
    const cut = runAtOnce(pruneTree(nested, (cell) => cell.depth() > 3));
    expect([cut.hash(0), cut.hash()]).toEqual([nested.hash(), nested.hash()]);
  });

  it("can be narrowed to a part of what it proves", () => {
    const wide = openMerkleProof(makeMerkleProof(tree, new Set([other])));
    const narrow = openMerkleProof(makeMerkleProof(wide, new Set()), tree.hash());
    expect(narrow.refs().map((cell) => cell.hash(0))).toEqual(tree.refs().map((cell) => cell.hash()));
  });

  it("works for trees of any depth", () => {
    const deep = chainOf(1023);
    expect(openMerkleProof(makeMerkleProof(deep, () => true)).hash(0)).toBe(deep.hash());
  });
});

describe("opening a Merkle proof", () => {
  const proof = makeMerkleProof(tree, new Set([branch]));

  it("is rejected for another tree", () => {
    expect(refusalCode(() => openMerkleProof(proof, zeroHash))).toBe("cell/proof");
  });

  it("is rejected if it is not a proof", () => {
    expect(refusalCode(() => openMerkleProof(tree))).toBe("cell/proof");
    expect(refusalCode(() => openMerkleProof(makeUpdateCell(tree, branch)))).toBe("cell/proof");
  });

  it("is rejected every time if its hash is wrong", () => {
    const forgery = rebuildCell(proof, [cellOf("1", [branch, makePruned(branch, 1)])]);
    for (const wrong of [forgery, readRoot(unchecked(forgery))])
      for (let i = 0; i < 3; i++) expect(refusalCode(() => openMerkleProof(wrong))).toBe("cell/proof");
  });

  it("finds the present cells by their hash in the proved tree", () => {
    const found = cellsInProof(openMerkleProof(proof));
    expect([...found.keys()].sort()).toEqual([tree.hash(), branch.hash(), leaf.hash()].sort());
    expect(found.get(branch.hash())).toBe(branch);
  });
});

/** The bag of a forged proof: a valid one with one flipped bit in the proved hash. */
function unchecked(proof: Cell): Buffer {
  const bytes = writeBoc(makeProofCell(proof.ref(0)));
  const at = bytes.indexOf(Buffer.from(proof.ref(0).hash(0), "hex"));
  bytes[at] = (bytes[at] as number) ^ 1;
  return bytes;
}

/** A tree as nested lists: its hash and children, or only the hash if pruned. */
type Shape = string | readonly [hash: string, children: readonly Shape[]];

function shapeOf(cell: Cell): Shape {
  return cell.kind === CellKind.pruned ? cell.hash(0) : [cell.hash(0), cell.refs().map(shapeOf)];
}

function expectedShape(root: Cell, kept: ReadonlySet<Cell>): Shape {
  const shape = (cell: Cell): Shape =>
    cell === root || kept.has(cell) || cell.refCount === 0 ? [cell.hash(), cell.refs().map(shape)] : cell.hash();
  return shape(root);
}
