import { describe, expect, it } from "vitest";
import { emptyCell } from "../../../src/cell/Builder.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import { cell, loadCell } from "../../../src/cell/codec.ts";
import { Dictionary } from "../../../src/cell/dictionary.ts";
import { hashKey } from "../../../src/cell/keys.ts";
import { fromBase64 } from "../../../src/lib/bytes.ts";
import { coinsOnly } from "../../../src/model/Currency.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import { VmStackValue } from "../../../src/model/vm/VmStack.ts";
import { makeGetMethodJob, makeTickTockJob, makeTransactionJob } from "../../../src/tvm/engine/jobs.ts";
import {
  makeActiveAccount,
  makeCode,
  makeExternalMessage,
  makeGetMethodRun,
  readSmallConfig,
  testAddress,
  testNow,
} from "../../kit/tvm/tvmValues.ts";

const shared = { config: { key: "test", boc: "" }, previousBlocks: undefined };
const code = makeCode("30");

function librariesOf(text: string): string[] {
  return new Dictionary(readRoot(fromBase64(text)), hashKey, cell).keys();
}

describe("a job for the machine", () => {
  it("names a method by its number and all currencies in one field", () => {
    const extra = coinsOnly(0n).extra.set(1, 10n).set(2, 20n).set(3, 30n);
    const run = makeGetMethodRun(code, { method: "seqno", balance: { coins: 5n, extra } });
    expect(JSON.parse(makeGetMethodJob(run, shared, new Map()).parameters)).toMatchObject({
      method_id: 85143,
      balance: "5",
      extra_currencies: { "1": "10 2=20 3=30" },
      libs: "",
      gas_limit: "1000000",
    });
  });

  it("sets everything that the machine would keep from the run before", () => {
    const account = makeActiveAccount(testAddress, code);
    const run = { config: readSmallConfig(), now: testNow, lt: 7n, randomSeed: zeroHash, account };
    const message = makeExternalMessage(testAddress);
    const job = makeTransactionJob({ ...run, message }, shared, new Map([[code.hash(), code]]));
    expect(JSON.parse(job.parameters)).toEqual({
      utime: testNow,
      lt: "7",
      rand_seed: zeroHash,
      ignore_chksig: false,
      debug_enabled: false,
    });
    expect(loadCell(VmStackValue, readRoot(fromBase64(job.previousBlocks?.boc ?? "")))).toEqual({ kind: "null" });
    expect(librariesOf(job.libraries).sort()).toEqual([zeroHash, code.hash()].sort());
    expect(readRoot(fromBase64(job.message)).hash()).toBe(message.hash());
    const tock = makeTickTockJob({ ...run, which: "tock", signatures: "ignore" }, shared, new Map());
    expect(JSON.parse(tock.parameters)).toMatchObject({ is_tick_tock: true, is_tock: true, ignore_chksig: true });
    expect([librariesOf(tock.libraries), tock.message]).toEqual([[zeroHash], ""]);
    expect(emptyCell.hash()).not.toBe(zeroHash);
  });
});
