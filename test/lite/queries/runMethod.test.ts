import { describe, expect, it } from "vitest";
import { checkRun, runRemotely } from "../../../kit/lite/queries/runMethod.ts";
import { emptyCell } from "../../../src/cell/Builder.ts";
import { toHex } from "../../../src/lib/bytes.ts";
import { blockIdFromTl } from "../../../src/lite/queries/ids.ts";
import { getAccountState, runSmcMethod } from "../../../src/lite/tl/liteQueries.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { findRecorded, listRecorded } from "../../kit/lite/recordedAnswer.ts";
import { replyTo, ScriptedLite } from "../../kit/lite/ScriptedLite.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const { signal } = new AbortController();
const runs = listRecorded(runSmcMethod);
const proved = runs.filter(({ args }) => (args.mode & 1) !== 0);
const run = findRecorded(runSmcMethod, ({ args }) => args.mode === 7);
const block = blockIdFromTl(run.args.id);
const address = makeAddress(run.args.account.workchain, toHex(run.args.account.id));

describe("a remote run", () => {
  it.each(proved)("as recorded ran on the proved state: $note", ({ args, answer }) => {
    const account = makeAddress(args.account.workchain, toHex(args.account.id));
    const { shardBlock, exitCode, stack } = checkRun(blockIdFromTl(args.id), account, answer);
    expect(shardBlock).toEqual(blockIdFromTl(answer.shardblk));
    expect(exitCode).toBe(answer.exitCode);
    expect(stack === undefined).toBe(answer.result === undefined || answer.result.length === 0);
  });

  it("has the requested proofs", () => {
    for (const part of ["shardProof", "proof"]) {
      for (const value of [undefined, new Uint8Array(0)])
        expect(refusalCode(() => checkRun(block, address, { ...run.answer, [part]: value }))).toBe("lite/proof");
    }
  });

  it("is about the requested account and block", () => {
    const other = makeAddress(0, "12".repeat(32));
    expect(refusalCode(() => checkRun(block, other, run.answer))).toBe("lite/proof");
    expect(refusalCode(() => checkRun({ ...block, seqno: 1 }, address, run.answer))).toBe("lite/proof");
    const { answer } = findRecorded(getAccountState, ({ args }) => args.account.workchain === 9);
    const { shardblk, shardProof, id } = answer;
    const nowhere = { ...run.answer, id, shardblk, shardProof, proof: new Uint8Array(0) };
    expect(checkRun(blockIdFromTl(id), makeAddress(9, "12".repeat(32)), nowhere).shardBlock).toBeUndefined();
    expect(refusalCode(() => checkRun(blockIdFromTl(id), address, nowhere))).toBe("lite/proof");
  });

  it("is requested with proofs and the result", async () => {
    const server = new ScriptedLite([replyTo(runSmcMethod, run.answer)]);
    const call = { methodId: 85143n, stack: emptyCell };
    expect((await runRemotely(server, block, address, call, { signal })).exitCode).toBe(run.answer.exitCode);
    expect(server.asked[0]?.args).toMatchObject({ mode: 5, methodId: 85143n });
    const bare = new ScriptedLite([
      replyTo(runSmcMethod, findRecorded(runSmcMethod, (recordedAnswer) => recordedAnswer.args.mode === 4).answer),
    ]);
    await expect(runRemotely(bare, block, address, call, { signal })).rejects.toMatchObject({ code: "lite/proof" });
  });
});
