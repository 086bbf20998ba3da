import { makeArg } from "../../lib/kit/arg.ts";
import { findCoins, formatCoins } from "../../model/coins.ts";
import type { Command } from "../Command.ts";
import { notWords } from "../commandLine.ts";
import { loadConfig, settingsFor } from "../config.ts";
import { AppError } from "../errors.ts";
import { postLocal } from "../local/localControl.ts";
import { mergeSettings, option, parseOwnFlags } from "../options.ts";

/** Coins as a decimal number. */
const coinsArg = makeArg<bigint>({
  schema: { type: "string" },
  allowed: "coins, such as 5 or 0.25, with at most nine digits behind the point",
  read: (value) => findCoins(String(value)),
});

const ownOptions = { amount: option(coinsArg, "100", "Coins to give.", { value: "COINS" }) };

export const faucet: Command = {
  name: "faucet",
  summary: "Give coins of the local network that runs to an account.",
  usage: ["ADDRESS [--amount COINS]"],
  examples: [
    "tongate faucet EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N",
    "tongate faucet EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N --amount 0.5 --port 9000",
  ],
  options: ownOptions,
  settings: settingsFor("host", "port", "networks"),
  run: async (terminal, args) => {
    const { own, rest } = parseOwnFlags(args, ownOptions);
    const { config, words } = loadConfig(rest);
    const [address, ...more] = words;
    if (address === undefined || more.length > 0)
      throw new AppError("app/usage", `faucet takes one address${notWords(words)}`);
    const { amount } = mergeSettings(ownOptions, [own]).values;
    const { message_hash: hash, status } = await postLocal(config, "faucet", { address, amount: formatCoins(amount) });
    const seen = status === "sent" ? "in a block" : "waits for a block";
    terminal.write(`gave ${formatCoins(amount)} TON to ${address}: message ${hash}, ${seen}\n`);
  },
};
