import { EventEmitter, once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { defaultAnswerLimits } from "../../../../src/api/http/answers/AnswerWriter.ts";
import { UnsentAnswers } from "../../../../src/api/http/answers/UnsentAnswers.ts";
import { openApiServer } from "../../../kit/api/apiServer.ts";
import { frameApi } from "../../../kit/api/frameEndpoints.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";
import { refusalCode } from "../../../kit/suite/refusal.ts";

/** The used part of a response: it can be closed and emits the event. */
class FakeResponse extends EventEmitter {
  destroyed = false;
  setTimeout(): void {}
  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

function makeResponse(): FakeResponse & ServerResponse {
  // Implements everything that is called.
  return new FakeResponse() as unknown as FakeResponse & ServerResponse;
}

describe("unread answers", () => {
  it("are refused above the limit, except small ones", () => {
    const unsent = new UnsentAnswers({ maxBytes: 100_000 }, new ManualClock());
    const first = makeResponse();
    unsent.take(first, 60_000);
    expect(refusalCode(() => unsent.take(makeResponse(), 50_000))).toBe("api/busy");
    unsent.take(makeResponse(), 5000);
    expect(unsent.bytes).toBe(60_000);
    first.emit("close");
    unsent.take(makeResponse(), 50_000);
    expect(unsent.bytes).toBe(50_000);
  });

  it("are dropped for others after a while, oldest first", async () => {
    const clock = new ManualClock();
    const unsent = new UnsentAnswers({ maxBytes: 100_000 }, clock);
    const [first, second, third] = [makeResponse(), makeResponse(), makeResponse()];
    unsent.take(first, 40_000);
    await clock.advance(1000);
    unsent.take(second, 40_000);
    await clock.advance(4000);
    unsent.take(third, 40_000);
    expect([first.destroyed, second.destroyed, unsent.bytes]).toEqual([true, false, 80_000]);
  });

  it("count a text that many clients wait for once, until the last of them has left", () => {
    const unsent = new UnsentAnswers({ maxBytes: 100_000 }, new ManualClock());
    const [first, second, text] = [makeResponse(), makeResponse(), {}];
    unsent.take(first, 60_000, text);
    unsent.take(second, 60_000, text);
    expect(unsent.bytes).toBe(60_000);
    first.emit("close");
    expect(unsent.bytes).toBe(60_000);
    second.emit("close");
    expect(unsent.bytes).toBe(0);
  });

  it("do not fill the server's memory", async () => {
    const text = "x".repeat(16 << 20);
    const services = { answer: async () => text };
    const server = await openApiServer(frameApi, services, {
      answers: { ...defaultAnswerLimits, maxUnsentBytes: 20 << 20 },
    });
    const ask = `GET /api/v2/say?text=a HTTP/1.1\r\nHost: x\r\n\r\n`;
    const deaf = connect({ port: server.port, host: "127.0.0.1" }).on("error", () => {});
    await once(deaf, "connect");
    deaf.write(ask);
    await once(deaf, "readable");
    const refused = await fetch(`${server.origin}/api/v2/say?text=a`, { headers: { "accept-encoding": "identity" } });
    expect({ status: refused.status, body: await refused.json() }).toMatchObject({ status: 503, body: { ok: false } });
    const gone = once(deaf, "close");
    deaf.destroy();
    await gone;
    await expect
      .poll(
        async () =>
          (await fetch(`${server.origin}/api/v2/say?text=a`, { headers: { "accept-encoding": "identity" } })).status,
      )
      .toBe(200);
    await server.destroy();
  });
});
