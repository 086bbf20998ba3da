import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../../src/app/config.ts";
import { formatServing, type ServingFacts } from "../../../src/app/local/servingWelcome.ts";
import type { RemotePlan } from "../../../src/app/NetworkPlan.ts";
import { planNetworks } from "../../../src/app/networks/planNetworks.ts";
import { formatRemote } from "../../../src/app/service/remote/remoteWelcome.ts";
import { styleFor } from "../../../src/app/terminal/style.ts";
import { makeDemo } from "../../../src/localnet/demo/Demo.ts";
import { formatAddress } from "../../../src/model/Address.ts";
import { type ChainKit, openChainKit } from "../../kit/localnet/localChain.ts";

let kit: ChainKit;
let facts: ServingFacts;
const noSources = { environment: {}, findFile: () => undefined };
const origin = "http://127.0.0.1:8081";

beforeAll(async () => {
  kit = await openChainKit();
  const { net } = await kit.open();
  const configPath = ".tongate/localnet/global.config.json";
  facts = {
    ...{ wallets: net.keys.wallets, demo: makeDemo(net.keys), data: ".tongate", folder: ".tongate/localnet", origin },
    lite: { host: "127.0.0.1", port: 4443, configPath },
    fork: undefined,
    more: [
      ["v3", `${origin}/api/v3/`],
      ["explorer", `${origin}/explorer/`],
    ],
  };
});

afterAll(() => kit.close());

function mainnetPlan(): RemotePlan {
  const [plan] = planNetworks(loadConfig(["--network", "mainnet"], noSources).config, () => undefined);
  if (plan?.kind !== "remote") throw new Error("mainnet is behind lite servers");
  return { ...plan, servers: plan.servers.slice(0, 2) };
}

/** The lines as a terminal of 80 columns shows them. */
const show = (text: string) =>
  text
    .split("\n")
    .slice(0, -1)
    .flatMap((line) => line.match(/.{1,80}/g) ?? [""]);

describe("the start message of a local network", () => {
  it("is one screen of 24 lines and 80 columns, in which no word is broken", () => {
    const text = formatServing(facts, styleFor({}));
    const lines = show(text);
    expect(lines).toEqual(text.split("\n").slice(0, -1));
    // Three more lines report the index and the demo contracts.
    expect(lines.length).toBeLessThanOrEqual(24 - 3);
  });

  it("is as short with long addresses and folders: notes are left out", () => {
    const data = "/home/somebody/payments/.tongate";
    const text = formatServing({ ...facts, data, folder: `${data}/localnet` }, styleFor({}));
    expect(show(text)).toEqual(text.split("\n").slice(0, -1));
    expect(show(text).length).toBeLessThanOrEqual(24 - 3);
    expect(text).toContain(`tongate faucet ADDRESS --data ${data}\n`);
    expect(text).not.toContain("for any account");
  });

  it("continues a command that does not fit on the next line", () => {
    const data = `/home/somebody/${"projects/".repeat(4)}.tongate`;
    const text = formatServing({ ...facts, data, folder: `${data}/localnet` }, styleFor({}));
    expect(show(text)).toEqual(text.split("\n").slice(0, -1));
    expect(text).toContain(`  coins    tongate faucet ADDRESS --data\n           ${data}\n`);
  });

  it("says what a fork continues, in place of demo contracts", () => {
    const fork = { origin: "mainnet", seqno: 46_894_135 };
    const text = formatServing({ ...facts, demo: undefined, fork }, styleFor({}));
    expect(text).toContain("  fork      mainnet at block 46894135  accounts come on use\n");
  });

  it("has the addresses of the demo contracts and of the first wallets", () => {
    const text = formatServing(facts, styleFor({}));
    const { jetton, nft, multisig, vesting } = makeDemo(kit.keys);
    for (const address of [jetton.minter, nft.collection, multisig.wallet, vesting.wallet])
      expect(text).toContain(formatAddress(address, { bounceable: true, testOnly: false }, "base64url"));
    const [first] = kit.keys.wallets;
    const friendly = first && formatAddress(first.wallet.address, { bounceable: false, testOnly: false }, "base64url");
    expect(text).toContain(`  wallet 1  ${friendly}  v5r1\n`);
    expect(text).not.toContain(first?.words.join(" "));
    expect(formatServing({ ...facts, demo: undefined }, styleFor({}))).not.toMatch(/jetton|tongate demo/);
  });

  it("is coloured only where colours are shown", () => {
    const plain = formatServing(facts, styleFor({ hasColours: false }));
    const coloured = formatServing(facts, styleFor({ hasColours: true }));
    expect(plain).not.toContain("\u001b[");
    expect(coloured).toContain(`\u001b[1mpage\u001b[0m      \u001b[36m${origin}/\u001b[0m  \u001b[2m`);
    // Without the colours it is the same text.
    expect(stripVTControlCharacters(coloured)).toBe(plain);
  });
});

describe("the start message of a network behind lite servers", () => {
  it("has at most one sentence about the network, which is true", () => {
    const plan = mainnetPlan();
    const start = { block: plan.initBlock, isKept: false, problem: undefined };
    const first = (reach: "some" | "none" | "unknown") =>
      formatRemote({ plan, start, origin, more: [], reach }, styleFor({})).split("\n")[0];
    expect([first("some"), first("unknown"), first("none")]).toEqual([
      "Tongate serves mainnet. Ctrl-C stops it.",
      "Tongate serves mainnet as soon as one of its 2 lite servers answers.",
      "  page     http://127.0.0.1:8081/  status, examples, documents",
    ]);
  });
});
