import { formatAddress, parseAddress } from "../../model/Address.ts";
import { declareCommand } from "../client/declareCommand.ts";
import { listLocal } from "../local/localControl.ts";
import { refuseArguments } from "../terminal/commandLine.ts";
import { columns, wrapText } from "../terminal/screen.ts";
import { type Style, styleFor } from "../terminal/style.ts";
import { jsonOption, writeFacts } from "../terminal/writeFacts.ts";

const indent = "      ";

export const wallets = declareCommand({
  name: "wallets",
  summary: "List the funded wallets of the running local network, with the words that open them.",
  examples: ["tongate wallets", "tongate wallets --json"],
  options: jsonOption,
  server: "local",
  run: async (terminal, { config, words, own }) => {
    refuseArguments("wallets", words);
    const facts = await listLocal(config, "wallets");
    writeFacts(terminal, own, facts, () => formatWallets(facts, styleFor(terminal)));
  },
});

type Wallet = Readonly<Record<string, unknown>>;

function formatWallets(all: readonly Wallet[], style: Style): string {
  const warning = "Their keys are public: never use them on a real network.";
  return `${style.bad(warning)}\n\n${all.map((wallet, at) => formatWallet(wallet, at + 1, style)).join("\n")}`;
}

function formatWallet(wallet: Wallet, number: number, { strong, faint }: Style): string {
  const { address } = parseAddress(String(wallet.address));
  const friendly = formatAddress(address, { bounceable: false, testOnly: false }, "base64url");
  const id = wallet.derived_with === null ? [] : [faint(String(wallet.derived_with))];
  const lines = [...wrapText(String(wallet.words), columns - indent.length), ...id, ...blueprintLines(wallet, faint)];
  const head = `  ${String(number).padStart(2)}  ${String(wallet.version).padEnd(10)}  ${strong(friendly)}`;
  return [head, ...lines.map((line) => `${indent}${line}`), ""].join("\n");
}

/** What Blueprint needs besides the words. */
function blueprintLines({ blueprint }: Wallet, faint: Style["faint"]): readonly string[] {
  if (blueprint === null) return [];
  const lines = String(blueprint).split("\n");
  const others = lines.filter((line) => !line.startsWith("WALLET_MNEMONIC="));
  return [faint(`Blueprint: ${others.join(" ")}`)];
}
