import { describe, expect, it } from "vitest";
import { makeMerkleProof } from "../../../kit/cell/merkleProofs.ts";
import { readRoot, writeBoc } from "../../../src/cell/boc.ts";
import { makeProofCell, makePruned } from "../../../src/cell/exotic.ts";
import { checkConfig, checkConfigParams, fetchConfig, fetchConfigParams } from "../../../src/lite/queries/config.ts";
import { blockIdFromTl } from "../../../src/lite/queries/ids.ts";
import { getConfigAll, getConfigParams } from "../../../src/lite/tl/liteQueries.ts";
import { findConfigParam, getConfigParam } from "../../../src/model/config/ConfigParams.ts";
import { findRecorded, listRecorded } from "../../kit/lite/recordedAnswer.ts";
import { replyTo, ScriptedLite } from "../../kit/lite/ScriptedLite.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const { signal } = new AbortController();
const whole = findRecorded(getConfigAll, ({ args }) => args.mode === 0);
const prices = findRecorded(getConfigParams, ({ args }) => args.paramList.includes(24));
const workchains = findRecorded(getConfigParams, ({ args }) => args.paramList.includes(12));
const block = blockIdFromTl(whole.args.id);

describe("the configuration", () => {
  it("as recorded is proved as a whole", () => {
    const { config, header } = checkConfig(block, whole.answer);
    expect(header.seqno).toBe(block.seqno);
    expect(getConfigParam(config, 34).main).toBe(1);
    expect(config.params.count()).toBe(28);
  });

  it.each(listRecorded(getConfigParams))("as recorded is proved for $note", ({ args, answer }) => {
    const { config } = checkConfigParams(blockIdFromTl(args.id), args.paramList, answer);
    for (const id of args.paramList) config.params.find(id);
  });

  it("is complete if all of it is requested", () => {
    expect(refusalCode(() => checkConfig(block, prices.answer))).toBe("lite/proof");
    const body = readRoot(whole.answer.configProof).ref(0);
    const left = checkConfig(block, whole.answer).config.params.find(34)?.hash();
    const configProof = writeBoc(makeMerkleProof(body, (cell) => cell.hash(0) !== left));
    expect(refusalCode(() => checkConfig(block, { ...whole.answer, configProof }))).toBe("lite/proof");
  });

  it("has every requested parameter completely, or is proved to lack it", () => {
    const ask = (ids: readonly number[]) => checkConfigParams(block, ids, prices.answer);
    expect(findConfigParam(ask([24, 25]).config, 25)?.lumpPrice).toBeGreaterThan(0n);
    expect(refusalCode(() => ask([24, 34]))).toBe("lite/proof");
    const root = readRoot(prices.answer.configProof);
    const param = ask([24]).config.params.find(24);
    if (param === undefined) throw new Error("no prices");
    const body = makeMerkleProof(root.ref(0), (cell) => cell !== param && cell.refCount > 0);
    const bare = { ...prices.answer, configProof: writeBoc(body) };
    expect(checkConfigParams(block, [24], bare).config.params.find(24)?.hash()).toBe(param.hash());
    const without = { ...prices.answer, configProof: writeBoc(makeProofCell(makePruned(root.ref(0), 1))) };
    expect(refusalCode(() => checkConfigParams(block, [], without))).toBe("lite/proof");
    const missing = findRecorded(getConfigParams, ({ args }) => args.paramList.includes(999));
    expect(checkConfigParams(block, [999], missing.answer).config.params.find(999)).toBeUndefined();
  });

  it("is that of the requested block, which is in the masterchain", () => {
    const earlier = findRecorded(getConfigParams, ({ args }) => args.id.seqno !== block.seqno);
    const { stateProof, configProof } = earlier.answer;
    const forgeries = [{ stateProof }, { configProof }, { stateProof, configProof }, { id: earlier.answer.id }];
    for (const forgery of forgeries)
      expect(refusalCode(() => checkConfigParams(block, [4], { ...workchains.answer, ...forgery }))).toBe("lite/proof");
    const shard = { ...whole.args.id, workchain: 0 };
    expect(refusalCode(() => checkConfig(blockIdFromTl(shard), { ...whole.answer, id: shard }))).toBe("lite/proof");
    expect(refusalCode(() => checkConfig(block, { ...whole.answer, stateProof: new Uint8Array(0) }))).toBe(
      "lite/proof",
    );
  });

  it("is requested as a whole or by ids", async () => {
    const server = new ScriptedLite([replyTo(getConfigAll, whole.answer), replyTo(getConfigParams, prices.answer)]);
    expect((await fetchConfig(server, block, { signal })).block).toEqual(block);
    expect((await fetchConfigParams(server, block, [24, 25], { signal })).block).toEqual(block);
    await expect(fetchConfigParams(server, block, [34], { signal })).rejects.toMatchObject({ code: "lite/proof" });
    expect(server.asked.map(({ args }) => args)).toMatchObject([{ mode: 0 }, { paramList: [24, 25] }, {}]);
  });
});
