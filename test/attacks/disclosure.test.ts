import { afterEach, describe, expect, it } from "vitest";
import { liteServers } from "../../src/api/local/liteServers.ts";
import { HistoryError } from "../../src/history/errors.ts";
import { DeferredDatabase } from "../../src/history/store/engine/DeferredDatabase.ts";
import { openLog } from "../../src/lib/log.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { openV2Server, type TestServer } from "../kit/api/apiServer.ts";
import { readRaw, sendRaw } from "../kit/api/rawHttp.ts";
import { ManualClock } from "../kit/suite/ManualClock.ts";

let server: TestServer | undefined;

afterEach(() => server?.destroy());

describe("answers to strangers", () => {
  it("forbid browsers to guess the type of JSON", async () => {
    server = await openV2Server();
    const paths = ["/api/v2/healthcheck", "/healthcheck", "/readyz", "/api/v2/openapi.json", "/api/v2/postman.json"];
    for (const path of [...paths, "/nowhere", "/api/v2/nowhere", "/docs/nowhere", "/api/v2/detectAddress"]) {
      const { headers } = await fetch(`${server.origin}${path}`);
      expect([path, headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
    }
    const { head, status } = readRaw(await sendRaw(server.port, "no HTTP\r\n\r\n"));
    expect([status, head.includes("X-Content-Type-Options: nosniff")]).toEqual([400, true]);
  });

  it("name the configuration of a local network, not its folder", () => {
    const offered = {
      host: "127.0.0.1",
      port: 4443,
      key: "key",
      configPath: "/home/someone/.tongate/global.config.json",
    };
    const encoded = liteServers.result.encode([offered]);
    expect(encoded).toEqual([{ host: "127.0.0.1", port: 4443, key: "key", global_config: "global.config.json" }]);
  });

  it("say that the database cannot be used, not where it is; the log does", async () => {
    const lines: string[] = [];
    const log = openLog({ level: "warn", destination: { write: (line) => lines.push(line) } });
    const open = () => Promise.reject(new HistoryError("history/database", "connect ECONNREFUSED 10.9.8.7:5432"));
    const database = new DeferredDatabase(
      { kind: "postgres", open },
      { clock: new ManualClock(), random: systemRandom, log },
    );
    await database.start(0);
    await expect.poll(() => database.condition().kind).toBe("away");
    expect(database.condition()).toEqual({ kind: "away", reason: "connect ECONNREFUSED …" });
    await expect(database.query("select 1", [])).rejects.not.toThrow("10.9.8.7");
    expect(lines.join("")).toContain("10.9.8.7:5432");
    await database.close();
  });
});
