import { describe, expect, it } from "vitest";
import { type AppConfig, loadConfig } from "../../../src/app/config.ts";
import { defaultCoin, type NetworkPlan } from "../../../src/app/NetworkPlan.ts";
import { planFiles } from "../../../src/app/service/fileBudget.ts";

const place = { host: "127.0.0.1", port: 0, hostNames: [] };
const local: NetworkPlan = { kind: "local", name: "localnet", coin: defaultCoin, listen: place };

function configOf(...flags: string[]): AppConfig {
  return loadConfig(flags, { environment: {}, findFile: () => undefined }).config;
}

describe("the open files of a process", () => {
  it("leave for connections what the program, documents, the engine and lite clients do not need", () => {
    const left = 1_024 - 64 - 16 - 256 - 16;
    expect(planFiles(1_024, configOf(), [local])).toEqual({
      connections: left - left / 4,
      liteClients: left / 4,
      problem: undefined,
    });
    const connectionsOf = (limit: number, ...flags: string[]) =>
      planFiles(limit, configOf("--lite-port", "off", ...flags), [local]).connections;
    expect(connectionsOf(65_536)).toBe(65_536 - 64 - 16 - 1_000 - 16);
    expect(connectionsOf(1_024, "--no-index")).toBe(1_024 - 64 - 16);
    expect(connectionsOf(1_024, "--database", "postgres://a@b/c")).toBe(1_024 - 64 - 16 - 24);
    const two = [local, { ...local, name: "other" }];
    expect(planFiles(1_024, configOf(), two)).toMatchObject({ connections: 384 - 2 * 48, liteClients: 48 });
  });

  it("give lite clients at most 1,024, and none where nobody listens for them", () => {
    expect(planFiles(65_536, configOf(), [local]).liteClients).toBe(1_024);
    expect(planFiles(65_536, configOf("--lite-port", "off"), [local]).liteClients).toBe(0);
  });

  it("may be unlimited", () => {
    const unlimited = { connections: Number.POSITIVE_INFINITY, liteClients: 1_024, problem: undefined };
    expect(planFiles(Number.POSITIVE_INFINITY, configOf(), [local])).toEqual(unlimited);
  });

  it("are too few if hardly any connection is left, and the required limit is named", () => {
    const { connections, problem } = planFiles(200, configOf(), [local]);
    expect(connections).toBe(30);
    expect(problem).toBe(
      "the limit of 200 open files leaves 40 connections for clients; " +
        "raise it to 256 (ulimit -n 256, or LimitNOFILE= of systemd)",
    );
    const five = Array.from({ length: 5 }, (_, at) => ({ ...local, name: `net${at}` }));
    expect(planFiles(1_024, configOf(), five).problem).toContain("raise it to 8192");
  });
});
