import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { uintKey } from "../../../src/cell/keys.ts";
import { BlockProof, TopBlockDescr } from "../../../src/model/block/BlockProof.ts";
import { BlockSignatures } from "../../../src/model/block/BlockSignatures.ts";
import { CryptoSignaturePair } from "../../../src/model/config/Signature.ts";
import { itHoldsForRandom } from "../../kit/cell/checkCodec.ts";
import { anyCell, anyHash, anyUint16, anyUint32, anyUint64, orAbsent, sampleOf } from "../../kit/model/modelValues.ts";
import { anyDictionary, anySignature } from "../../kit/model/validatorValues.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const blockId = fc.record({
  workchain: fc.constantFrom(-1, 0, 7),
  shard: fc.constantFrom(0x8000000000000000n, 0x2000000000000000n),
  seqno: anyUint32,
  rootHash: anyHash,
  fileHash: anyHash,
});
const pair = fc.record({ nodeIdShort: anyHash, sign: anySignature });
const head = {
  validatorListHashShort: anyUint32,
  catchainSeqno: anyUint32,
  signatureCount: anyUint32,
  signatureWeight: anyUint64,
  signatures: anyDictionary(uintKey(16), CryptoSignaturePair, anyUint16, pair),
};
const signatures: fc.Arbitrary<BlockSignatures> = fc.oneof(
  fc.record({ kind: fc.constant<"ordinary">("ordinary"), ...head }),
  fc.record({
    kind: fc.constant<"simplex">("simplex"),
    ...head,
    sessionId: anyHash,
    slot: anyUint32,
    candidateData: anyCell,
  }),
);
const chain = fc.array(anyCell, { minLength: 1, maxLength: 8 });

describe("block proofs", () => {
  itHoldsForRandom("BlockSignatures", BlockSignatures, signatures);
  itHoldsForRandom(
    "BlockProof",
    BlockProof,
    fc.record({ proofFor: blockId, root: anyCell, signatures: orAbsent(signatures) }),
  );
  itHoldsForRandom(
    "TopBlockDescr",
    TopBlockDescr,
    fc.record({ proofFor: blockId, signatures: orAbsent(signatures), chain }),
  );

  it("contain a chain of one to eight", () => {
    const proofFor = sampleOf(blockId);
    const descr = (count: number): TopBlockDescr => ({
      proofFor,
      signatures: undefined,
      chain: Array.from({ length: count }, (_, i) => beginCell().storeUint(i, 8).cell()),
    });
    const loaded = loadCell(TopBlockDescr, storeCell(TopBlockDescr, descr(8)));
    expect(loaded.chain.map((cell) => cell.bytes[cell.dataAt])).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(refusalCode(() => storeCell(TopBlockDescr, descr(0)))).toBe("model/value");
    expect(refusalCode(() => storeCell(TopBlockDescr, descr(9)))).toBe("model/value");
  });
});
