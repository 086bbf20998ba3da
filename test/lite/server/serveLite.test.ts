import { describe, expect, it } from "vitest";
import { readLiteExchanges } from "../../../kit/lite/liteExchanges.ts";
import { fromHex, toBase64 } from "../../../src/lib/bytes.ts";
import type { AdnlPeer } from "../../../src/lite/adnl/AdnlInbound.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { findServerError, type LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { serveLite } from "../../../src/lite/server/serveLite.ts";
import { getTime } from "../../../src/lite/tl/liteQueries.ts";
import { currentTime } from "../../../src/lite/tl/liteRecords.ts";
import { decodeQuery, encodeQuery, wrapQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { encode } from "../../../src/lite/tl/types.ts";
import { isBad } from "../../kit/lite/checkExchange.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const peer: AdnlPeer = { host: "127.0.0.1", port: 1, sessionKey: new Uint8Array(32), shownKey: undefined };
const { signal } = new AbortController();
const time = wrapQuery(encodeQuery(getTime, {}));

function answering(ask: LiteServer["ask"]): LiteServer {
  return { ask, close: async () => {}, destroy: () => {} };
}

/** A server that accepts every query and answers each with the time. */
const understanding = answering(async (bytes) => {
  decodeQuery(bytes);
  return encode(currentTime.boxed, { now: 5 });
});

describe("serveLite", () => {
  it("passes the query without its envelope, and returns the answer", async () => {
    const handler = serveLite(understanding, new ManualClock());
    expect(await handler(time, peer, signal)).toEqual(encode(currentTime.boxed, { now: 5 }));
  });

  it("answers the recorded bad queries like the reference", async () => {
    const handler = serveLite(understanding, new ManualClock());
    const bad = readLiteExchanges("test/fixtures/realnet/lite-answers.jsonl.gz").filter(isBad);
    for (const { request, response } of bad) {
      const answer = await handler(fromHex(request), peer, signal);
      expect(answer === undefined ? null : toBase64(answer)).toBe(response);
    }
  });

  it.each([
    ["no server left", new LiteError("lite/none", "nobody is there"), { code: 651, message: "nobody is there" }],
    ["a server that took too long", new LiteError("lite/timeout", "slow"), { code: 652, message: "timeout" }],
    ["a bug", new TypeError("secret details"), { code: 651, message: "internal error" }],
  ])("answers %s with an error", async (_, error, expected) => {
    const handler = serveLite(
      answering(() => Promise.reject(error)),
      new ManualClock(),
    );
    const answer = await handler(time, peer, signal);
    expect(findServerError(answer ?? new Uint8Array(0))).toEqual(expected);
  });

  it("answers with an error at the timeout", async () => {
    const clock = new ManualClock();
    const silent = answering(
      (_, options) =>
        new Promise((_resolve, reject) => {
          options.signal.addEventListener("abort", () => reject(options.signal.reason));
        }),
    );
    const answer = serveLite(silent, clock, { timeoutMs: 1_000 })(time, peer, signal);
    await clock.advance(1_000);
    expect(findServerError((await answer) ?? new Uint8Array(0))).toEqual({ code: 652, message: "timeout" });
  });
});
