import { describe, expect, it } from "vitest";
import { blockIdFromTl } from "../../../src/lite/queries/ids.ts";
import {
  checkLookup,
  checkLookupProof,
  type Lookup,
  lookUpClaimed,
  lookUpProven,
} from "../../../src/lite/queries/lookup.ts";
import { getBlockHeader, lookupBlock, lookupBlockWithProof } from "../../../src/lite/tl/liteQueries.ts";
import type { TlValue } from "../../../src/lite/tl/types.ts";
import { listRecorded } from "../../kit/lite/recordedAnswer.ts";
import { replyTo, ScriptedLite } from "../../kit/lite/ScriptedLite.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const { signal } = new AbortController();
const claimed = listRecorded(lookupBlock);
const proved = listRecorded(lookupBlockWithProof);

function lookupOf(args: Pick<TlValue<typeof lookupBlock>, "id" | "lt" | "utime">): Lookup {
  const place = { workchain: args.id.workchain, shard: BigInt.asUintN(64, args.id.shard) };
  if (args.lt !== undefined) return { ...place, by: "lt", lt: args.lt };
  return args.utime === undefined
    ? { ...place, by: "seqno", seqno: args.id.seqno }
    : { ...place, by: "time", at: args.utime };
}

function findProved(fits: (recordedAnswer: (typeof proved)[number]) => boolean) {
  const recordedAnswer = proved.find(fits);
  if (recordedAnswer === undefined) throw new Error("no such lookup is recorded");
  return {
    ...recordedAnswer,
    asked: lookupOf(recordedAnswer.args),
    reference: blockIdFromTl(recordedAnswer.args.mcBlockId),
  };
}

const isShard = ({ args }: (typeof proved)[number]) => args.id.workchain === 0;
const bySeqno = findProved((recordedAnswer) => isShard(recordedAnswer) && recordedAnswer.args.mode === 1);
const byLt = findProved((recordedAnswer) => isShard(recordedAnswer) && recordedAnswer.args.mode === 2);
const byTime = findProved((recordedAnswer) => isShard(recordedAnswer) && recordedAnswer.args.mode === 4);
const master = findProved((recordedAnswer) => !isShard(recordedAnswer) && recordedAnswer.args.mode === 1);

describe("a claimed lookup", () => {
  it.each(claimed)("as recorded gives a matching block: mode $args.mode, $note", ({ args, answer }) => {
    const { id, info } = checkLookup(lookupOf(args), answer);
    expect(id).toEqual(blockIdFromTl(answer.id));
    expect(info.seqno).toBe(id.seqno);
  });

  it("gives no other block", () => {
    const [first] = claimed;
    if (first === undefined) throw new Error("nothing recorded");
    const lookup = lookupOf(first.args);
    const { endLt, genUtime } = checkLookup(lookup, first.answer).info;
    const { workchain, shard } = lookup;
    const others: Lookup[] = [
      { workchain, shard, by: "seqno", seqno: first.args.id.seqno + 1 },
      { workchain: 0, shard, by: "seqno", seqno: first.args.id.seqno },
      { workchain, shard, by: "lt", lt: endLt + 1n },
      { workchain, shard, by: "time", at: genUtime + 1 },
    ];
    for (const other of others) expect(refusalCode(() => checkLookup(other, first.answer))).toBe("lite/proof");
    expect(checkLookup({ workchain, shard, by: "lt", lt: endLt }, first.answer).info.endLt).toBe(endLt);
    expect(checkLookup({ workchain, shard, by: "time", at: genUtime }, first.answer).info.genUtime).toBe(genUtime);
  });

  it("uses the requested shard as an account prefix", () => {
    const half = listRecorded(getBlockHeader).find(({ args }) => BigInt.asUintN(64, args.id.shard) === 0xcn << 60n);
    if (half === undefined) throw new Error("no block of half a workchain is recorded");
    const ask = (shard: bigint) => () =>
      checkLookup({ workchain: 0, shard, by: "seqno", seqno: half.args.id.seqno }, half.answer);
    for (const shard of [0x8n << 60n, 0xcn << 60n, 0xen << 60n, 0xffffffffffffffffn])
      expect(ask(shard)().id.seqno).toBe(half.args.id.seqno);
    for (const shard of [0x4n << 60n, 0x2n << 60n, 1n]) expect(refusalCode(ask(shard))).toBe("lite/proof");
  });

  it("is requested by seqno, logical time or time", async () => {
    const [first] = claimed;
    if (first === undefined) throw new Error("nothing recorded");
    const { workchain, shard } = lookupOf(first.args);
    const server = new ScriptedLite([replyTo(lookupBlock, first.answer)]);
    await lookUpClaimed(server, lookupOf(first.args), { signal });
    await lookUpClaimed(server, { workchain, shard, by: "lt", lt: 5n }, { signal });
    await lookUpClaimed(server, { workchain, shard, by: "time", at: 6 }, { signal });
    expect(server.asked.map(({ args }) => args)).toMatchObject([
      { mode: 1, id: { seqno: first.args.id.seqno } },
      { mode: 2, lt: 5n },
      { mode: 4, utime: 6 },
    ]);
  });
});

describe("a proved lookup", () => {
  it.each(proved)("as recorded is tied to the known block: mode $args.mode of $args.id.workchain", (recorded) => {
    const { args, answer } = recorded;
    const { id } = checkLookupProof(blockIdFromTl(args.mcBlockId), lookupOf(args), answer);
    expect(id).toEqual(blockIdFromTl(answer.id));
  });

  it("is tied to the known block and to no other", () => {
    for (const { answer, asked, reference } of [bySeqno, byLt, byTime, master]) {
      const other = { ...reference, rootHash: reference.fileHash };
      expect(refusalCode(() => checkLookupProof(other, asked, answer))).toBe("lite/proof");
      for (const part of ["clientMcStateProof", "mcBlockProof", "header"] as const) {
        expect(refusalCode(() => checkLookupProof(reference, asked, { ...answer, [part]: new Uint8Array(0) }))).toBe(
          "lite/proof",
        );
      }
    }
  });

  it("of a shard block needs its links, of a masterchain block none", () => {
    const { answer, asked, reference } = bySeqno;
    expect(refusalCode(() => checkLookupProof(reference, asked, { ...answer, shardLinks: [] }))).toBe("lite/proof");
    const { shardLinks } = answer;
    const forgery = { ...master.answer, shardLinks };
    expect(refusalCode(() => checkLookupProof(master.reference, master.asked, forgery))).toBe("lite/proof");
  });

  it("by time gives the first matching block", () => {
    for (const { answer, asked, reference } of [byLt, byTime]) {
      expect(refusalCode(() => checkLookupProof(reference, asked, { ...answer, prevHeader: answer.header }))).toBe(
        "lite/proof",
      );
      const earlier: Lookup = asked.by === "lt" ? { ...asked, lt: 1n } : { ...asked, by: "time", at: 1 };
      expect(() => checkLookupProof(reference, earlier, answer)).toThrow("an earlier block matches");
    }
  });

  it("by seqno gives that block", () => {
    const { answer, asked, reference } = bySeqno;
    const other: Lookup = { ...asked, by: "seqno", seqno: 1 };
    expect(refusalCode(() => checkLookupProof(reference, other, answer))).toBe("lite/proof");
  });

  it("is requested with the known block", async () => {
    const server = new ScriptedLite([replyTo(lookupBlockWithProof, byLt.answer)]);
    const { id } = await lookUpProven(server, byLt.reference, byLt.asked, { signal });
    expect(id).toEqual(blockIdFromTl(byLt.answer.id));
    expect(server.asked[0]?.args).toMatchObject({ mode: 2, mcBlockId: { seqno: byLt.reference.seqno } });
  });
});
