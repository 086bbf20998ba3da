import { toBase64 } from "../../lib/bytes.ts";
import { type Demo, listDemo } from "../../localnet/demo/Demo.ts";
import type { Localnet } from "../../localnet/network/Localnet.ts";
import { describeWalletId } from "../../localnet/wallets/describeWallet.ts";
import { formatAddress } from "../../model/Address.ts";
import { options, program } from "../config.ts";
import type { WelcomeLine } from "../service/parts/OpenNetwork.ts";
import type { ServedLite } from "./serveAsLiteServer.ts";

export interface ServingFacts {
  readonly net: Localnet;
  readonly folder: string;
  readonly origin: string;
  readonly lite: ServedLite | undefined;
  /** Lines of the parts of the service. */
  readonly more: readonly WelcomeLine[];
}

/** What a user needs in the first minute; the addresses come last, where they are seen. */
export function formatServing({ net, folder, origin, lite, more }: ServingFacts): string {
  const lines: WelcomeLine[] = [
    ["chain", `${folder}  (survives restarts; delete the folder for a new chain)`],
    ["id", `${net.globalId}  the network id, for signatures and wallets of version 5`],
    ...(lite === undefined ? [] : liteLines(lite)),
    ["faucet", `${program} faucet ADDRESS --amount 5${flagsFor(origin)}`],
    ["v2", `${origin}/api/v2/`],
    ...more,
    ["status", `${origin}/`],
  ];
  return [
    "Funded wallets, with keys derived from the public seed: never use them on a real network.",
    "",
    ...net.keys.wallets.flatMap((_funded, at) => formatWallet(net, at)),
    "",
    ...formatRequests(net, origin, more),
    "",
    "Tongate runs a local TON network and serves its API. Ctrl-C stops it.",
    `To use a real network: ${program} --network mainnet  (or testnet, or a file)`,
    "",
    ...lines.map(([word, text]) => `  ${word.padEnd(8)}  ${text}`),
    "",
    "",
  ].join("\n");
}

function formatWallet(net: Localnet, at: number): string[] {
  const funded = net.keys.wallets[at];
  if (funded === undefined) return [];
  const { wallet, words } = funded;
  const friendly = formatAddress(wallet.address, { bounceable: false, testOnly: false }, "base64url");
  const id = describeWalletId(wallet, net.globalId);
  return [
    `  ${String(at + 1).padStart(2)}  ${wallet.version.padEnd(10)}  ${friendly}`,
    `      ${words.join(" ")}`,
    ...(id === undefined ? [] : [`      ${id}`]),
  ];
}

function formatRequests({ keys }: Localnet, origin: string, more: readonly WelcomeLine[]): string[] {
  const [first] = keys.wallets;
  const address =
    first === undefined ? "" : formatAddress(first.wallet.address, { bounceable: false, testOnly: false }, "base64url");
  const hasIndex = more.some(([word]) => word === "v3");
  return [
    "First requests:",
    "",
    `  curl '${origin}/api/v2/getMasterchainInfo'`,
    `  curl '${origin}/api/v2/getAddressInformation?address=${address}'`,
    ...(hasIndex
      ? [
          `  curl '${origin}/api/v3/transactions?account=${address}&limit=3'`,
          `  curl '${origin}/api/v3/jetton/masters'`,
        ]
      : []),
  ];
}

function liteLines({ host, port, publicKey, configPath }: ServedLite): WelcomeLine[] {
  return [
    ["lite", `${host}:${port}  key ${toBase64(publicKey)}`],
    ["config", `${configPath}  (for lite-client -C, tonlib and libraries)`],
  ];
}

/** The option that a command needs to reach a service at another address than the default. */
function flagsFor(origin: string): string {
  const { hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const isUsual = host === options.host.fallback || host === "0.0.0.0" || host === "::";
  return `${isUsual ? "" : ` --host ${host}`}${Number(port) === options.port.fallback ? "" : ` --port ${port}`}`;
}

/** The addresses of the demo set's contracts. */
export function formatDemo(demo: Demo | undefined): readonly string[] {
  if (demo === undefined) return [];
  const contracts = listDemo(demo);
  const width = Math.max(...contracts.map(([name]) => name.length));
  return [
    "Demo contracts, deployed by wallets 1 to 5:",
    "",
    ...contracts.map(([name, address]) => {
      const friendly = formatAddress(address, { bounceable: true, testOnly: false }, "base64url");
      return `  ${name.padEnd(width)}  ${friendly}`;
    }),
    "",
  ];
}
