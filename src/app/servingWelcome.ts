import { type Demo, listDemo } from "../localnet/demo/Demo.ts";
import type { Localnet } from "../localnet/Localnet.ts";
import { describeWalletId } from "../localnet/wallets/describeWallet.ts";
import { formatAddress } from "../model/Address.ts";
import { options, program } from "./config.ts";
import type { WelcomeLine } from "./service/OpenNetwork.ts";

export interface ServingFacts {
  readonly net: Localnet;
  readonly folder: string;
  readonly origin: string;
  readonly demo: Demo | undefined;
  /** The lines of the service's parts. */
  readonly more: readonly WelcomeLine[];
}

/** The start message of the service. */
export function formatServing({ net, folder, origin, demo, more }: ServingFacts): string {
  const [first] = net.keys.wallets;
  const address =
    first === undefined ? "" : formatAddress(first.wallet.address, { bounceable: false, testOnly: false }, "base64url");
  return [
    "Tongate answers on a TON network of its own.",
    "",
    `  v2      ${origin}/api/v2/       the API page, with every operation to try`,
    ...more.map(([word, text]) => `  ${word.padEnd(6)}  ${text}`),
    `  status  ${origin}/              what runs here`,
    `  faucet  ${origin}/localnet/  or: ${program} faucet ADDRESS --amount 5${flagsFor(origin)}`,
    `  id      ${net.globalId}  the network id, for signatures and wallets of version 5`,
    `  chain   ${folder}  (survives restarts; delete the folder to begin anew)`,
    "",
    "First requests:",
    "",
    `  curl '${origin}/api/v2/getMasterchainInfo'`,
    `  curl '${origin}/api/v2/getAddressInformation?address=${address}'`,
    ...(more.some(([word]) => word === "v3")
      ? [
          `  curl '${origin}/api/v3/transactions?account=${address}&limit=3'`,
          `  curl '${origin}/api/v3/jetton/masters'`,
        ]
      : []),
    "",
    "Funded wallets, all from the seed of this network: never use them on a real one.",
    "",
    ...net.keys.wallets.map(({ wallet, words }, i) => {
      const friendly = formatAddress(wallet.address, { bounceable: false, testOnly: false }, "base64url");
      const id = describeWalletId(wallet, net.globalId);
      const lines = [
        `  ${String(i + 1).padStart(2)}  ${wallet.version.padEnd(10)}  ${friendly}`,
        `      ${words.join(" ")}`,
      ];
      return [...lines, ...(id === undefined ? [] : [`      ${id}`])].join("\n");
    }),
    "",
    ...formatDemo(demo),
    `On to a real network: ${program} --network mainnet  (or testnet, or a global config file)`,
    "Ctrl-C stops it.",
    "",
  ].join("\n");
}

/** The options that a command needs to reach a service at another address than the default. */
function flagsFor(origin: string): string {
  const { hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const isUsual = host === options.host.fallback || host === "0.0.0.0" || host === "::";
  return `${isUsual ? "" : ` --host ${host}`}${Number(port) === options.port.fallback ? "" : ` --port ${port}`}`;
}

/** The addresses of the demo set. */
export function formatDemo(demo: Demo | undefined): readonly string[] {
  if (demo === undefined) return [];
  const contracts = listDemo(demo);
  const width = Math.max(...contracts.map(([name]) => name.length));
  return [
    "The demo set, made by wallets 1 to 5:",
    "",
    ...contracts.map(([name, address]) => {
      const friendly = formatAddress(address, { bounceable: true, testOnly: false }, "base64url");
      return `  ${name.padEnd(width)}  ${friendly}`;
    }),
    "",
  ];
}
