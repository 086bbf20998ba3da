import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readLiteExchanges } from "../../../kit/lite/liteExchanges.ts";
import { findHeld, findOldest } from "../../../src/lite/pool/oldestBlock.ts";
import { Replayer } from "../../../src/lite/server/Replayer.ts";
import { FakeLite, findOnFake } from "../../kit/lite/FakeLite.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const { signal } = new AbortController();

function serverGoingBackTo(oldest: number, seqno = 50_000_000): FakeLite {
  const server = new FakeLite(new ManualClock(), seqno);
  server.oldest = oldest;
  return server;
}

/** The found block and the number of queries. */
async function find(server: FakeLite, known = server.find(-1)) {
  const asked: number[] = [];
  const counting: typeof findOnFake = (on, seqno, given) => {
    asked.push(seqno);
    return findOnFake(on, seqno, given);
  };
  const oldest = await findOldest(server, server.head, known, counting, signal);
  return { seqno: oldest?.seqno, queries: asked.length };
}

describe("the oldest block of a server", () => {
  it.each([2, 3, 1_000, 24_999_999, 25_000_000, 49_999_999, 50_000_000])(
    "is found by binary search: %i",
    async (oldest) => {
      const { seqno, queries } = await find(serverGoingBackTo(oldest));
      expect(seqno).toBe(oldest);
      expect(queries).toBeLessThanOrEqual(29);
    },
  );

  it("costs one query if it has everything, and few if nothing has changed", async () => {
    expect(await find(serverGoingBackTo(1))).toEqual({ seqno: 1, queries: 1 });
    const server = serverGoingBackTo(30_000_000);
    expect(await find(server, server.find(30_000_000))).toEqual({ seqno: 30_000_000, queries: 4 });
  });

  it("is searched again when the known one is gone", async () => {
    const server = serverGoingBackTo(30_000_000);
    const known = server.find(30_000_000);
    server.oldest = 30_010_000;
    expect((await find(server, known)).seqno).toBe(30_010_000);
  });

  it("is unknown if a server lacks even its head", async () => {
    expect((await find(serverGoingBackTo(60_000_000))).seqno).toBeUndefined();
  });

  it("is looked up with the answers of a real node", async () => {
    const path = join(import.meta.dirname, "../../fixtures/realnet/lite-answers.jsonl.gz");
    const lookups = readLiteExchanges(path).filter(({ group }) => group === "lookupBlock");
    const server = new Replayer(lookups.map((line) => JSON.stringify(line)).join("\n"));
    expect(await findHeld(server, 444, signal)).toEqual({ seqno: 444, genUtime: 1_794_705_424, startLt: 445_000_000n });
    expect(await findHeld(server, 0, signal)).toBeUndefined();
    await expect(findHeld(server, 12_345_678, signal)).rejects.toMatchObject({ code: "lite/record" });
  });
});
