import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { PartialBlockProof } from "../../../kit/lite/forwardLink.ts";
import { blockIdFromTl, blockIdToTl } from "../../../src/lite/queries/ids.ts";
import { TrustedChain, type TrustedChainOptions } from "../../../src/lite/queries/TrustedChain.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { Replayer } from "../../../src/lite/server/Replayer.ts";
import { getBlockHeader, getBlockProof, getMasterchainInfo } from "../../../src/lite/tl/liteQueries.ts";
import { type BlockIdExt, masterchain, wholeShard } from "../../../src/model/block/BlockId.ts";
import { type Hash, hashFromBytes } from "../../../src/model/Hash.ts";
import { findRecorded, recordedFile } from "../../kit/lite/recordedAnswer.ts";
import { type Line, replyTo, ScriptedLite } from "../../kit/lite/ScriptedLite.ts";
import { deferred } from "../../kit/suite/deferred.ts";

const { signal } = new AbortController();
const { answer: info } = findRecorded(getMasterchainInfo);
const zeroState: BlockIdExt = {
  workchain: masterchain,
  shard: wholeShard,
  seqno: 0,
  rootHash: hashFromBytes(info.init.rootHash),
  fileHash: hashFromBytes(info.init.fileHash),
};
const head = blockIdFromTl(info.last);

function proofNamed(note: string): PartialBlockProof {
  return findRecorded(getBlockProof, (recordedAnswer) => recordedAnswer.note === note).answer;
}

const whole = proofNamed("zerostate to head");
const headTime = 1794705999;

/** The last link to the head contains the header's proof, too. */
function headerOf(block: BlockIdExt) {
  return { id: blockIdToTl(block), mode: 0, headerProof: whole.steps.at(-1)?.destProof ?? new Uint8Array(0) };
}

function makeChain(options: Partial<TrustedChainOptions> = {}): TrustedChain {
  return new TrustedChain({ start: zeroState, zeroState, proofs: "check", ...options });
}

/** A server with the recorded head and the given proofs. */
function serverWith(...lines: readonly Line[]): ScriptedLite {
  return new ScriptedLite([replyTo(getMasterchainInfo, info), ...lines]);
}

/** The whole proof in several answers of `steps` steps; the last one is complete. */
function inParts(steps: number): Line {
  return replyTo(getBlockProof, ({ knownBlock }) => {
    const first = whole.steps.findIndex(({ from }) => from.seqno === knownBlock.seqno);
    const part = whole.steps.slice(first, first + steps);
    const to = part.at(-1)?.to ?? whole.to;
    return { complete: to.seqno === whole.to.seqno, from: knownBlock, to, steps: part };
  });
}

describe("the trusted chain", () => {
  it("advances from the zero state to the head a server reports, in one query", async () => {
    const chain = makeChain();
    const server = serverWith(replyTo(getBlockProof, whole));
    expect(await chain.head(server, { signal })).toEqual({ block: head, genUtime: headTime });
    expect(chain.newest).toEqual(head);
    expect(server.names).toEqual(["getMasterchainInfo", "getBlockProof"]);
  });

  it("only follows the links to a target that is trusted already, if somebody else checks them", async () => {
    const steps = whole.steps.map((step) =>
      step.kind === "forward" ? { ...step, signatures: { ...step.signatures, signatures: [] } } : step,
    );
    const prove = (links: "check" | "follow", proof: PartialBlockProof) =>
      makeChain({ links }).prove(serverWith(replyTo(getBlockProof, proof)), head, { signal });
    expect(await prove("follow", { ...whole, steps })).toEqual({ block: head, genUtime: headTime });
    const tooLight = { code: "lite/proof", data: { reason: "weight", what: "block proof" } };
    await expect(prove("check", { ...whole, steps })).rejects.toMatchObject(tooLight);
    await expect(prove("follow", { ...whole, steps: [], to: whole.from })).rejects.toMatchObject({
      code: "lite/proof",
    });
  });

  it("proves everything a real server recorded, newer and older", async () => {
    const chain = makeChain();
    const server = new Replayer(gunzipSync(readFileSync(recordedFile)).toString("utf8"));
    expect(await chain.head(server, { signal })).toEqual({ block: head, genUtime: headTime });
    for (const note of ["head back to the middle", "head back to block 1", "head to zerostate (back)"]) {
      const target = blockIdFromTl(proofNamed(note).to);
      expect((await chain.prove(server, target, { signal })).block).toEqual(target);
    }
    expect(chain.newest).toEqual(head);
  });

  it("requests one proof of a head that several servers report", async () => {
    const chain = makeChain();
    const [first, second] = [serverWith(replyTo(getBlockProof, whole)), serverWith()];
    const proved = await chain.head(first, { signal });
    expect(await chain.head(second, { signal })).toBe(proved);
    expect(second.names).toEqual(["getMasterchainInfo"]);
  });

  it("does not check a second proof of a head that was proved meanwhile", async () => {
    const chain = makeChain();
    const gate = deferred();
    const slow = serverWith(replyTo(getBlockProof, { ...whole, steps: [] }));
    const late: LiteServer = {
      ask: async (bytes, options) => {
        const answer = await slow.ask(bytes, options);
        if (slow.asked.length > 1) await gate.promise;
        return answer;
      },
      close: async () => {},
      destroy: () => {},
    };
    const waiting = chain.head(late, { signal });
    const proved = await chain.head(serverWith(replyTo(getBlockProof, whole)), { signal });
    gate.resolve();
    expect(await waiting).toEqual(proved);
  });

  it("follows a proof in parts, reports progress, and remembers the newest key block of each", async () => {
    const progress: [at: number, target: number][] = [];
    const keyBlocks: number[] = [];
    const chain = makeChain({
      onProgress: (at, target) => void progress.push([at.seqno, target.seqno]),
      onKeyBlock: ({ seqno }) => void keyBlocks.push(seqno),
    });
    const server = serverWith(inParts(2));
    expect(await chain.head(server, { signal })).toEqual({ block: head, genUtime: headTime });
    expect(progress).toEqual([
      [582, 739],
      [619, 739],
      [681, 739],
    ]);
    expect(keyBlocks).toEqual([582, 619, 681]);
    expect(server.names).toHaveLength(5);
  });

  it("keeps the proved part when the rest fails", async () => {
    const chain = makeChain();
    const parts = inParts(2);
    let answers = 0;
    const line: Line = {
      ...parts,
      answer: (args) => {
        answers += 1;
        return answers > 2 ? new Uint8Array(8) : parts.answer(args);
      },
    };
    await expect(chain.head(serverWith(line), { signal })).rejects.toMatchObject({ code: "lite/tl" });
    expect(chain.newest.seqno).toBe(619);
    const server = serverWith(inParts(9));
    expect((await chain.head(server, { signal })).block).toEqual(head);
    expect(server.asked.at(-1)?.args).toMatchObject({ knownBlock: { seqno: 619 } });
  });

  it("rejects a proof that leads nowhere, or away from its target", async () => {
    const nowhere = { complete: false, from: whole.from, to: whole.from, steps: [] };
    const chain = makeChain();
    await expect(chain.head(serverWith(replyTo(getBlockProof, nowhere)), { signal })).rejects.toMatchObject({
      code: "lite/proof",
      message: "a proof to (-1,8000000000000000,739) that leads from 0 to 0",
    });
    await chain.head(serverWith(replyTo(getBlockProof, whole)), { signal });
    const middle = blockIdFromTl(proofNamed("head back to the middle").to);
    const back = proofNamed("head to zerostate (back)");
    const astray = serverWith(replyTo(getBlockProof, { ...back, complete: false }));
    await expect(chain.prove(astray, middle, { signal })).rejects.toMatchObject({ code: "lite/proof" });
    await expect(chain.prove(serverWith(replyTo(getBlockProof, back)), middle, { signal })).rejects.toMatchObject({
      code: "lite/proof",
      message: "a complete proof that does not reach (-1,8000000000000000,444)",
    });
  });

  it("passes an older block only to return to it", async () => {
    const chain = makeChain();
    const { steps, to } = proofNamed("zerostate to the middle");
    const line = replyTo(getBlockProof, ({ knownBlock }) => {
      const step = steps.filter(({ from }) => from.seqno === knownBlock.seqno);
      const end = step[0]?.to ?? to;
      return { complete: end.seqno === to.seqno, from: knownBlock, to: end, steps: step };
    });
    const target = blockIdFromTl(to);
    expect((await chain.prove(serverWith(line), target, { signal })).block).toEqual(target);
    expect(chain.newest.seqno).toBe(559);
  });

  it("rejects another block in place of a proved one", async () => {
    const chain = makeChain();
    await chain.head(serverWith(replyTo(getBlockProof, whole)), { signal });
    const fork = { ...head, rootHash: "ab".repeat(32) as Hash };
    await expect(chain.prove(serverWith(), fork, { signal })).rejects.toMatchObject({ code: "lite/proof" });
    await expect(chain.prove(serverWith(), { ...head, fileHash: fork.rootHash }, { signal })).rejects.toMatchObject({
      code: "lite/proof",
    });
  });

  it("rejects a head without signatures", async () => {
    const chain = makeChain();
    const forged = { ...info, last: { ...info.last, seqno: 740 } };
    const to = forged.last;
    const steps = whole.steps.map((step) => (step.to.seqno === head.seqno ? { ...step, to } : step));
    const forgery = { ...whole, to, steps };
    const server = new ScriptedLite([replyTo(getMasterchainInfo, forged), replyTo(getBlockProof, forgery)]);
    await expect(chain.head(server, { signal })).rejects.toMatchObject({ code: "lite/proof" });
    expect(chain.newest).toEqual(zeroState);
  });

  it("rejects a server of another network, and a head outside the masterchain", async () => {
    const other = { ...info, init: { ...info.init, rootHash: new Uint8Array(32) } };
    const outside = { ...info, last: { ...info.last, workchain: 0 } };
    const half = { ...info, last: { ...info.last, shard: 1n << 62n } };
    for (const answer of [other, outside, half]) {
      await expect(
        makeChain().head(new ScriptedLite([replyTo(getMasterchainInfo, answer)]), { signal }),
      ).rejects.toMatchObject({ code: "lite/proof" });
    }
    await expect(makeChain().prove(serverWith(), { ...head, workchain: 0 }, { signal })).rejects.toMatchObject({
      code: "lite/proof",
    });
  });

  it("starts with any trusted block, and reads its time from its header", async () => {
    const before = proofNamed("one step");
    const start = blockIdFromTl(before.from);
    const keyBlocks: number[] = [];
    const chain = makeChain({ start, onKeyBlock: ({ seqno }) => void keyBlocks.push(seqno) });
    const server = serverWith(replyTo(getBlockProof, before), replyTo(getBlockHeader, headerOf(head)));
    expect(await chain.head(server, { signal })).toEqual({ block: head, genUtime: headTime });
    expect(keyBlocks).toEqual([]);
    expect(server.names).toEqual(["getMasterchainInfo", "getBlockProof"]);
    const again = makeChain({ start: head });
    expect(await again.head(server, { signal })).toEqual({ block: head, genUtime: headTime });
    expect(server.names.slice(2)).toEqual(["getMasterchainInfo", "getBlockHeader"]);
  });

  it("has no time for a zero state", async () => {
    expect(await makeChain().prove(serverWith(), zeroState, { signal })).toEqual({ block: zeroState, genUtime: 0 });
  });

  it("accepts any head of its network in trust mode, and reads its header", async () => {
    const chain = makeChain({ proofs: "trust" });
    const server = serverWith(replyTo(getBlockHeader, headerOf(head)));
    expect(await chain.head(server, { signal })).toEqual({ block: head, genUtime: headTime });
    expect(server.names).toEqual(["getMasterchainInfo", "getBlockHeader"]);
    const forgery = serverWith(replyTo(getBlockHeader, { ...headerOf(head), headerProof: new Uint8Array(0) }));
    await expect(makeChain({ proofs: "trust" }).head(forgery, { signal })).rejects.toMatchObject({
      code: "lite/proof",
    });
  });

  it("distinguishes blocks that differ only in their file hash", async () => {
    const chain = makeChain({ proofs: "trust" });
    const server = serverWith(replyTo(getBlockHeader, ({ id }) => ({ ...headerOf(head), id })));
    const other = { ...head, fileHash: "ab".repeat(32) as Hash };
    for (const block of [head, head, other, other]) await chain.prove(server, block, { signal });
    expect(server.names).toEqual(["getBlockHeader", "getBlockHeader"]);
  });
});
