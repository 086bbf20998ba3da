import { describe, expect, it } from "vitest";
import { LibError } from "../../src/lib/errors.ts";
import { type LogLevel, openLog } from "../../src/lib/log.ts";
import { ManualClock } from "../kit/suite/ManualClock.ts";

function setUp(level: LogLevel = "info") {
  const lines: unknown[] = [];
  const destination = { write: (line: string) => lines.push(JSON.parse(line)) };
  return { lines, log: openLog({ level, destination, clock: new ManualClock(0) }) };
}

const time = "1970-01-01T00:00:00.000Z";

describe("the log", () => {
  it("writes one JSON object per line, at its level and above", () => {
    const { lines, log } = setUp("warn");
    log.debug("unseen");
    log.info("unseen");
    log.warn("seen", { seqno: 5, lt: 12345678901234567890n });
    log.error("also seen");
    expect(lines).toEqual([
      { level: "warn", time, msg: "seen", seqno: 5, lt: "12345678901234567890" },
      { level: "error", time, msg: "also seen" },
    ]);
  });

  it("writes nothing when silent", () => {
    const { lines, log } = setUp("silent");
    log.error("unseen");
    expect(lines).toEqual([]);
  });

  it("makes children whose lines have their data", () => {
    const { lines, log } = setUp();
    log.child({ part: "pool", apiKey: "k" }).child({ server: 3 }).info("asked");
    expect(lines).toEqual([{ level: "info", time, part: "pool", apiKey: "[masked]", server: 3, msg: "asked" }]);
  });

  it("masks secrets by name at any depth, and inside texts", () => {
    const { lines, log } = setUp();
    log.info("asked", {
      api_key: "k1",
      headers: { "X-API-Key": "k2", Authorization: "Bearer k3", accept: "json" },
      servers: [{ secretKey: Uint8Array.of(1), publicKey: Uint8Array.of(2) }],
      url: "/getMasterchainInfo?api_key=k4&seqno=1",
      database: "postgres://user:k5@host/db",
      password: undefined,
    });
    expect(lines).toEqual([
      {
        level: "info",
        time,
        msg: "asked",
        api_key: "[masked]",
        headers: { "X-API-Key": "[masked]", Authorization: "[masked]", accept: "json" },
        servers: [{ secretKey: "[masked]", publicKey: "02" }],
        url: "/getMasterchainInfo?api_key=[masked]&seqno=1",
        database: "postgres://user:[masked]@host/db",
      },
    ]);
  });

  it("writes errors with code, data and causes", () => {
    const { lines, log } = setUp();
    const cause = new Error("beneath");
    log.error("failed", {
      error: Object.assign(new LibError("lib/hex", "not hex", { cause }), { data: { password: "k" } }),
    });
    expect(lines).toMatchObject([
      {
        error: {
          name: "LibError",
          code: "lib/hex",
          kind: "caller",
          message: "not hex",
          data: { password: "[masked]" },
          cause: { name: "Error", message: "beneath" },
        },
      },
    ]);
  });

  it("truncates too deep or too long values instead of failing", () => {
    const { lines, log } = setUp();
    const circle: Record<string, unknown> = { bytes: new Uint8Array(1000) };
    circle.self = circle;
    log.info("round", circle);
    expect(JSON.stringify(lines)).toContain("[deeper]");
    expect(lines).toMatchObject([{ bytes: `${"00".repeat(64)}… (1000 bytes)` }]);
  });
});

describe("equal lines", () => {
  it("are counted after the first twenty of ten seconds, and their number is written with the next line", async () => {
    const lines: Record<string, unknown>[] = [];
    const clock = new ManualClock(0);
    const log = openLog({ level: "info", destination: { write: (line) => lines.push(JSON.parse(line)) }, clock });
    for (let at = 0; at < 1_000; at++)
      log.child({ part: at }).warn("a request failed", { request: at, code: "api/busy" });
    log.warn("a request failed", { code: "api/unready" });
    expect(lines.length).toBe(21);
    await clock.advance(10_000);
    log.info("something else");
    expect(lines.slice(21)).toMatchObject([
      { level: "warn", msg: "repeated lines were left out", line: "warn: a request failed (api/busy)", count: 980 },
      { level: "info", msg: "something else" },
    ]);
  });

  it("are all written when debugging", () => {
    const { lines, log } = setUp("debug");
    for (let at = 0; at < 100; at++) log.debug("answered");
    expect(lines).toHaveLength(100);
  });
});
