import { describe, expect, it } from "vitest";
import { formatStatus, type IndexPosition, showStatus } from "../../../../src/app/service/parts/statusLine.ts";
import { StatusTerminal } from "../../../../src/app/terminal/StatusTerminal.ts";
import type { IndexerStatus, SegmentStatus } from "../../../../src/history/ingest/IndexStatus.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";
import { recordTerminal } from "../../../kit/suite/recordTerminal.ts";

const worker = (given: Partial<SegmentStatus>): SegmentStatus => ({
  ...{ kind: "follow", firstSeqno: 1, nextSeqno: 10, to: undefined, blocks: 9, transactions: 0 },
  ...{ blocksPerSecond: 0, transactionsPerSecond: 0, blocksLeft: 0, secondsLeft: undefined, failure: undefined },
  ...given,
});

const status = (kind: IndexerStatus["kind"], ...workers: readonly SegmentStatus[]): IndexerStatus => ({
  ...{ kind, workers, head: undefined, lastSeqno: undefined, lastUtime: undefined, lagSeconds: undefined },
  failure: undefined,
});

const shown = (index: IndexPosition | undefined) =>
  formatStatus([{ name: "localnet", headSeqno: 104, index, requestsPerSecond: 3 }]);

describe("the status line", () => {
  it.each<readonly [IndexPosition | undefined, string]>([
    [{ condition: "open", seqno: 104, status: status("following", worker({})) }, "block 104 · index 104 · 3 req/s"],
    [{ condition: "open", seqno: 90, status: undefined }, "block 104 · index 90 · 3 req/s"],
    [{ condition: "opening", seqno: undefined, status: undefined }, "block 104 · index opening · 3 req/s"],
    [{ condition: "away", seqno: 90, status: undefined }, "block 104 · index unavailable · 3 req/s"],
    [{ condition: "open", seqno: 90, status: status("failing") }, "block 104 · index 90 failing · 3 req/s"],
    [
      {
        condition: "open",
        seqno: 104,
        status: status(
          "catchingUp",
          worker({}),
          worker({ kind: "backfill", blocksLeft: 6_000, blocksPerSecond: 12.5, secondsLeft: 480 }),
        ),
      },
      "block 104 · index 104, 6000 left at 12.5 blocks/s, 8 min left · 3 req/s",
    ],
    [undefined, "block 104 · 3 req/s"],
  ])("of %j is %s", (index, line) => {
    expect(shown(index)).toBe(line);
  });

  it("names networks if there are several", () => {
    const facts = { headSeqno: -1, index: undefined, requestsPerSecond: 0 };
    const networks = ["mainnet", "mine"].map((name) => ({ ...facts, name }));
    expect(formatStatus(networks)).toBe("mainnet: no block yet · 0 req/s | mine: no block yet · 0 req/s");
  });

  it("counts the requests of the last second", async () => {
    const clock = new ManualClock();
    const inner = { ...recordTerminal(), isInteractive: true };
    let requests = 5;
    const source = { name: "localnet", headSeqno: () => 1, index: () => undefined, requests: () => requests };
    const hide = showStatus(() => [source], clock, new StatusTerminal(inner));
    requests += 3;
    await clock.advance(1_000);
    hide();
    expect(inner.written().split("\r\u001b[2K")).toEqual(["", "block 1 · 0 req/s", "block 1 · 3 req/s", ""]);
  });
});
