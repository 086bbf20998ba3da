import { afterAll, expect, it } from "vitest";
import type { LocalnetSettings } from "../../../src/app/local/LocalnetSettings.ts";
import { formatWelcome } from "../../../src/app/local/localnetWelcome.ts";
import { openChainKit } from "../../kit/localnet/localChain.ts";

const kit = await openChainKit();
afterAll(() => kit.close());

it("a local network prints its network id, and the ids and times of each wallet", async () => {
  const { net } = await kit.open();
  const settings: LocalnetSettings = {
    ...{
      seed: "s",
      folder: "chain",
      port: 1,
      traffic: 0,
      trafficSeconds: undefined,
      shards: undefined,
      globalVersion: undefined,
    },
    ...{ restore: undefined, repair: false },
    demo: "off",
    pace: { kind: "manual" },
  };
  const place = { host: "127.0.0.1", port: 1, publicKey: new Uint8Array(32), configPath: "global.config.json" };
  const welcome = formatWelcome({ net, settings, ...place, demo: undefined });
  const lines = welcome.split("\n");
  expect(lines).toContain(`  network id     ${net.globalId}  for signatures and wallets of version 5`);
  const reported = net.keys.wallets.map(({ wallet, words }) => {
    const [, line] = new RegExp(`^ +${words.join("\\s+")}\n *(.*)$`, "m").exec(welcome) ?? [];
    return [wallet.version, line];
  });
  const expected = net.keys.wallets.map(({ wallet: { version, walletId } }) => {
    if (version === "v2r2") return [version, ""];
    if (version === "v5r1") return [version, `network id ${net.globalId}, wallet id ${walletId}`];
    return [version, `subwallet id ${walletId}${version === "highloadV3" ? ", timeout 3600 s" : ""}`];
  });
  expect(reported).toEqual(expected);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(new Set(reported.map(([version]) => version)).size).toBeGreaterThan(3);
});
