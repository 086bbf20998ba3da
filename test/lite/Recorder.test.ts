import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LiteError } from "../../src/lite/errors.ts";
import { ask, type LiteServer } from "../../src/lite/server/LiteServer.ts";
import { Replayer } from "../../src/lite/server/Replayer.ts";
import { getTime, getVersion } from "../../src/lite/tl/liteQueries.ts";
import { currentTime } from "../../src/lite/tl/liteRecords.ts";
import { encodeQuery } from "../../src/lite/tl/queryEnvelope.ts";
import { encode } from "../../src/lite/tl/types.ts";
import { openRecordFile, Recorder } from "../kit/lite/Recorder.ts";
import { ManualClock } from "../kit/suite/ManualClock.ts";

const { signal } = new AbortController();

/** A server whose time advances with every query and that supports nothing else. */
function ticking(clock: ManualClock): LiteServer {
  let now = 0;
  const time = encodeQuery(getTime, {});
  return {
    ask: async (bytes) => {
      await clock.advance(2.5);
      now += 1;
      if (Buffer.compare(bytes, time) !== 0) throw new LiteError("lite/lost", "it broke");
      return encode(currentTime.boxed, { now });
    },
    close: async () => {},
    destroy: () => {},
  };
}

describe("Recorder", () => {
  it("records what a replayer replays", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tongate-recorder-"));
    const path = join(folder, "talk.jsonl");
    const clock = new ManualClock();
    const recorder = new Recorder(ticking(clock), openRecordFile(path), clock);
    expect(await ask(recorder, getTime, {}, { signal })).toEqual({ now: 1 });
    expect(await ask(recorder, getTime, {}, { signal })).toEqual({ now: 2 });
    await expect(ask(recorder, getVersion, {}, { signal })).rejects.toMatchObject({ code: "lite/lost" });
    await recorder.close();
    expect(readFileSync(path, "utf8").split("\n")).toEqual([
      '{"group":"getTime","request":"df068c7904345aad16000000","response":"DQBT6QEAAAA=","ms":2.5}',
      '{"group":"getTime","request":"df068c7904345aad16000000","response":"DQBT6QIAAAA=","ms":2.5}',
      '{"group":"getVersion","request":"df068c79040b942b23000000","response":null,"error":{"code":"lite/lost","message":"it broke"},"ms":2.5}',
      "",
    ]);
    const replayer = Replayer.fromFile(path);
    expect(await ask(replayer, getTime, {}, { signal })).toEqual({ now: 1 });
    await expect(ask(replayer, getVersion, {}, { signal })).rejects.toMatchObject({
      code: "lite/lost",
      message: "it broke",
    });
    expect(await ask(replayer, getTime, {}, { signal })).toEqual({ now: 2 });
    rmSync(folder, { recursive: true });
  });

  it("records malformed queries too", async () => {
    const lines: string[] = [];
    const sink = { write: (line: string) => void lines.push(line), close: async () => {} };
    const clock = new ManualClock();
    const recorder = new Recorder(ticking(clock), sink, clock);
    await expect(recorder.ask(new Uint8Array(3), { signal })).rejects.toMatchObject({ code: "lite/lost" });
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ group: "bad", request: "df068c7903000000" });
  });

  it("reports if its file cannot be written", async () => {
    const sink = openRecordFile(join(tmpdir(), "tongate-no-such-folder", "talk.jsonl"));
    sink.write("{}\n");
    await expect(sink.close()).rejects.toMatchObject({ code: "lite/record" });
  });
});
