import { describe, expect, it } from "vitest";
import { type Candidate, choose } from "../../../src/lite/pool/choose.ts";
import {
  type Health,
  newHealth,
  noteBusy,
  noteError,
  noteFailure,
  noteHead,
  noteNoState,
  noteOldest,
  noteUnanswered,
  quarantine,
} from "../../../src/lite/pool/health.ts";
import { type Need, noNeed, type QueryPlace } from "../../../src/lite/tl/need.ts";
import { headAt } from "../../kit/lite/FakeLite.ts";

interface Named extends Candidate {
  readonly name: string;
}

function server(name: string, { ms = 10, seqno = 100, load = 0, access = "public" as const } = {}): Named {
  return { name, access, load, health: noteHead(newHealth(24), headAt(seqno), ms, 0) };
}

function changed(candidate: Named, change: (health: Health) => Health): Named {
  return { ...candidate, health: change(candidate.health) };
}

function goingBackTo(candidate: Named, seqno: number): Named {
  const oldest = { seqno, genUtime: 1_700_000_000 + seqno, startLt: BigInt(seqno) * 1_000n };
  return changed(candidate, (health) => noteOldest(health, oldest));
}

const about = (place: QueryPlace, atLeast = 0): Need => ({ ...noNeed, place, atLeast });

function names(servers: readonly Named[], need: Need = noNeed, { missed = false, access = "public" as const } = {}) {
  const asked = { need, access, newest: headAt(100), behindMs: 10_000, nowMs: 1_000, missed };
  return choose(asked, servers).map(({ name }) => name);
}

describe("choosing", () => {
  it("prefers the server that will probably answer first", () => {
    expect(names([server("slow", { ms: 50 }), server("fast")])).toEqual(["fast", "slow"]);
    expect(names([server("slow", { ms: 50 }), server("fast, with a line", { load: 10 })])[0]).toBe("slow");
    const silent = [1, 2, 3].reduce(
      (left) => changed(left, (health) => noteUnanswered(health, 60, 0)),
      server("silent"),
    );
    expect(names([silent, server("slow", { ms: 100, load: 3 })])[0]).toBe("slow");
    const failing = [1, 2, 3, 4, 5].reduce((failed) => changed(failed, noteError), server("failing"));
    expect(names([failing, server("sound", { ms: 20 })])[0]).toBe("sound");
  });

  it("excludes servers that are down or quarantined, and private ones unless they are allowed", () => {
    const servers = [
      changed(server("down"), (health) => noteFailure(health, "refused", 0)),
      changed(server("liar"), (health) => quarantine(health, "badProof", 0)),
      { ...server("private"), access: "private" as const },
      server("good"),
    ];
    expect(names(servers)).toEqual(["good"]);
    const asked = { need: noNeed, newest: headAt(100), behindMs: 10_000, nowMs: 1_000, missed: false };
    expect(choose({ ...asked, access: "private" }, servers).map(({ name }) => name)).toEqual(["private", "good"]);
  });

  it("ranks servers that are busy, behind or starting last, and keeps them", () => {
    const servers: Named[] = [
      changed(server("busy", { ms: 1 }), (health) => noteBusy(health, 950)),
      { name: "starting", access: "public", load: 0, health: newHealth(24) },
      server("behind", { ms: 1, seqno: 80 }),
      server("good", { ms: 500 }),
    ];
    expect(names(servers)).toEqual(["good", "behind", "starting", "busy"]);
  });

  it("chooses for a block among servers that have reached it, behind or not", () => {
    const servers = [server("behind", { ms: 1, seqno: 80 }), server("ahead", { ms: 500 })];
    expect(names(servers, about({ kind: "block", seqno: 90 }, 90))).toEqual(["ahead", "behind"]);
    expect(names(servers, about({ kind: "block", seqno: 80 }, 80))).toEqual(["behind", "ahead"]);
  });

  const archive = goingBackTo(server("archive", { ms: 500 }), 1);
  const pruned = goingBackTo(server("pruned", { ms: 1 }), 60);
  const unknown = server("unknown", { ms: 1, seqno: 5_000 });

  it.each<[string, Need]>([
    ["a block", about({ kind: "block", seqno: 59 }, 59)],
    ["a state", about({ kind: "state", seqno: 59 }, 59)],
    ["a logical time", about({ kind: "lt", lt: 59_999n })],
    ["a time", about({ kind: "time", at: 1_700_000_059 })],
  ])("sends queries about old %s to a server that has them", (_what, need) => {
    expect(names([pruned, unknown, archive], need)).toEqual(["archive", "unknown"]);
  });

  it.each<[string, Need]>([
    ["a block", about({ kind: "block", seqno: 60 }, 60)],
    ["a state", about({ kind: "state", seqno: 60 }, 60)],
    ["a logical time", about({ kind: "lt", lt: 60_000n })],
    ["a time", about({ kind: "time", at: 1_700_000_060 })],
  ])("sends queries about common %s to the fastest", (_what, need) => {
    expect(names([archive, pruned], need)).toEqual(["pruned", "archive"]);
  });

  it("distinguishes states that are gone from blocks that still exist", () => {
    const stateless = changed(pruned, (health) => noteNoState(health, 70));
    expect(names([archive, stateless], about({ kind: "state", seqno: 70 }, 70))).toEqual(["archive"]);
    expect(names([archive, stateless], about({ kind: "block", seqno: 70 }, 70))).toEqual(["pruned", "archive"]);
  });

  it("uses a server that should lack the data if there is no other", () => {
    expect(names([pruned], about({ kind: "block", seqno: 5 }, 5))).toEqual(["pruned"]);
  });

  it("prefers the longest history once a server lacks data of unknown age", () => {
    const shard = about({ kind: "shard" });
    expect(names([archive, pruned], shard)).toEqual(["pruned", "archive"]);
    expect(names([archive, pruned], shard, { missed: true })).toEqual(["archive", "pruned"]);
  });

  it("assumes the newest blocks everywhere before a server's history is known", () => {
    const near = server("near", { seqno: 2_000 });
    expect(
      names(
        [goingBackTo(server("archive", { ms: 500, seqno: 2_000 }), 1), near],
        about({ kind: "block", seqno: 1_500 }),
      ),
    ).toEqual(["near", "archive"]);
  });
});
