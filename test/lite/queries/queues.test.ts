import { describe, expect, it } from "vitest";
import { blockIdFromTl } from "../../../src/lite/queries/ids.ts";
import { checkQueueSize, fetchQueueSize, fetchQueueSizes } from "../../../src/lite/queries/queues.ts";
import { getBlockOutMsgQueueSize, getOutMsgQueueSizes } from "../../../src/lite/tl/liteQueries.ts";
import { findRecorded, listRecorded } from "../../kit/lite/recordedAnswer.ts";
import { replyTo, ScriptedLite } from "../../kit/lite/ScriptedLite.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const { signal } = new AbortController();
const proved = listRecorded(getBlockOutMsgQueueSize).filter(({ args }) => args.wantProof === true);
const full = proved.find(({ answer }) => answer.size > 0n);
const other = proved.find(({ answer }) => answer.size === 0n);
if (full === undefined || other === undefined) throw new Error("no queue sizes recorded");

describe("the size of a queue", () => {
  it.each(proved)("as recorded is proved: $answer.size after $args.id.seqno", ({ args, answer }) => {
    const block = blockIdFromTl(args.id);
    expect(checkQueueSize(block, answer)).toEqual({ block, size: Number(answer.size) });
  });

  it("is that of the state, with its proof", () => {
    const block = blockIdFromTl(full.args.id);
    const refusal = (change: object) => refusalCode(() => checkQueueSize(block, { ...full.answer, ...change }));
    expect(refusal({ size: full.answer.size + 1n })).toBe("lite/proof");
    expect(refusal({ size: 0n })).toBe("lite/proof");
    expect(refusal({ size: -full.answer.size })).toBe("lite/proof");
    expect(refusal({ proof: other.answer.proof, size: other.answer.size })).toBe("lite/proof");
    expect(refusal({ proof: undefined })).toBe("lite/proof");
    expect(refusal({ id: other.answer.id })).toBe("lite/proof");
  });

  it("is requested with its proof", async () => {
    const server = new ScriptedLite([replyTo(getBlockOutMsgQueueSize, full.answer)]);
    const { size } = await fetchQueueSize(server, blockIdFromTl(full.args.id), { signal });
    expect(size).toBe(Number(full.answer.size));
    expect(server.asked[0]?.args).toMatchObject({ mode: 1, wantProof: true });
  });

  it("of all shards is reported without proof", async () => {
    const { answer } = findRecorded(getOutMsgQueueSizes, ({ args }) => args.mode === 0);
    const server = new ScriptedLite([replyTo(getOutMsgQueueSizes, answer)]);
    const sizes = await fetchQueueSizes(server, undefined, { signal });
    expect(sizes.shards).toHaveLength(answer.shards.length);
    expect(sizes.limit).toBe(answer.extMsgQueueSizeLimit);
    await fetchQueueSizes(server, { workchain: 0, shard: 0x8000000000000000n }, { signal });
    expect(server.asked.map(({ args }) => args)).toMatchObject([{ mode: 0 }, { mode: 1, wc: 0, shard: -(2n ** 63n) }]);
  });
});
