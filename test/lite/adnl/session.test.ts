import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, it } from "vitest";
import type { AdnlSession } from "../../kit/lite/adnlSession.ts";
import { checkSessionBytes, checkSessionOverSocket } from "../../kit/lite/checkSession.ts";

const session = JSON.parse(
  gunzipSync(readFileSync("test/fixtures/realnet/adnl-session.json.gz")).toString("utf8"),
) as AdnlSession;

describe("a recorded session", () => {
  it("is reproduced byte for byte from its secrets", () => {
    checkSessionBytes(session);
  });

  it("is reproduced byte for byte by the client over a socket", async () => {
    await checkSessionOverSocket(session);
  });
});
