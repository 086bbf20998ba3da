import { describe, expect, it } from "vitest";
import { AnswerNotes } from "../../../src/api/declare/AnswerNotes.ts";
import type { Caller } from "../../../src/api/declare/Caller.ts";
import { onHistory } from "../../../src/api/v3/onHistory.ts";
import type { V3Services } from "../../../src/api/v3/services/Services.ts";
import { type LogLevel, openLog } from "../../../src/lib/log.ts";

const secret = "select balance from accounts where owner = 'somebody'";

/** An index that reports its statement to a watcher. */
const history = {
  read: async (options: { readonly watch?: (statement: { readonly text: string }) => void }) => {
    options.watch?.({ text: secret });
    return "answer";
  },
};

/** The log lines of a request with this header at this level. */
async function linesOf(caller: Caller, level: LogLevel): Promise<string[]> {
  const lines: string[] = [];
  const log = openLog({ level, destination: { write: (line) => lines.push(line) } });
  const context = { id: "r1", caller, signal: new AbortController().signal, log, notes: new AnswerNotes() };
  const args = {
    x_no_address_book: false,
    x_no_metadata: false,
    x_timeout: undefined,
    x_debug_request: true,
    x_seen_seqno: undefined,
  };
  const run = onHistory(async () => "answer");
  expect(await run({ history } as unknown as V3Services, args, context)).toBe("answer");
  return lines;
}

const keyless: Caller = { kind: "keyless", address: "192.0.2.1" };
const keyed: Caller = { kind: "key", owner: "somebody", keyName: "mine", plan: "free" };

describe("X-Debug-Request", () => {
  it.each(["trace", "debug", "info"] as const)("logs nothing for callers without a key, at level %s", async (level) => {
    expect(await linesOf(keyless, level)).toEqual([]);
  });

  it("logs statements for callers with a key only at a sufficient log level", async () => {
    expect(await linesOf(keyed, "info")).toEqual([]);
    expect((await linesOf(keyed, "debug")).map((line) => JSON.parse(line))).toMatchObject([{ sql: secret }]);
  });
});
