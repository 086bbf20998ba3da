import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openLocalnet } from "../../../src/app/local/openLocalnet.ts";
import { openRecordedNet } from "../../../src/app/local/openRecordedNet.ts";
import { splitFolder } from "../../kit/localnet/splitChain.ts";
import { recordTerminal } from "../../kit/suite/recordTerminal.ts";

it("refuses a taken port before it makes or reads a chain, with the reason and a fix", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const folder = mkdtempSync(join(tmpdir(), "tongate-taken-"));
  const terminal = recordTerminal();
  const taken = {
    code: "app/listen",
    message: `cannot listen on 127.0.0.1:${port} (listen EADDRINUSE: address already in use 127.0.0.1:${port}); give another --port`,
  };
  const settings = {
    seed: "s",
    folder,
    port,
    traffic: 0,
    trafficSeconds: undefined,
    demo: "on" as const,
    shards: undefined,
    globalVersion: undefined,
    restore: undefined,
    repair: false,
  };
  await expect(openLocalnet({ ...settings, pace: { kind: "manual" } }, terminal)).rejects.toMatchObject(taken);
  expect(existsSync(join(folder, "chain.json"))).toBe(false);
  await expect(openRecordedNet({ folder: splitFolder, port }, terminal)).rejects.toMatchObject(taken);
  expect(terminal.written()).toBe("");
  rmSync(folder, { recursive: true });
  other.close();
});
