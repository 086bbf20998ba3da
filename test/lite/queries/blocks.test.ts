import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readRoot, writeBoc } from "../../../src/cell/boc.ts";
import { checkBlockHeader, fetchBlockHeader } from "../../../src/lite/queries/blockHeader.ts";
import {
  checkBlockData,
  checkZeroState,
  fetchBlock,
  fetchChainBlock,
  fetchZeroState,
} from "../../../src/lite/queries/blocks.ts";
import { blockIdFromTl } from "../../../src/lite/queries/ids.ts";
import { getBlock, getBlockHeader, getState } from "../../../src/lite/tl/liteQueries.ts";
import { hashFromBytes } from "../../../src/model/Hash.ts";
import { findRecorded, listRecorded } from "../../kit/lite/recordedAnswer.ts";
import { replyTo, ScriptedLite } from "../../kit/lite/ScriptedLite.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const { signal } = new AbortController();

function sha256(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash("sha256").update(bytes).digest());
}

describe("a block", () => {
  const [first, second] = listRecorded(getBlock);
  if (first === undefined || second === undefined) throw new Error("no blocks recorded");
  const id = blockIdFromTl(first.args.id);

  it.each(listRecorded(getBlock))("as recorded has the bytes of its id: $args.id.seqno", ({ args, answer }) => {
    const { info, bytes, root } = checkBlockData(blockIdFromTl(args.id), answer);
    expect([info.seqno, bytes.length]).toEqual([args.id.seqno, answer.data.length]);
    expect(root.hash()).toBe(hashFromBytes(args.id.rootHash));
  });

  it("has exactly the bytes of its id", () => {
    const same = writeBoc(readRoot(first.answer.data));
    for (const data of [same, second.answer.data, first.answer.data.subarray(1), new Uint8Array(0)])
      expect(refusalCode(() => checkBlockData(id, { ...first.answer, data }))).toBe("lite/proof");
    expect(refusalCode(() => checkBlockData(id, { ...first.answer, id: second.answer.id }))).toBe("lite/proof");
  });

  it("has the root and position of its id, even if the file hash is right", () => {
    const { rootHash } = second.args.id;
    for (const mutated of [
      { ...first.args.id, rootHash },
      { ...first.args.id, seqno: 77 },
    ]) {
      expect(refusalCode(() => checkBlockData(blockIdFromTl(mutated), { ...first.answer, id: mutated }))).toBe(
        "lite/proof",
      );
    }
  });

  it("whose id the chain names has exactly the bytes and the position of its id", async () => {
    const fetchAs = (args: typeof first.args, answer: typeof first.answer) =>
      fetchChainBlock(new ScriptedLite([replyTo(getBlock, answer)]), blockIdFromTl(args.id), { signal });
    expect(await fetchAs(first.args, first.answer)).toEqual(checkBlockData(id, first.answer));
    const same = writeBoc(readRoot(first.answer.data));
    for (const data of [same, second.answer.data, first.answer.data.subarray(1), new Uint8Array(0)])
      await expect(fetchAs(first.args, { ...first.answer, data })).rejects.toMatchObject({ code: "lite/proof" });
    const moved = { ...first.args.id, seqno: 77 };
    for (const args of [first.args, { id: moved }])
      await expect(fetchAs(args, { ...first.answer, id: moved })).rejects.toMatchObject({ code: "lite/proof" });
  });

  it("whose file hash is that of bytes that are no bag is refused, too", async () => {
    const data = Buffer.from("no bag of cells");
    const odd = { ...first.args.id, fileHash: sha256(data) };
    const server = new ScriptedLite([replyTo(getBlock, { ...first.answer, id: odd, data })]);
    const fetched = fetchChainBlock(server, blockIdFromTl(odd), { signal });
    await expect(fetched).rejects.toMatchObject({ code: "lite/proof", data: { what: "block" } });
  });

  it("is requested by its id", async () => {
    const server = new ScriptedLite([replyTo(getBlock, first.answer), replyTo(getBlock, first.answer)]);
    expect((await fetchBlock(server, id, { signal })).id).toEqual(id);
    expect((await fetchChainBlock(server, id, { signal })).id).toEqual(id);
  });
});

describe("a zero state", () => {
  const { args, answer } = findRecorded(getState, (recordedAnswer) => recordedAnswer.args.id.seqno === 0);
  const id = blockIdFromTl(args.id);

  it("has the bytes and the root of its id", async () => {
    const server = new ScriptedLite([replyTo(getState, answer)]);
    expect((await fetchZeroState(server, id, { signal })).hash()).toBe(id.rootHash);
    const data = writeBoc(readRoot(answer.data), { crc: true });
    expect(refusalCode(() => checkZeroState(id, { ...answer, data }))).toBe("lite/proof");
    const named = { ...args.id, rootHash: args.id.fileHash };
    expect(refusalCode(() => checkZeroState(blockIdFromTl(named), { ...answer, id: named }))).toBe("lite/proof");
    const other = { ...args.id, fileHash: sha256(data) };
    expect(checkZeroState(blockIdFromTl(other), { ...answer, id: other, data }).hash()).toBe(id.rootHash);
  });

  it("is a state before the first block", () => {
    const later = { ...args.id, seqno: 1 };
    expect(refusalCode(() => checkZeroState(blockIdFromTl(later), { ...answer, id: later }))).toBe("lite/proof");
  });
});

describe("a block's header", () => {
  const headers = listRecorded(getBlockHeader);
  const [first] = headers;
  const other = headers.find(({ args }) => args.id.seqno !== first?.args.id.seqno);
  if (first === undefined || other === undefined) throw new Error("no headers recorded");
  const id = blockIdFromTl(first.args.id);

  it.each(headers)("as recorded is proved: $args.id.seqno, mode $args.mode", ({ args, answer }) => {
    const header = checkBlockHeader(blockIdFromTl(args.id), answer);
    expect([header.info.seqno, header.info.shard.workchain]).toEqual([args.id.seqno, args.id.workchain]);
  });

  it("is that of the requested block", () => {
    const { headerProof } = other.answer;
    expect(refusalCode(() => checkBlockHeader(id, { ...first.answer, headerProof }))).toBe("lite/proof");
    expect(refusalCode(() => checkBlockHeader(id, other.answer))).toBe("lite/proof");
    const moved = { ...first.args.id, seqno: 445 };
    expect(refusalCode(() => checkBlockHeader(blockIdFromTl(moved), { ...first.answer, id: moved }))).toBe(
      "lite/proof",
    );
  });

  it("is requested without the unused parts", async () => {
    const server = new ScriptedLite([replyTo(getBlockHeader, first.answer)]);
    expect(await fetchBlockHeader(server, id, { signal })).toEqual(checkBlockHeader(id, first.answer));
    expect(server.asked[0]?.args).toMatchObject({ mode: 0 });
  });
});
