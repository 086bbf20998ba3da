import { afterAll, expect, it } from "vitest";
import { systemClock } from "../../../src/lib/clock.ts";
import { callHeavy, type HeavyCall } from "../../../src/tvm/crypto/heavyFunctions.ts";
import { CryptoThread } from "../../../src/tvm/thread/CryptoThread.ts";

const thread = new CryptoThread(systemClock);
afterAll(() => thread.close());

const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i);
const multiply: HeavyCall = { name: "ristrettoMultiplyBase", args: [12_345n] };
const calls: readonly HeavyCall[] = [
  multiply,
  { name: "isRistrettoElement", args: [bytes(32)] },
  { name: "recoverPublicKey", args: [bytes(32), { r: bytes(32), s: bytes(32), v: 1 }] },
  { name: "G1.map", args: [bytes(48)] },
  { name: "G2.zero", args: [] },
  { name: "verifyBls", args: [bytes(48), bytes(3), bytes(96)] },
  { name: "isPairingOne", args: [[[bytes(48), bytes(96)]]] },
];

it("returns the same results as on this thread", async () => {
  const answers = await Promise.all(calls.map((call) => thread.call("a", call)));
  expect(answers.map(({ value }) => value)).toEqual(calls.map(callHeavy));
  expect(answers.every(({ spentMs }) => spentMs >= 0)).toBe(true);
});

it("computes for callers in turn", async () => {
  const order: string[] = [];
  const ask = async (caller: string) => {
    await thread.call(caller, multiply);
    order.push(caller);
  };
  const flood = Array.from({ length: 10 }, () => ask("flood"));
  await ask("other");
  // The first call was already running; each other caller adds one turn.
  expect(order.length).toBeLessThanOrEqual(3);
  await Promise.all(flood);
});

it("fails a call that crashes it, and computes the next one", async () => {
  const broken = thread.call("a", { name: "ristrettoMultiplyBase", args: ["no number"] });
  const next = thread.call("a", multiply);
  await expect(broken).rejects.toMatchObject({ code: "tvm/crash" });
  expect((await next).value).toEqual(callHeavy(multiply));
});

it("lets a caller abort", async () => {
  const controller = new AbortController();
  const kept = thread.call("a", multiply);
  const left = thread.call("a", multiply, controller.signal);
  controller.abort();
  await expect(left).rejects.toMatchObject({ code: "lib/aborted" });
  await expect(thread.call("a", multiply, controller.signal)).rejects.toMatchObject({ code: "lib/aborted" });
  expect((await kept).value).toEqual(callHeavy(multiply));
});
