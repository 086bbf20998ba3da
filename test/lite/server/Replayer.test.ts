import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readLiteExchanges } from "../../../kit/lite/liteExchanges.ts";
import { fromBase64, fromHex } from "../../../src/lib/bytes.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { ask } from "../../../src/lite/server/LiteServer.ts";
import { Replayer } from "../../../src/lite/server/Replayer.ts";
import { getState, getTime, getVersion } from "../../../src/lite/tl/liteQueries.ts";
import { unwrapQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { isBad } from "../../kit/lite/checkExchange.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const { signal } = new AbortController();
const fixture = "test/fixtures/realnet/lite-answers.jsonl.gz";
const time = '{"request":"df068c7904345aad16000000","response":"DQBT6QEAAAA="}';

describe("Replayer", () => {
  it("replays a recorded network", async () => {
    const replayer = new Replayer(gunzipSync(readFileSync(fixture)).toString("utf8"));
    for (const { request, response } of readLiteExchanges(fixture).filter((exchange) => !isBad(exchange))) {
      const answer = await replayer.ask(unwrapQuery(fromHex(request)), { signal });
      expect(answer).toEqual(fromBase64(response ?? ""));
    }
  });

  it("repeats the last answer if a query is sent more often than recorded", async () => {
    const replayer = new Replayer(`${time}\n`);
    expect(await ask(replayer, getTime, {}, { signal })).toEqual({ now: 1 });
    expect(await ask(replayer, getTime, {}, { signal })).toEqual({ now: 1 });
  });

  it("rejects a query that was not recorded", async () => {
    const replayer = new Replayer(time);
    await expect(ask(replayer, getVersion, {}, { signal })).rejects.toMatchObject({ code: "lite/record" });
    const id = { workchain: 0, shard: 0n, seqno: 0, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) };
    await expect(ask(replayer, getState, { id }, { signal })).rejects.toMatchObject({ code: "lite/record" });
  });

  it("treats a missing answer as a timeout, unless one of our errors was recorded", async () => {
    const silent = new Replayer('{"request":"df068c7904345aad16000000","response":null,"no_answer":"timeout"}');
    await expect(ask(silent, getTime, {}, { signal })).rejects.toMatchObject({ code: "lite/timeout" });
    const error = '"error":{"code":"lib/deadline","message":"late"}';
    const late = new Replayer(`{"request":"df068c7904345aad16000000","response":null,${error}}`);
    await expect(ask(late, getTime, {}, { signal })).rejects.toMatchObject({ code: "lite/timeout", message: "late" });
  });

  it("reads a recording with a truncated last line", async () => {
    const replayer = new Replayer(`${time}\n${time.slice(0, 30)}`);
    expect(await ask(replayer, getTime, {}, { signal })).toEqual({ now: 1 });
  });

  it.each(["{", "5", "null", '{"request":5,"response":null}', '{"request":"00"}'])("rejects the line %s", (line) => {
    expect(refusalCode(() => new Replayer(`${line}\n`))).toBe("lite/record");
  });

  it("answers nothing when closed", async () => {
    const replayer = new Replayer(time);
    await replayer.close();
    replayer.destroy(new LiteError("lite/closed", "over"));
    await expect(ask(replayer, getTime, {}, { signal })).rejects.toMatchObject({ code: "lite/closed" });
  });
});
