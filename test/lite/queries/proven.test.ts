import { describe, expect, it } from "vitest";
import { makeMerkleProof } from "../../../kit/cell/merkleProofs.ts";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import { readBoc, readRoot, writeBoc } from "../../../src/cell/boc.ts";
import { makeProofCell, makePruned } from "../../../src/cell/exotic.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { blockIdFromTl } from "../../../src/lite/queries/ids.ts";
import { openBlock, proofPair, proofRoot, proven, stateHashAfter } from "../../../src/lite/queries/proven.ts";
import { getBlock, getBlockHeader } from "../../../src/lite/tl/liteQueries.ts";
import { ModelError } from "../../../src/model/errors.ts";
import { findRecorded } from "../../kit/lite/recordedAnswer.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const tree = beginCell().storeRef(beginCell().storeUint(1, 8).storeRef(emptyCell).cell()).cell();
const proof = makeMerkleProof(tree, () => false);

describe("a check", () => {
  it("turns every coded error into a proof error, and rethrows others", () => {
    expect(refusalCode(() => proven("test", () => readRoot(new Uint8Array(3))))).toBe("lite/proof");
    const inner = new ModelError("model/value", "no");
    expect(() =>
      proven("test", () => {
        throw inner;
      }),
    ).toThrow(expect.objectContaining({ message: "test: no", cause: inner }));
    const cut = new LiteError("lite/tl", "cut");
    expect(() =>
      proven("test", () => {
        throw cut;
      }),
    ).toThrow(cut);
    expect(() =>
      proven("test", () => {
        throw new TypeError("ours");
      }),
    ).toThrow(TypeError);
  });
});

describe("a bag of proofs", () => {
  it("has the right number of roots", () => {
    expect(proofRoot(writeBoc(proof)).hash()).toBe(proof.hash());
    expect(proofPair(writeBoc([proof, proof])).map((root) => root.hash())).toEqual([proof.hash(), proof.hash()]);
    expect(refusalCode(() => proofRoot(writeBoc([proof, proof])))).toBe("lite/proof");
    expect(refusalCode(() => proofPair(writeBoc(proof)))).toBe("lite/proof");
    expect(refusalCode(() => proofPair(writeBoc([proof, proof, proof])))).toBe("lite/proof");
  });

  it("has no branches pruned for an outer proof", () => {
    const inner = makeProofCell(makePruned(tree, 2));
    expect(inner.levelMask).toBe(1);
    expect(refusalCode(() => proofRoot(writeBoc(inner)))).toBe("lite/proof");
    expect(proofRoot(writeBoc(makeProofCell(inner))).levelMask).toBe(0);
  });
});

describe("a proof about a block", () => {
  const { args, answer } = findRecorded(getBlockHeader, (recordedAnswer) => recordedAnswer.args.id.workchain === -1);
  const id = blockIdFromTl(args.id);
  const header = proofRoot(answer.headerProof);

  it("shows the header and the state", () => {
    expect(openBlock(header, id).header.seqno).toBe(id.seqno);
    const { answer: whole } = findRecorded(getBlock, (recordedAnswer) => recordedAnswer.args.id.seqno === 444);
    const { block, header: fields } = openBlock(makeProofCell(readRoot(whole.data)), id);
    expect(fields).toEqual(openBlock(header, id).header);
    expect(block.stateUpdate.ref(1).hash(0)).toBe(stateHashAfter(block));
  });

  it("shows nothing of a state whose update is pruned", () => {
    const { answer: whole } = findRecorded(getBlock, (recordedAnswer) => recordedAnswer.args.id.seqno === 444);
    const root = readRoot(whole.data);
    const bare = makeMerkleProof(root, (inner) => inner === root.ref(0) || inner.refCount === 0 || isHeader(inner));
    const { block } = openBlock(bare, id);
    expect(() => stateHashAfter(block)).toThrow("leaves the state update out");

    function isHeader(inner: typeof root): boolean {
      return root.ref(0).refs().includes(inner);
    }
  });

  it("must be about that exact block", () => {
    const body = header.ref(0);
    const forgeries = [
      body,
      makePruned(body, 1),
      makeProofCell(header),
      makeProofCell(makePruned(body, 1)),
      makeProofCell(emptyCell),
      beginCell().storeRef(header).cell(),
    ];
    for (const forgery of forgeries)
      expect(refusalCode(() => proven("test", () => openBlock(forgery, id)))).toBe("lite/proof");
    for (const other of [
      { ...id, seqno: 1 },
      { ...id, workchain: 0 },
      { ...id, shard: 1n },
      { ...id, rootHash: id.fileHash },
    ])
      expect(refusalCode(() => proven("test", () => openBlock(header, other)))).toBe("lite/proof");
  });

  it("with cells of a wrong hash or depth is rejected", () => {
    const bytes = writeBoc(header);
    const [root] = readBoc(bytes);
    if (root === undefined) throw new Error("no proof");
    for (const at of [1, 20, 33, 34]) {
      const mutated = Uint8Array.from(bytes);
      mutated[root.dataAt + at] = (mutated[root.dataAt + at] ?? 0) ^ 1;
      expect(refusalCode(() => proven("test", () => openBlock(proofRoot(mutated), id)))).toBe("lite/proof");
    }
  });
});
