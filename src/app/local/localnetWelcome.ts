import { toBase64 } from "../../lib/bytes.ts";
import type { Demo } from "../../localnet/demo/Demo.ts";
import type { Localnet } from "../../localnet/network/Localnet.ts";
import { describeWalletId } from "../../localnet/wallets/describeWallet.ts";
import type { FundedWallet } from "../../localnet/wallets/networkKeys.ts";
import { type Address, formatAddress } from "../../model/Address.ts";
import { formatCoins } from "../../model/coins.ts";
import { defaultCoin } from "../NetworkPlan.ts";
import { columns, formatRows, type ScreenRow, wrapText } from "../terminal/screen.ts";
import { styleFor } from "../terminal/style.ts";
import type { LocalnetSettings } from "./LocalnetSettings.ts";
import { formatDemo } from "./servingWelcome.ts";

export interface WelcomeFacts {
  readonly net: Localnet;
  readonly settings: LocalnetSettings;
  readonly host: string;
  readonly port: number;
  readonly publicKey: Uint8Array;
  readonly configPath: string;
  readonly demo: Demo | undefined;
}

/** The start message of a local network. */
export function formatWelcome({ net, settings, host, port, publicKey, configPath, demo }: WelcomeFacts): string {
  const { seqno } = net.ledger.headId;
  const age = seqno < 10 ? "a new chain" : `the chain continues from masterchain block ${seqno}`;
  const rows: readonly ScreenRow[] = [
    ["lite server", `${host}:${port}  key ${toBase64(publicKey)}`],
    ["global config", configPath, "for lite clients"],
    ["network id", String(net.globalId), "for signatures and wallets of version 5"],
    ["chain", settings.folder, "delete the folder for a new chain"],
    ...(settings.traffic > 0 ? [["traffic", describeTraffic(settings)] as const] : []),
  ];
  return [
    `Local TON network: ${age}, ${formatPace(settings)}.`,
    "",
    ...formatRows(rows, styleFor({})),
    "",
    "Funded wallets. Their keys are public: never use them on a real network.",
    "",
    ...net.keys.wallets.flatMap((funded, i) => formatWallet(net, funded, i + 1)),
    `  faucet  ${friendly(net.keys.giver.address)}  ${formatCoins(balanceOf(net, net.keys.giver.address))} ${defaultCoin.symbol}`,
    "",
    ...formatDemo(demo),
    "Ctrl-C stops it.",
    "",
  ].join("\n");
}

function formatPace({ pace }: LocalnetSettings): string {
  switch (pace.kind) {
    case "steady":
      return `a block every ${pace.blockMs} ms`;
    case "onDemand":
      return "a block for each new message";
    case "manual":
      return "blocks on request";
  }
}

const indent = "      ";

function formatWallet(net: Localnet, { wallet, words }: FundedWallet, number: number): string[] {
  const coins = formatCoins(balanceOf(net, wallet.address));
  const id = describeWalletId(wallet, net.globalId);
  return [
    `  ${String(number).padStart(2)}  ${wallet.version.padEnd(10)}  ${friendly(wallet.address)}  ${coins} ${defaultCoin.symbol}`,
    ...wrapText(words.join(" "), columns - indent.length).map((line) => `${indent}${line}`),
    ...(id === undefined ? [] : [`${indent}${id}`]),
    "",
  ];
}

function friendly(address: Address): string {
  return formatAddress(address, { bounceable: false, testOnly: false }, "base64url");
}

function balanceOf(net: Localnet, address: Address): bigint {
  const account = net.account(address).account.load();
  return account.kind === "account" ? account.storage.balance.coins : 0n;
}

function describeTraffic({ traffic, trafficSeconds }: LocalnetSettings): string {
  return `${traffic} transfers per second${trafficSeconds === undefined ? "" : ` for ${trafficSeconds} s`}`;
}
