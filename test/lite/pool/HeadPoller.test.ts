import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../src/lib/random.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { HeadPoller } from "../../../src/lite/pool/HeadPoller.ts";
import type { ServerHead } from "../../../src/lite/pool/health.ts";
import { PoolMember } from "../../../src/lite/pool/PoolMember.ts";
import type { FetchHead } from "../../../src/lite/pool/PoolModules.ts";
import { FakeLite, headAt } from "../../kit/lite/FakeLite.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const over = new LiteError("lite/closed", "the test is over");

function makePoller(clock: ManualClock, head: FetchHead) {
  const reported: number[] = [];
  const failed: unknown[] = [];
  const member = new PoolMember(
    { name: "a", address: "", server: new FakeLite(clock) },
    { maxInFlight: 1, maxWaiting: 1, onCondition: () => {} },
  );
  const poller = new HeadPoller(
    member,
    { clock, random: { ...seededRandom(1), next: () => 1 }, head },
    {
      pollMs: 500,
      headTimeoutMs: 2_000,
      onHead: (_member, { block }) => reported.push(block.seqno),
      onFailure: (_member, error) => failed.push(error),
    },
  );
  poller.start();
  return { poller, reported, failed, member };
}

/** Returns a head after the given delays, one per query. */
function reporting(clock: ManualClock, delaysMs: readonly number[]): FetchHead {
  let asked = 0;
  return async (_server, signal): Promise<ServerHead> => {
    const seqno = asked++;
    await clock.sleep(delaysMs[seqno] ?? 0, signal);
    return headAt(seqno);
  };
}

describe("HeadPoller", () => {
  it("polls regularly", async () => {
    const clock = new ManualClock();
    const { reported, poller } = makePoller(clock, reporting(clock, []));
    await clock.advance(1_600);
    expect(reported).toEqual([0, 1, 2, 3]);
    poller.stop(over);
    expect(clock.waiting).toBe(0);
  });

  it("does not wait for an answer before the next poll, and ignores old answers", async () => {
    const clock = new ManualClock();
    const { reported, failed, member } = makePoller(clock, reporting(clock, [1_200, 1_900, 1, 5_000, 5_000]));
    await clock.advance(999);
    expect(member.health.latency.averageMs).toBe(500);
    await clock.advance(1_000);
    expect([reported, failed]).toEqual([[2], []]);
  });

  it("reports a missing head after its timeout", async () => {
    const clock = new ManualClock();
    const { failed, poller } = makePoller(clock, reporting(clock, [5_000, 5_000, 5_000, 5_000, 5_000]));
    await clock.advance(2_000);
    expect(failed).toMatchObject([{ code: "lib/deadline" }]);
    poller.stop(over);
    await clock.advance(0);
    expect([failed.length, clock.waiting]).toEqual([1, 0]);
  });

  it("polls a connection in its failure delay as soon as possible", async () => {
    const clock = new ManualClock();
    const askedMs: number[] = [];
    makePoller(clock, async () => {
      askedMs.push(clock.monotonic());
      throw new LiteError("lite/refused", "refused", { data: { retryInMs: askedMs.length * 200 } });
    });
    await clock.advance(1_200);
    expect(askedMs).toEqual([0, 200, 600, 1_100]);
  });

  it("polls sooner when it is nudged, but not too often", async () => {
    const clock = new ManualClock();
    const { reported, poller } = makePoller(clock, reporting(clock, []));
    await clock.advance(10);
    for (let nudge = 0; nudge < 5; nudge++) {
      poller.nudge();
      await clock.advance(20);
    }
    expect(reported).toEqual([0, 1, 2]);
  });
});
