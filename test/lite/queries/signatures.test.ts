import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { blockIdToTl } from "../../../src/lite/queries/ids.ts";
import { type CheckedSignatures, checkSignatures, signedBytes } from "../../../src/lite/queries/signatures.ts";
import { masterchainGroup } from "../../../src/lite/queries/validators.ts";
import { candidateHashData } from "../../../src/lite/tl/consensusRecords.ts";
import { encode } from "../../../src/lite/tl/types.ts";
import { type BlockIdExt, masterchain, wholeShard } from "../../../src/model/block/BlockId.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { makeSigner, makeValidatorConfig, makeValidatorSet, type TestSigner } from "../../kit/lite/signers.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const catchainSeqno = 7;
const signers = Array.from({ length: 9 }, (_, i) => makeSigner(`validator ${i}`, 1n));
const group = masterchainGroup(makeValidatorConfig({ 34: makeValidatorSet(signers) }), catchainSeqno);

const block: BlockIdExt = {
  workchain: masterchain,
  shard: wholeShard,
  seqno: 100,
  rootHash: "1a".repeat(32) as Hash,
  fileHash: "2b".repeat(32) as Hash,
};
const other: BlockIdExt = { ...block, rootHash: "3c".repeat(32) as Hash };

type Ordinary = Extract<CheckedSignatures, { kind: "ordinary" }>;
type Simplex = Extract<CheckedSignatures, { kind: "simplex" }>;

const noOne: Ordinary = { kind: "ordinary", validatorSetHash: group.hashShort | 0, catchainSeqno, signatures: [] };

function candidateOf(id: BlockIdExt, form: "ordinary" | "empty" = "ordinary"): Uint8Array {
  const parent = { slot: 3, hash: new Uint8Array(32).fill(4) };
  return form === "empty"
    ? encode(candidateHashData, { kind: "empty", block: blockIdToTl(id), parent })
    : encode(candidateHashData, {
        kind: "ordinary",
        block: blockIdToTl(id),
        collatedFileHash: new Uint8Array(32).fill(5),
        parent: { kind: "candidate", id: { kind: "id", ...parent } },
      });
}

function simplexOf(candidate: Uint8Array): Simplex {
  return {
    kind: "simplex",
    ccSeqno: catchainSeqno,
    validatorSetHash: group.hashShort | 0,
    signatures: [],
    sessionId: new Uint8Array(32).fill(6),
    slot: 12,
    candidate,
  };
}

function signed<S extends CheckedSignatures>(set: S, by: readonly TestSigner[], id = block): S {
  const message = signedBytes(id, set);
  return { ...set, signatures: by.map(({ nodeIdShort, sign }) => ({ nodeIdShort, signature: sign(message) })) };
}

function refusal(set: CheckedSignatures, id = block): string {
  return refusalCode(() => checkSignatures(id, set, group));
}

const kinds = [
  ["ordinary", noOne],
  ["simplex", simplexOf(candidateOf(block))],
  ["simplex with an empty candidate", simplexOf(candidateOf(block, "empty"))],
] as const;

describe.each(kinds)("signatures of the %s kind", (_, empty) => {
  it("of more than two thirds of the weight make a block final", () => {
    checkSignatures(block, signed(empty, signers), group);
    checkSignatures(block, signed(empty, signers.slice(0, 7)), group);
    checkSignatures(block, signed(empty, signers.slice(2).toReversed()), group);
  });

  it("of two thirds of the weight, or less, do not", () => {
    for (const count of [0, 1, 5, 6]) expect(refusal(signed(empty, signers.slice(0, count)))).toBe("lite/proof");
  });

  it("count once for each validator", () => {
    const six = signed(empty, signers.slice(0, 6));
    const twice = { ...six, signatures: [...six.signatures, ...six.signatures.slice(0, 1)] };
    expect(refusal(twice)).toBe("lite/proof");
    const all = signed(empty, signers);
    expect(refusal({ ...all, signatures: [...all.signatures, ...all.signatures.slice(0, 1)] })).toBe("lite/proof");
  });

  it("of unknown signers are rejected, however many others signed", () => {
    const stranger = makeSigner("stranger", 1n);
    expect(refusal(signed(empty, [...signers, stranger]))).toBe("lite/proof");
    const [first, ...rest] = signed(empty, signers).signatures;
    const signature = stranger.sign(signedBytes(block, empty));
    expect(
      refusal({ ...empty, signatures: [{ nodeIdShort: first?.nodeIdShort ?? signature, signature }, ...rest] }),
    ).toBe("lite/proof");
  });

  it("with any bit changed, truncated or extended are rejected", () => {
    const set = signed(empty, signers);
    const [first, ...rest] = set.signatures;
    if (first === undefined) throw new Error("nobody signed");
    for (let bit = 0; bit < 512; bit += 7) {
      const signature = first.signature.slice();
      signature[bit >> 3] = (signature[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(refusal({ ...set, signatures: [{ ...first, signature }, ...rest] })).toBe("lite/proof");
    }
    for (const signature of [first.signature.slice(1), new Uint8Array([...first.signature, 0]), new Uint8Array(0)])
      expect(refusal({ ...set, signatures: [{ ...first, signature }, ...rest] })).toBe("lite/proof");
  });

  it("of another block are rejected", () => {
    expect(refusal(signed(empty, signers), other)).toBe("lite/proof");
    expect(refusal(signed(empty, signers), { ...block, fileHash: other.rootHash })).toBe("lite/proof");
  });

  it("of another group are rejected", () => {
    expect(refusal({ ...signed(empty, signers), validatorSetHash: (group.hashShort + 1) | 0 })).toBe("lite/proof");
  });
});

describe("signatures of the simplex kind", () => {
  const set = signed(simplexOf(candidateOf(block)), signers);

  it("cover slot, session and candidate", () => {
    expect(refusal({ ...set, slot: 13 })).toBe("lite/proof");
    expect(refusal({ ...set, sessionId: new Uint8Array(32) })).toBe("lite/proof");
    expect(refusal({ ...set, candidate: candidateOf(block, "empty") })).toBe("lite/proof");
    expect(refusal({ ...set, candidate: candidateOf(other) })).toBe("lite/proof");
  });

  it("need a valid candidate", () => {
    expect(refusal({ ...set, candidate: set.candidate.subarray(4) })).toBe("lite/tl");
    expect(refusal({ ...set, candidate: new Uint8Array(0) })).toBe("lite/tl");
    expect(refusal({ ...set, candidate: new Uint8Array([...set.candidate, 0, 0, 0, 0]) })).toBe("lite/tl");
  });

  it("cannot be used as those of the older kind, nor the other way round", () => {
    expect(refusal({ ...noOne, signatures: set.signatures })).toBe("lite/proof");
    expect(refusal({ ...set, signatures: signed(noOne, signers).signatures })).toBe("lite/proof");
  });

  it("are made over the session, the slot and the candidate's hash", () => {
    const hash = createHash("sha256").update(set.candidate).digest("hex");
    const session = "06".repeat(32);
    expect(Buffer.from(signedBytes(block, set)).toString("hex")).toBe(
      `f83de3a8${session}2c05e1a7403fcd91b60c000000${hash}000000`,
    );
  });
});

describe("the required weight", () => {
  it("is counted by weight, not by number", () => {
    const uneven = [makeSigner("heavy", 100n), ...Array.from({ length: 40 }, (_, i) => makeSigner(`light ${i}`, 1n))];
    const config = makeValidatorConfig({ 34: makeValidatorSet(uneven) });
    const heavy = masterchainGroup(config, catchainSeqno);
    const set: Ordinary = { ...noOne, validatorSetHash: heavy.hashShort | 0 };
    checkSignatures(block, signed(set, uneven.slice(0, 1)), heavy);
    expect(refusalCode(() => checkSignatures(block, signed(set, uneven.slice(1)), heavy))).toBe("lite/proof");
  });

  it("includes only the masterchain's validators", () => {
    const config = makeValidatorConfig({ 34: makeValidatorSet(signers, 3) });
    const small = masterchainGroup(config, catchainSeqno);
    const set: Ordinary = { ...noOne, validatorSetHash: small.hashShort | 0 };
    checkSignatures(block, signed(set, signers.slice(0, 3)), small);
    expect(refusalCode(() => checkSignatures(block, signed(set, signers), small))).toBe("lite/proof");
    expect(refusalCode(() => checkSignatures(block, signed(set, signers.slice(0, 2)), small))).toBe("lite/proof");
  });
});
