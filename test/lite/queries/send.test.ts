import { describe, expect, it } from "vitest";
import { submitMessage } from "../../../src/lite/queries/send.ts";
import { sendMessage } from "../../../src/lite/tl/liteQueries.ts";
import { serverError } from "../../../src/lite/tl/liteRecords.ts";
import { encode } from "../../../src/lite/tl/types.ts";
import { replyTo, ScriptedLite } from "../../kit/lite/ScriptedLite.ts";

const { signal } = new AbortController();

describe("sending", () => {
  it("succeeds when the server accepts", async () => {
    const server = new ScriptedLite([replyTo(sendMessage, { status: 1 })]);
    await submitMessage(server, new Uint8Array([1, 2, 3]), { signal });
    expect(server.asked.map(({ args }) => args)).toEqual([{ body: new Uint8Array([1, 2, 3]) }]);
  });

  it("fails with the server's own text, or its status", async () => {
    const refusing = new ScriptedLite([
      { name: sendMessage.name, answer: () => encode(serverError.boxed, { code: 0, message: "cannot apply" }) },
    ]);
    await expect(submitMessage(refusing, new Uint8Array(1), { signal })).rejects.toMatchObject({
      code: "lite/server",
      data: { serverMessage: "cannot apply" },
    });
    const odd = new ScriptedLite([replyTo(sendMessage, { status: 2 })]);
    await expect(submitMessage(odd, new Uint8Array(1), { signal })).rejects.toMatchObject({
      code: "lite/server",
      data: { serverCode: 2 },
    });
  });
});
