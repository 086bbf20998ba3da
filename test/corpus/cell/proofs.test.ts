import { describe, expect, it } from "vitest";
import { cellsInProof, makeMerkleProof } from "../../../kit/cell/merkleProofs.ts";
import { describeCorpusPart, listFiles, readBytes, readJson } from "../../../kit/suite/corpus.ts";
import { CellKind } from "../../../src/cell/base/CellKind.ts";
import { readBoc, readRoot, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import type { Hash } from "../../../src/cell/Hash.ts";
import { zeroHash } from "../../../src/cell/Hash.ts";
import { openMerkleProof } from "../../../src/cell/merkle/merkleProof.ts";
import { openMerkleUpdate } from "../../../src/cell/merkle/merkleUpdate.ts";
import { fromBase64 } from "../../../src/lib/bytes.ts";
import { listCells } from "../../kit/cell/bags.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

interface RecordedProof {
  readonly name: string;
  readonly boc: string;
  readonly expected: { readonly proved_root_hash: string; readonly proved_depth: number };
}

describeCorpusPart("recorded Merkle proofs", "proofs/merkle-proofs.json", (folder) => {
  const { proofs } = readJson(folder, "proofs/merkle-proofs.json") as { proofs: readonly RecordedProof[] };

  it.each(proofs.map((proof) => [proof.name, proof] as const))("%s proves its hash", (_name, { boc, expected }) => {
    // One bag has a second proof as its second root.
    const proof = readBoc(fromBase64(boc))[0] as Cell;
    const proved = expected.proved_root_hash.toLowerCase() as Hash;
    const body = openMerkleProof(proof, proved);
    expect([body.hash(0), body.depth(0)]).toEqual([proved, expected.proved_depth]);
    expect(refusalCode(() => openMerkleProof(proof, zeroHash))).toBe("cell/proof");
  });
});

describeCorpusPart("proofs made of real blocks", "blocks/*.boc", (folder) => {
  // block#11ef55aa global_id:int32 info:^BlockInfo value_flow:^ValueFlow state_update:^(MERKLE_UPDATE ShardState) …
  const updateRef = 2;

  describe.each(listFiles(folder, "blocks", ".boc"))("%s", (path) => {
    const block = readRoot(readBytes(folder, path));

    it("keep the chosen cells and prune the rest, also at the right level inside the state update", () => {
      const update = block.ref(updateRef);
      const kept = new Set([block, update, ...update.refs(), ...block.ref(0).refs()]);
      const body = openMerkleProof(readRoot(writeBoc(makeMerkleProof(block, kept))), block.hash());
      const halves = openMerkleUpdate(body.ref(updateRef));
      expect([halves.from.hash(0), halves.to.hash(0)]).toEqual(update.refs().map((half) => half.hash(0)));
      expect(halves.from.refs().every(isKeptOrPruned(2))).toBe(true);
      expect(body.ref(1).kind).toBe(block.ref(1).refCount === 0 ? CellKind.ordinary : CellKind.pruned);
      expect(body.ref(1).hash(0)).toBe(block.ref(1).hash());
    });

    it("keep every other cell and can be read", () => {
      const cells = listCells([block]);
      const kept = new Set(cells.filter((_, i) => i % 2 === 0));
      const body = openMerkleProof(readRoot(writeBoc(makeMerkleProof(block, kept))), block.hash());
      const original = new Set(cells.flatMap((cell) => [cell.hash(0)]));
      for (const hash of cellsInProof(body).keys()) expect(original.has(hash)).toBe(true);
    });
  });
});

/** Keeps cells without references; all others are pruned for a proof that is `level - 1` Merkle cells further out. */
function isKeptOrPruned(level: number): (cell: Cell) => boolean {
  return (cell) => cell.refCount === 0 && (cell.kind !== CellKind.pruned || cell.level <= level);
}
