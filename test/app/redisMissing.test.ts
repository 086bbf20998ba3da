import { expect, it, vi } from "vitest";
import { loadConfig } from "../../src/app/config.ts";
import { defaultCoin } from "../../src/app/NetworkPlan.ts";
import { openAccesses } from "../../src/app/service/accessFor.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { quietLog } from "../kit/api/apiServer.ts";

vi.mock("ioredis", () => {
  throw new Error("Cannot find package 'ioredis'");
});

it("limits in Redis without its package are refused with installation instructions", async () => {
  const { config } = loadConfig(["--redis", "redis://h", "--limits", "on"], {
    environment: {},
    findFile: () => undefined,
  });
  const plan = {
    kind: "local",
    name: "localnet",
    coin: defaultCoin,
    listen: { host: "h", port: 1, hostNames: [] },
  } as const;
  await expect(openAccesses(config, [plan], { clock: systemClock, log: quietLog })).rejects.toMatchObject({
    code: "api/unreachable",
    message: "limits in Redis need the package ioredis: npm install ioredis",
  });
});
