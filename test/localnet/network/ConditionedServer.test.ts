import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../src/lib/random.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { getTime, sendMessage } from "../../../src/lite/tl/liteQueries.ts";
import { serverError } from "../../../src/lite/tl/liteRecords.ts";
import { encodeQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { decode, encode } from "../../../src/lite/tl/types.ts";
import { ConditionedServer } from "../../../src/localnet/network/ConditionedServer.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const good = { delayMs: 0, refused: 0, dropped: 0, lost: 0 };
const time = encode(getTime.answer.boxed, { now: 7 });

function open() {
  const asked: Uint8Array[] = [];
  const server: LiteServer = {
    ask: async (query) => {
      asked.push(query);
      return time;
    },
    close: async () => {},
    destroy: () => {},
  };
  const clock = new ManualClock();
  const conditioned = new ConditionedServer(server, { clock, random: seededRandom("conditions") });
  const stop = new AbortController();
  const ask = (query = encodeQuery(getTime, {})) => conditioned.ask(query, { signal: stop.signal });
  return { asked, clock, conditioned, stop, ask };
}

describe("a network in bad conditions", () => {
  it("delays every query", async () => {
    const { conditioned, clock, asked, ask } = open();
    conditioned.setConditions({ ...good, delayMs: 500 });
    const answer = ask();
    await clock.advance(499);
    expect(asked).toHaveLength(0);
    await clock.advance(1);
    expect(await answer).toEqual(time);
  });

  it("refuses a share of the queries", async () => {
    const { conditioned, ask } = open();
    conditioned.setConditions({ ...good, refused: 30 });
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask()));
    const refused = answers.filter((answer) => answer !== time);
    expect(refused.length).toBeGreaterThan(40);
    expect(refused.length).toBeLessThan(80);
    const message = "refused by the network conditions";
    expect(decode(serverError.boxed, refused[0] ?? time)).toMatchObject({ message });
    conditioned.setConditions(good);
    expect(await ask()).toEqual(time);
  });

  it("drops queries, which end with their signal", async () => {
    const { conditioned, asked, stop, ask } = open();
    conditioned.setConditions({ ...good, dropped: 100 });
    const answer = ask();
    const reason = new Error("enough");
    stop.abort(reason);
    await expect(answer).rejects.toBe(reason);
    await expect(ask()).rejects.toBe(reason);
    expect(asked).toHaveLength(0);
  });

  it("accepts messages and loses them", async () => {
    const { conditioned, asked, ask } = open();
    conditioned.setConditions({ ...good, lost: 100 });
    const answer = await ask(encodeQuery(sendMessage, { body: new Uint8Array(4) }));
    expect(decode(sendMessage.answer.boxed, answer)).toEqual({ status: 1 });
    expect(asked).toHaveLength(0);
    expect(await ask()).toEqual(time);
  });
});
