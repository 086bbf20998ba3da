import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { loadConfig } from "../../../src/app/config.ts";
import { defaultCoin, type LocalPlan, type NetworkPlan, type RemotePlan } from "../../../src/app/NetworkPlan.ts";
import { type NetworkAccess, openAccesses } from "../../../src/app/service/accessFor.ts";
import { isCoded } from "../../../src/lib/errors.ts";
import { quietLog } from "../../kit/api/apiServer.ts";
import { masterBlock } from "../../kit/lite/FakeLite.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const place = { host: "127.0.0.1", port: 1, hostNames: [] };
const local: LocalPlan = { kind: "local", name: "localnet", coin: defaultCoin, listen: place };
const exposed: LocalPlan = { ...local, listen: { ...place, host: "0.0.0.0" } };
const server = { host: "h", port: 1, publicKey: new Uint8Array(32), isPrivate: false };
const remote: RemotePlan = {
  ...{ kind: "remote", name: "net", coin: defaultCoin, listen: place, origin: "", proofs: "check", servers: [server] },
  ...{ zeroState: masterBlock(0), initBlock: masterBlock(0) },
};
const mixed: RemotePlan = { ...remote, servers: [server, { ...server, port: 2, isPrivate: true }] };

describe("access", () => {
  const opened: NetworkAccess[] = [];

  afterEach(async () => {
    for (const accesses of opened.splice(0)) await accesses.close();
  });

  /** The callers of two requests without a key, or their errors. */
  async function admitTwice(plan: NetworkPlan, ...args: string[]): Promise<string[]> {
    const data = mkdtempSync(join(tmpdir(), "tongate-access-"));
    const { config } = loadConfig(["--data", data, ...args], { environment: {}, findFile: () => undefined });
    const accesses = await openAccesses(config, [plan], { clock: new ManualClock(), log: quietLog });
    opened.push(accesses);
    const access = accesses.of(plan);
    const seen = [];
    for (const _ of [1, 2]) {
      try {
        seen.push((await access.admit(undefined, () => "1.2.3.4")).kind);
      } catch (error) {
        seen.push(isCoded(error) ? error.code : String(error));
      }
    }
    return seen;
  }

  it.each([
    ["the local network on loopback", local, [], ["open", "open"]],
    ["the local network on loopback with limits", local, ["--limits", "on"], ["keyless", "api/limit"]],
    ["the local network elsewhere", exposed, [], ["keyless", "api/limit"]],
    ["another network on loopback", remote, [], ["keyless", "api/limit"]],
    ["another network without limits", remote, ["--limits", "off"], ["open", "open"]],
    ["a network with private servers, without limits", mixed, ["--limits", "off"], ["keyless", "keyless"]],
    ["a Redis that is away", remote, ["--redis", "redis://127.0.0.1:1"], ["keyless", "api/limit"]],
  ])("on %s", async (_name, plan, args, seen) => {
    expect(await admitTwice(plan, ...args)).toEqual(seen);
  });

  it("a Redis without use is refused", async () => {
    await expect(admitTwice(local, "--redis", "redis://127.0.0.1:1")).rejects.toMatchObject({
      code: "app/config",
      message: "--redis has no effect while limits are off; give --limits on",
    });
  });
});
