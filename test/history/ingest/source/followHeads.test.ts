import { describe, expect, it } from "vitest";
import { followHeads } from "../../../../src/history/ingest/source/followHeads.ts";
import { systemClock } from "../../../../src/lib/clock.ts";
import { masterchain, wholeShard } from "../../../../src/model/block/BlockId.ts";
import type { Hash } from "../../../../src/model/Hash.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";

const hash = "0".repeat(64) as Hash;
const head = (seqno: number) => ({
  block: { workchain: masterchain, shard: wholeShard, seqno, rootHash: hash, fileHash: hash },
  genUtime: seqno,
});

/** A network that reports new heads on request. */
function openHeads() {
  const reported: ReturnType<typeof head>[] = [];
  let wake = () => {};
  return {
    heads: async function* () {
      for (;;) {
        for (let next = reported.shift(); next !== undefined; next = reported.shift()) yield next;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    report: (seqno: number) => {
      reported.push(head(seqno));
      wake();
    },
  };
}

describe("the heads of a network", () => {
  it("are waited for by seqno, and known afterwards", async () => {
    const network = openHeads();
    const { signal } = new AbortController();
    const heads = followHeads(network, systemClock, signal);
    const waiting = [heads.reach(1, signal), heads.reach(5, signal), heads.reach(7, signal)];
    network.report(3);
    network.report(6);
    expect((await waiting[0])?.seqno).toBe(3);
    expect((await waiting[1])?.seqno).toBe(6);
    network.report(7);
    expect((await waiting[2])?.seqno).toBe(7);
    expect((await heads.reach(2, signal)).seqno).toBe(7);
  });

  it("are requested again when a network has none yet", async () => {
    const clock = new ManualClock();
    const network = openHeads();
    let isReady = false;
    const late = {
      heads: () => {
        if (!isReady) throw new Error("no block yet");
        return network.heads();
      },
    };
    const stop = new AbortController();
    const waiting = followHeads(late, clock, stop.signal).reach(1, stop.signal);
    isReady = true;
    network.report(4);
    await clock.advance(1_000);
    expect((await waiting).seqno).toBe(4);
    stop.abort();
  });

  it("are awaited only until the caller aborts", async () => {
    const leaving = new AbortController();
    const waiting = followHeads(openHeads(), systemClock, new AbortController().signal).reach(1, leaving.signal);
    leaving.abort();
    await expect(waiting).rejects.toMatchObject({ code: "lib/aborted" });
  });
});
