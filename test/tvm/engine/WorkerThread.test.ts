import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigTexts } from "../../../src/tvm/engine/ConfigTexts.ts";
import { compileMachine } from "../../../src/tvm/engine/compileMachine.ts";
import { makeGetMethodJob } from "../../../src/tvm/engine/jobs.ts";
import { WorkerThread } from "../../../src/tvm/engine/WorkerThread.ts";
import { fakeJob } from "../../kit/tvm/FakeThread.ts";
import { drop, makeCode, makeGetMethodRun, readSmallConfig } from "../../kit/tvm/tvmValues.ts";

const module = await compileMachine();
const { whole } = new ConfigTexts().get(readSmallConfig());
const job = makeGetMethodJob(makeGetMethodRun(makeCode(drop)), { config: whole, previousBlocks: undefined }, new Map());

describe("a worker thread", () => {
  let thread: WorkerThread;
  beforeEach(() => {
    thread = new WorkerThread(Promise.resolve(module));
  });
  afterEach(() => thread.destroy(new Error("the test is over")));

  it("runs jobs one after the other", async () => {
    await thread.opened;
    for (let count = 0; count < 3; count++)
      expect(await thread.run(job)).toMatchObject({ output: { success: true, vm_exit_code: 0 }, log: "" });
    expect(thread.isUsable).toBe(true);
  });

  it("forgets the configurations used longest ago and takes them anew", async () => {
    await thread.opened;
    for (let round = 0; round < 2; round++) {
      for (let number = 0; number < 10; number++) {
        const config = { ...whole, key: `configuration ${number}` };
        expect(await thread.run({ ...job, config })).toMatchObject({ output: { success: true } });
      }
    }
  });

  it("refuses bad input and goes on", async () => {
    await thread.opened;
    const bad = { ...job, config: { key: "bad", boc: "" } };
    await expect(thread.run(bad)).rejects.toMatchObject({ code: "tvm/input" });
    expect(thread.isUsable).toBe(true);
    expect(await thread.run(job)).toMatchObject({ output: { success: true } });
  });

  it("is unusable once its machine broke", async () => {
    await thread.opened;
    const untold = { ...job, config: { key: "never told", boc: undefined } };
    await expect(thread.run(untold)).rejects.toMatchObject({ code: "tvm/crash" });
    expect(thread.isUsable).toBe(false);
    await expect(thread.run(job)).rejects.toMatchObject({ code: "tvm/crash" });
  });

  it("fails to open, and to run, with the reason it was destroyed for", async () => {
    const reason = new Error("no longer needed");
    thread.destroy(reason);
    await expect(thread.opened).rejects.toBe(reason);
    await expect(thread.run(fakeJob)).rejects.toBe(reason);
  });
});
