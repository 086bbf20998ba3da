import { describe, expect, it } from "vitest";
import { LibError } from "../../src/lib/errors.ts";
import { openLog } from "../../src/lib/log.ts";
import { formatLogLine } from "../../src/lib/readableLog.ts";
import { ManualClock } from "../kit/suite/ManualClock.ts";

function setUp() {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(formatLogLine(line)) };
  return { lines, log: openLog({ level: "info", destination, clock: new ManualClock(3_723_000) }) };
}

describe("the log at a terminal", () => {
  it("writes time, message, and the rest by name", () => {
    const { lines, log } = setUp();
    log.child({ network: "localnet" }).info("the index follows", { seqno: 5, from: "a b", none: undefined });
    expect(lines).toEqual(['01:02:03  the index follows  network=localnet  seqno=5  from="a b"\n']);
  });

  it("marks the level of warnings and errors", () => {
    const { lines, log } = setUp();
    log.warn("slow");
    log.error("gone", { servers: [1, 2] });
    expect(lines).toEqual(["01:02:03  warn: slow\n", "01:02:03  error: gone  servers=[1,2]\n"]);
  });

  it("shows what a terminal would obey in the text of a stranger", () => {
    const { lines, log } = setUp();
    log.warn("answered \u001b[2J", { agent: "x\u009b1m", error: new LibError("lib/hex", "a\nb\u202e") });
    expect(lines).toEqual(["01:02:03  warn: answered \\u001b[2J  agent=x\\u009b1m  error=lib/hex: a\\u000ab\\u202e\n"]);
  });

  it("writes errors by code and message, with their causes", () => {
    const { lines, log } = setUp();
    const error = new LibError("lib/hex", "not hex", { cause: new Error("beneath") });
    log.error("failed", { error, apiKey: "k" });
    expect(lines).toEqual(["01:02:03  error: failed  error=lib/hex: not hex (beneath)  apiKey=[masked]\n"]);
  });
});
