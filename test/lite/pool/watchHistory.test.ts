import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../src/lib/random.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { noteHead, noteNoBlock } from "../../../src/lite/pool/health.ts";
import type { FindHeld } from "../../../src/lite/pool/oldestBlock.ts";
import { PoolMember } from "../../../src/lite/pool/PoolMember.ts";
import { watchHistory } from "../../../src/lite/pool/watchHistory.ts";
import { FakeLite, findOnFake, headAt } from "../../kit/lite/FakeLite.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const hourMs = 3_600_000;

function watch(find: FindHeld) {
  const clock = new ManualClock();
  const server = new FakeLite(clock, 100);
  const options = { maxInFlight: 1, maxWaiting: 1, onCondition: () => {} };
  const member = new PoolMember({ name: "a", address: "", server }, options);
  const controller = new AbortController();
  const ended = watchHistory(member, { clock, random: seededRandom(1), find }, hourMs, controller.signal);
  const work = () => member.update((health) => noteHead(health, headAt(100), 1, clock.monotonic()));
  return { clock, server, member, controller, ended, work };
}

describe("the history of a server", () => {
  it("is found soon after it works, and again every hour", async () => {
    const { clock, server, member, controller, ended, work } = watch(findOnFake);
    server.oldest = 30;
    await clock.advance(5_000);
    expect(member.health.oldest).toBeUndefined();
    work();
    await clock.advance(1_000);
    expect(member.health.oldest?.seqno).toBe(30);
    server.oldest = 50;
    await clock.advance(hourMs / 2);
    expect(member.health.oldest?.seqno).toBe(30);
    await clock.advance(hourMs);
    expect(member.health.oldest?.seqno).toBe(50);
    controller.abort();
    await ended;
    expect(clock.waiting).toBe(0);
  });

  it("is searched again when the server has pruned data", async () => {
    const { clock, server, member, work } = watch(findOnFake);
    work();
    await clock.advance(1_000);
    server.oldest = 70;
    member.update((health) => noteNoBlock(health, 60));
    await clock.advance(60_000);
    expect(member.health.oldest?.seqno).toBe(70);
  });

  it("is searched again later if it cannot be found", async () => {
    let failing = true;
    const { clock, member, work, controller, ended } = watch(async (server, seqno, signal) => {
      if (failing) throw new LiteError("lite/lost", "lost");
      return findOnFake(server, seqno, signal);
    });
    work();
    await clock.advance(10_000);
    expect(member.health.oldest).toBeUndefined();
    failing = false;
    await clock.advance(60_000);
    expect(member.health.oldest?.seqno).toBe(1);
    controller.abort();
    await ended;
  });
});
