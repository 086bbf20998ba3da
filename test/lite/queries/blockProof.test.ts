import { describe, expect, it } from "vitest";
import { type PartialBlockProof, proofExchange } from "../../../kit/lite/forwardLink.ts";
import { CellKind } from "../../../src/cell/base/CellKind.ts";
import { readRoot, writeBoc } from "../../../src/cell/boc.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { type BlockLink, checkBlockProof, fetchBlockProof } from "../../../src/lite/queries/blockProof.ts";
import { blockIdFromTl } from "../../../src/lite/queries/ids.ts";
import { ValidatorGroups } from "../../../src/lite/queries/validators.ts";
import { getBlockProof } from "../../../src/lite/tl/liteQueries.ts";
import type { BlockIdExt } from "../../../src/model/block/BlockId.ts";
import { hashFromBytes, hashToBytes } from "../../../src/model/Hash.ts";
import { forgeTree } from "../../kit/cell/forgedValues.ts";
import { tryForgedAnswers } from "../../kit/lite/forgedAnswers.ts";
import { makeOrdinaryProof } from "../../kit/lite/ordinaryChain.ts";
import { findRecorded, listRecorded } from "../../kit/lite/recordedAnswer.ts";
import { replyTo, ScriptedLite } from "../../kit/lite/ScriptedLite.ts";
import { makeSigner } from "../../kit/lite/signers.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const { signal } = new AbortController();

function recorded(note: string): { known: BlockIdExt; target: BlockIdExt | undefined; proof: PartialBlockProof } {
  const { args, answer } = findRecorded(getBlockProof, (recordedAnswer) => recordedAnswer.note === note);
  const target = args.targetBlock === undefined ? undefined : blockIdFromTl(args.targetBlock);
  return { known: blockIdFromTl(args.knownBlock), target, proof: answer };
}

const forward = recorded("zerostate to head");
const back = recorded("head back to the middle");

function refusal({ known, target }: typeof forward, proof: PartialBlockProof): string {
  return refusalCode(() => checkBlockProof(known, target, proof));
}

/** The proof with one of its steps changed. */
function withStep(proof: PartialBlockProof, at: number, change: (link: BlockLink) => BlockLink): PartialBlockProof {
  const step = proof.steps.at(at);
  if (step === undefined) throw new Error(`no step ${at}`);
  return { ...proof, steps: proof.steps.with(at, change(step)) };
}

function withForward(change: (link: Extract<BlockLink, { kind: "forward" }>) => BlockLink, at = -1): PartialBlockProof {
  return withStep(forward.proof, at, (link) => (link.kind === "forward" ? change(link) : link));
}

function withBack(change: (link: Extract<BlockLink, { kind: "back" }>) => BlockLink): PartialBlockProof {
  return withStep(back.proof, -1, (link) => (link.kind === "back" ? change(link) : link));
}

describe("a chain of block proofs", () => {
  it.each(listRecorded(getBlockProof))("as recorded leads to its target: $note", ({ args, answer }) => {
    const target = args.targetBlock === undefined ? undefined : blockIdFromTl(args.targetBlock);
    const head = checkBlockProof(blockIdFromTl(args.knownBlock), target, answer);
    expect(head.block).toEqual(blockIdFromTl(answer.to));
    expect(head.complete).toBe(true);
    expect(head.header?.seqno ?? head.block.seqno).toBe(head.block.seqno);
  });

  it("names the newest key block on its way", () => {
    const names = (note: string) => {
      const { known, target, proof } = recorded(note);
      return checkBlockProof(known, target, proof).keyBlock?.seqno;
    };
    expect(names("zerostate to head")).toBe(681);
    expect(names("key block to key block")).toBe(681);
    expect(names("head back to the middle")).toBeUndefined();
    expect(names("head to zerostate (back)")).toBe(0);
  });

  describe("signed by the older consensus", () => {
    // Two elections: the first three blocks have one validator set, the next one another, the last one a third.
    const elected = ["first", "first", "first", "second", "third"].map((term) => ({
      signers: Array.from({ length: 7 }, (_, i) => makeSigner(`${term} ${i}`, BigInt(9 - i))),
      main: 5,
    }));
    const proof = makeOrdinaryProof(elected);
    const [known, target] = [blockIdFromTl(proof.from), blockIdFromTl(proof.to)];

    it("leads across changes of validators", () => {
      const { block, keyBlock } = checkBlockProof(known, target, proof);
      expect(proof.steps.map(({ kind, to }) => [kind, to.seqno])).toEqual([
        ["forward", 200],
        ["forward", 300],
        ["forward", 400],
        ["forward", 500],
      ]);
      expect({ block, keyBlock }).toEqual({ block: target, keyBlock: target });
    });

    it("needs the weight of the validators at each block", () => {
      // Weights 9, 8, 7, 6 and 5: more than two thirds of 35 are 24.
      const keeping = (at: number, kept: readonly number[]) =>
        withStep(proof, at, (link) => {
          if (link.kind !== "forward") return link;
          const signatures = link.signatures.signatures.filter((_, i) => kept.includes(i));
          return { ...link, signatures: { ...link.signatures, signatures } };
        });
      for (const at of proof.steps.keys()) {
        expect(checkBlockProof(known, target, keeping(at, [0, 1, 2])).block).toEqual(target);
        for (const kept of [[0, 1, 3], [2, 3, 4], [0, 1], []])
          expect(refusalCode(() => checkBlockProof(known, target, keeping(at, kept)))).toBe("lite/proof");
      }
    });

    it("needs the signatures of the current validators", () => {
      const [, , , last] = proof.steps;
      const other = makeOrdinaryProof(elected.with(3, { signers: elected[0]?.signers ?? [], main: 5 })).steps[3];
      if (last?.kind !== "forward" || other?.kind !== "forward") throw new Error("no forward links");
      const mutated = withStep(proof, 3, () => ({ ...last, signatures: other.signatures }));
      expect(refusalCode(() => checkBlockProof(known, target, mutated))).toBe("lite/proof");
    });

    it("cannot be changed unnoticed", () => {
      const plan = { flips: 60, forgeries: 120, donors: 0 };
      const outcome = tryForgedAnswers([proofExchange("ordinary", proof)], plan, seededRandom("ordinary"));
      expect({ accepted: outcome.accepted, crashed: outcome.crashed }).toEqual({ accepted: [], crashed: [] });
      expect(outcome.refused).toBeGreaterThan(100);
    });
  });

  it("must start at the known block", () => {
    const { proof } = forward;
    const { known } = recorded("key block to head");
    expect(refusalCode(() => checkBlockProof(known, forward.target, proof))).toBe("lite/proof");
    expect(refusal(forward, { ...proof, from: proof.to })).toBe("lite/proof");
    expect(refusal(forward, { ...proof, from: proof.to, to: proof.from })).toBe("lite/proof");
  });

  it("must have every link start at the end of the previous one", () => {
    const { proof } = forward;
    expect(refusal(forward, { ...proof, steps: proof.steps.toSpliced(2, 1) })).toBe("lite/proof");
    expect(refusal(forward, { ...proof, steps: proof.steps.toSpliced(2, 0, ...proof.steps.slice(2, 3)) })).toBe(
      "lite/proof",
    );
    expect(refusal(forward, { ...proof, steps: proof.steps.toReversed() })).toBe("lite/proof");
    expect(refusal(forward, { ...proof, steps: [] })).toBe("lite/proof");
  });

  it("must reach its target if it claims to be complete, and may stop earlier otherwise", () => {
    const part = { ...forward.proof, steps: forward.proof.steps.slice(0, 2), to: forward.proof.steps[1]?.to };
    const proof = { ...forward.proof, ...part, to: part.to ?? forward.proof.to };
    expect(refusal(forward, proof)).toBe("lite/proof");
    const head = checkBlockProof(forward.known, forward.target, { ...proof, complete: false });
    expect([head.block.seqno, head.complete]).toEqual([582, false]);
  });
});

describe("a forward link", () => {
  it("must start at a block with validators", () => {
    const middle = recorded("mode 0x1001, prev to block");
    const [, first] = middle.proof.steps;
    if (first?.kind !== "forward") throw new Error("no forward link");
    const link: BlockLink = { ...first, from: middle.proof.from, configProof: first.destProof };
    const proof = { ...middle.proof, steps: [link], to: link.to };
    expect(refusalCode(() => checkBlockProof(middle.known, blockIdFromTl(link.to), proof))).toBe("lite/proof");
  });

  it("must not skip a key block, whose validators might differ", () => {
    const [first, second] = forward.proof.steps;
    if (first?.kind !== "forward" || second?.kind !== "forward") throw new Error("no forward links");
    const steps = [{ ...second, from: first.from, configProof: first.configProof }];
    const proof = { ...forward.proof, steps, to: second.to };
    expect(() => checkBlockProof(forward.known, blockIdFromTl(second.to), proof)).toThrow(
      "whose last key block is 559",
    );
  });

  it("has the key flag of the block", () => {
    expect(
      refusal(
        forward,
        withForward((link) => ({ ...link, toKeyBlock: true })),
      ),
    ).toBe("lite/proof");
    expect(
      refusal(
        forward,
        withForward((link) => ({ ...link, toKeyBlock: false }), 0),
      ),
    ).toBe("lite/proof");
  });

  it("leads to a newer block", () => {
    const proof = withForward((link) => ({ ...link, to: link.from, from: link.from }));
    expect(refusal(forward, proof)).toBe("lite/proof");
  });

  it("is signed in the session and by the group of the block", () => {
    const mutated = (change: object): PartialBlockProof =>
      withForward((link) => ({ ...link, signatures: { ...link.signatures, ...change } }));
    expect(refusal(forward, mutated({ ccSeqno: 1 }))).toBe("lite/proof");
    expect(refusal(forward, mutated({ validatorSetHash: 1 }))).toBe("lite/proof");
    expect(refusal(forward, mutated({ signatures: [] }))).toBe("lite/proof");
    expect(refusal(forward, mutated({ slot: 1 }))).toBe("lite/proof");
    expect(refusal(forward, mutated({ sessionId: new Uint8Array(32) }))).toBe("lite/proof");
  });

  it("is not proved by the signatures, the header or the configuration of another one", () => {
    const [other] = forward.proof.steps;
    if (other?.kind !== "forward") throw new Error("no forward link");
    expect(
      refusal(
        forward,
        withForward((link) => ({ ...link, signatures: other.signatures })),
      ),
    ).toBe("lite/proof");
    expect(
      refusal(
        forward,
        withForward((link) => ({ ...link, destProof: other.destProof })),
      ),
    ).toBe("lite/proof");
    expect(
      refusal(
        forward,
        withForward((link) => ({ ...link, configProof: other.configProof })),
      ),
    ).toBe("lite/proof");
  });

  it("stays in the masterchain", () => {
    const proof = withForward((link) => ({ ...link, to: { ...link.to, workchain: 0 } }));
    expect(refusal(forward, { ...proof, to: { ...proof.to, workchain: 0 } })).toBe("lite/proof");
  });

  it("from a block with known validators needs no second proof of them", () => {
    const groups = new ValidatorGroups();
    const bare = withForward((link) => ({ ...link, configProof: new Uint8Array(0) }));
    expect(refusalCode(() => checkBlockProof(forward.known, forward.target, bare, groups))).toBe("lite/proof");
    checkBlockProof(forward.known, forward.target, forward.proof, groups);
    expect(checkBlockProof(forward.known, forward.target, bare, groups).block).toEqual(forward.target);
  });
});

describe("a link back", () => {
  it("leads to an older block in the state's list", () => {
    const { proof } = recorded("head back to block 1");
    const [other] = proof.steps;
    if (other === undefined) throw new Error("no link");
    const to = { ...other.to, rootHash: other.to.fileHash };
    expect(refusal(back, { ...withBack((link) => ({ ...link, to })), to })).toBe("lite/proof");
    expect(
      refusal(
        back,
        withBack((link) => ({ ...link, to: link.from })),
      ),
    ).toBe("lite/proof");
  });

  it("does not lead to a forged block, even if it is consistent", () => {
    const { known, proof } = back;
    const [link] = proof.steps;
    if (link?.kind !== "back") throw new Error("no link back");
    const toForged = (to: typeof link.to, destProof: Uint8Array) =>
      refusalCode(() =>
        checkBlockProof(known, blockIdFromTl(to), { ...proof, to, steps: [{ ...link, to, destProof }] }),
      );
    expect(toForged({ ...link.to, fileHash: link.to.rootHash }, link.destProof)).toBe("lite/proof");
    for (const forgery of forgeTree(readRoot(link.destProof), seededRandom("forged"), 60)) {
      const forged = forgery.make();
      if (forged.kind !== CellKind.merkleProof || forged.levelMask !== 0) continue;
      const rootHash = hashToBytes(forged.ref(0).hash(0));
      if (hashFromBytes(link.to.rootHash) !== hashFromBytes(rootHash))
        expect(toForged({ ...link.to, rootHash }, writeBoc(forged))).toBe("lite/proof");
    }
  });

  it("has the key flag of the list, also for the zero state", () => {
    const { known, target, proof } = recorded("head to zerostate (back)");
    const mutated = withStep(proof, 0, (link) => ({ ...link, toKeyBlock: false }));
    expect(refusalCode(() => checkBlockProof(known, target, mutated))).toBe("lite/proof");
  });

  it("has the key flag of the list and the block", () => {
    expect(
      refusal(
        back,
        withBack((link) => ({ ...link, toKeyBlock: true })),
      ),
    ).toBe("lite/proof");
  });

  it("is not proved by the state or the header of another block", () => {
    const other = recorded("one step").proof.steps[0];
    if (other?.kind !== "back") throw new Error("no link back");
    const { stateProof, proof, destProof } = other;
    expect(
      refusal(
        back,
        withBack((link) => ({ ...link, stateProof })),
      ),
    ).toBe("lite/proof");
    expect(
      refusal(
        back,
        withBack((link) => ({ ...link, proof })),
      ),
    ).toBe("lite/proof");
    expect(
      refusal(
        back,
        withBack((link) => ({ ...link, proof, stateProof })),
      ),
    ).toBe("lite/proof");
    expect(
      refusal(
        back,
        withBack((link) => ({ ...link, destProof })),
      ),
    ).toBe("lite/proof");
  });

  it("must be a proof, not the cells inside a proof", () => {
    const proof = withBack((link) => ({ ...link, destProof: writeBoc(readRoot(link.destProof).ref(0)) }));
    expect(refusal(back, proof)).toBe("lite/proof");
  });
});

describe("asking for a block proof", () => {
  it("requests the path to the target, or to the newest block without one", async () => {
    const server = new ScriptedLite([replyTo(getBlockProof, forward.proof)]);
    const head = await fetchBlockProof(server, forward.known, forward.target, { signal });
    expect(head.block).toEqual(forward.target);
    expect(await fetchBlockProof(server, forward.known, undefined, { signal })).toEqual(head);
    expect(server.asked.map(({ args }) => args)).toMatchObject([
      { mode: 1, knownBlock: { seqno: 0 }, targetBlock: { seqno: 739 } },
      { mode: 0, knownBlock: { seqno: 0 } },
    ]);
  });
});
