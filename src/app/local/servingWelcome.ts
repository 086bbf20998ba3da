import type { Demo } from "../../localnet/demo/Demo.ts";
import type { FundedWallet } from "../../localnet/wallets/networkKeys.ts";
import { type Address, formatAddress } from "../../model/Address.ts";
import { options, program } from "../config.ts";
import type { WelcomeLine } from "../service/parts/OpenNetwork.ts";
import { formatRows, type ScreenRow } from "../terminal/screen.ts";
import type { Style } from "../terminal/style.ts";
import type { ServedLite } from "./serveAsLiteServer.ts";

export interface ServingFacts {
  readonly wallets: readonly FundedWallet[];
  /** The demo set that the network has, or gets in a moment. */
  readonly demo: Demo | undefined;
  readonly data: string;
  readonly folder: string;
  /** The network that it continues. */
  readonly fork: { readonly origin: string; readonly seqno: number } | undefined;
  readonly origin: string;
  readonly lite: Pick<ServedLite, "host" | "port" | "configPath"> | undefined;
  /** Lines of the parts of the service. */
  readonly more: readonly WelcomeLine[];
}

/** What a user needs in the first minute, on one screen; everything else is one command or one page away. */
export function formatServing(facts: ServingFacts, style: Style): string {
  const { origin, folder, fork, lite, more } = facts;
  const places: readonly ScreenRow[] = [
    ["page", `${origin}/`, "addresses, examples, documents"],
    ["v2", `${origin}/api/v2/`],
    ...more,
    ...(lite === undefined ? [] : [["lite", `${lite.host}:${lite.port}`, `see ${lite.configPath}`] as const]),
    ["chain", folder, "delete it for a new chain"],
    ...(fork === undefined ? [] : [["fork", `${fork.origin} at block ${fork.seqno}`, "accounts come on use"] as const]),
  ];
  return [
    style.strong("Tongate runs a local TON network and serves its API. Ctrl-C stops it."),
    "",
    ...formatRows(places, style),
    "",
    ...formatRows(listAccounts(facts), style),
    "",
    ...formatRows(listCommands(facts), style),
    "",
  ].join("\n");
}

/** The first wallets of both common versions, and one contract of each kind. */
function listAccounts({ wallets, demo }: ServingFacts): ScreenRow[] {
  const shown = ["v5r1", "v4r2"].flatMap((version) => {
    const at = wallets.findIndex(({ wallet }) => wallet.version === version);
    const funded = wallets[at];
    return funded === undefined ? [] : [[`wallet ${at + 1}`, friendly(funded.wallet.address, false), version] as const];
  });
  return [...shown, ...(demo === undefined ? [] : listKinds(demo))];
}

function listKinds({ jetton, nft, multisig, vesting }: Demo): ScreenRow[] {
  return [
    ["jetton", friendly(jetton.minter, true)],
    ["NFTs", friendly(nft.collection, true)],
    ["multisig", friendly(multisig.wallet, true)],
    ["vesting", friendly(vesting.wallet, true)],
  ];
}

function listCommands({ origin, data, wallets, demo }: ServingFacts): ScreenRow[] {
  const run = (words: string) => `${program} ${words}${data === options.data.fallback ? "" : ` --data ${data}`}`;
  return [
    ["try", `curl '${origin}/api/v2/getMasterchainInfo'`],
    ["wallets", run("wallets"), `all ${wallets.length}, with their words`],
    ...(demo === undefined ? [] : [["demo", run("demo"), "all demo contracts"] as const]),
    ["coins", run("faucet ADDRESS"), "for any account"],
    ["mainnet", `${program} --network mainnet`, "or testnet, or a file"],
  ];
}

function friendly(address: Address, bounceable: boolean): string {
  return formatAddress(address, { bounceable, testOnly: false }, "base64url");
}

/** The addresses of the demo set's contracts. */
export function formatDemo(demo: Demo | undefined): readonly string[] {
  if (demo === undefined) return [];
  const { contracts } = demo;
  const width = Math.max(...contracts.map(([name]) => name.length));
  return [
    "Demo contracts, deployed by wallets 1 to 5:",
    "",
    ...contracts.map(([name, address]) => `  ${name.padEnd(width)}  ${friendly(address, true)}`),
    "",
  ];
}
